import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import {
  idsOf,
  DIALECT_WORDS,
  startDataSandbox,
  type DataSandbox,
} from "../support/data-sandbox.ts";

const DAY = 24 * 60 * 60_000;

describe.each(DIALECT_WORDS)("GET $path/search/recent", ({ dialect, path, fields }) => {
  let fixture: DataSandbox;
  let posts: string[];
  beforeAll(async () => {
    fixture = await startDataSandbox({ clock: { frozen: true } }, { dialect });
    posts = [];
    for (let n = 1; n <= 25; n += 1)
      posts.push(await fixture.post(fixture.person, `word number ${n}`));
  });
  afterAll(() => fixture.close());

  it("returns ten posts, the newest first, and returns their span", async () => {
    const response = await fixture.get(`${path}/search/recent?query=word`);

    expect(idsOf(response)).toEqual(posts.slice(-10).toReversed());
    expect(response.meta).toEqual({
      newest_id: posts[24],
      oldest_id: posts[15],
      result_count: 10,
      next_token: expect.stringMatching(/^\w{16,}$/),
    });
  });

  it.each(["next_token", "pagination_token"])("goes on by %s to the end", async (name) => {
    const pages: unknown[][] = [];
    let token = "";
    do {
      const response = await fixture.get(`${path}/search/recent?query=word${token}`);
      pages.push(idsOf(response));
      token =
        "next_token" in response.meta ? `&${name}=${String(response.meta["next_token"])}` : "";
    } while (token !== "");

    expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(pages.flat()).toEqual(posts.toReversed());
  });

  it("leaves data out where nothing is found", async () => {
    expect((await fixture.get(`${path}/search/recent?query=nothing`)).body).toEqual({
      meta: { result_count: 0 },
    });
  });

  it("finds a delayed post later, and newer posts at once", async () => {
    const late = await fixture.post(fixture.person, "delayed one");
    const newer = await fixture.post(fixture.person, "delayed two");
    const read = () => fixture.get(`${path}/search/recent?query=delayed`);
    const delay = (id: string) => fixture.sandbox.control.delayInSearch(id, 60_000);
    await delay(late);

    expect(idsOf(await read())).toEqual([newer]);
    await fixture.sandbox.control.advance(60_000);
    expect(idsOf(await read())).toEqual([newer, late]);
    await expect(delay("1")).rejects.toMatchObject({ code: "unknown_post" });
  });

  it("bounds by ids, both ends left out", async () => {
    const response = await fixture.get(
      `${path}/search/recent?query=word&since_id=${posts[10]}&until_id=${posts[14]}`,
    );

    expect(idsOf(response)).toEqual([posts[13], posts[12], posts[11]]);
  });

  it("acts for users as well as for the app alone", async () => {
    const response = await fixture.get(
      `${path}/search/recent?query=word&${fields}=author_id`,
      fixture.bot,
    );

    expect(response.data[0]).toMatchObject({ author_id: fixture.person });
  });

  test.each([
    { query: "max_results=9", names: "max_results", says: "is not between 10 and 100" },
    { query: "max_results=101", names: "max_results", says: "is not between 10 and 100" },
    { query: "next_token=abc", names: "next_token", says: "is not valid" },
    { query: "since_id=abc", names: "since_id", says: "is not valid" },
    { query: "start_time=yesterday", names: "start_time", says: "does not match" },
    { query: "start_time=2020-01-01T00:00:00Z", names: "start_time", says: "must be on or after" },
    { query: "end_time=2099-01-01T00:00:00Z", names: "end_time", says: "minimum of 10 seconds" },
    { query: "since_id=1", names: "since_id", says: "must be a tweet id created after 2" },
    {
      query: "start_time=2020-01-01T00:00:00Z&until_id=1",
      names: "until_id",
      says: "Invalid use of 'since_id' or 'until_id'",
    },
    { query: "sort_order=best", names: "sort_order", says: "is not one of [recency,relevancy]" },
  ])("refuses $query", async ({ query, names, says }) => {
    const { status, errors } = await fixture.get(`${path}/search/recent?query=word&${query}`);

    expect(status).toBe(400);
    expect(errors[0]?.["parameters"]).toHaveProperty(names);
    expect(errors[0]?.["message"]).toContain(says);
  });
});

describe("recent search", () => {
  it("reaches seven days back, from start_time up to end_time", async () => {
    const now = Date.UTC(2026, 5, 15);
    const fixture = await startDataSandbox({ clock: { now: now - 8 * DAY, frozen: true } });
    const ids: string[] = [];
    for (let day = 8; day >= 1; day -= 1) {
      ids.push(await fixture.post(fixture.person, `day ${day}`));
      await fixture.sandbox.control.advance(DAY);
    }
    const iso = (days: number): string => new Date(now - days * DAY).toISOString();
    const all = await fixture.get("/2/posts/search/recent?query=day");
    const some = await fixture.get(
      `/2/posts/search/recent?query=day&start_time=${iso(5)}&end_time=${iso(3)}`,
    );
    await fixture.close();

    expect(idsOf(all)).toEqual(ids.slice(1).toReversed());
    expect(idsOf(some)).toEqual([ids[4], ids[3]]);
  });

  it("refuses times of the last ten seconds and ids of more than seven days ago", async () => {
    const now = Date.UTC(2026, 5, 15);
    const fixture = await startDataSandbox({ clock: { now: now - 7 * DAY, frozen: true } });
    const old = await fixture.post(fixture.person, "day");
    const read = async (bound: string): Promise<unknown> =>
      (await fixture.get(`/2/posts/search/recent?query=day&${bound}`)).status;
    await fixture.sandbox.control.advance(7 * DAY);
    const iso = (ms: number): string => new Date(now - ms).toISOString();
    const bounds = [`start_time=${iso(9_999)}`, `start_time=${iso(10_000)}`, `since_id=${old}`];
    const statuses = await Promise.all(bounds.map(read));
    await fixture.sandbox.control.advance(120_000);
    const later = await read(`since_id=${old}`);
    await fixture.close();

    expect(statuses).toEqual([400, 200, 200]);
    expect(later).toBe(400);
  });

  it("accepts a fresh id in the year 2099", async () => {
    const now = Date.UTC(2099, 5, 15);
    const fixture = await startDataSandbox({ clock: { now, frozen: true } });
    const ids: string[] = [];
    for (const text of ["day one", "day two"]) {
      ids.push(await fixture.post(fixture.person, text));
      await fixture.sandbox.control.advance(60_000);
    }
    const response = await fixture.get(`/2/posts/search/recent?query=day&since_id=${ids[0]}`);
    await fixture.close();

    expect(response.status).toBe(200);
    expect(idsOf(response)).toEqual([ids[1]]);
  });

  it("takes longer queries on the enterprise plan", async () => {
    const fixture = await startDataSandbox();
    const { project_id: projectId } = await fixture.sandbox.control.post<{ project_id: string }>(
      "/projects",
      { name: "small", plan: "basic" },
    );
    const app = await fixture.sandbox.control.app({ project_id: projectId });
    const query = "w".repeat(600);
    const small = await fetch(`${fixture.sandbox.url}/2/posts/search/recent?query=${query}`, {
      headers: { authorization: `Bearer ${app.bearer_token}` },
    });
    const large = await fixture.get(`/2/posts/search/recent?query=${query}`);
    await fixture.close();

    expect([small.status, large.status]).toEqual([400, 200]);
  });

  it("does not find posts that are deleted, replaced by an edit, or hidden from the reader", async () => {
    const fixture = await startDataSandbox();
    const shy = await fixture.user("shy");
    const gone = await fixture.post(fixture.person, "secret gone");
    const edited = await fixture.post(fixture.person, "secret draft");
    await fixture.post(fixture.person, "final", { edit_options: { previous_post_id: edited } });
    const closed = await fixture.post(shy, "secret closed");
    await fixture.as(fixture.person, "DELETE", `/2/posts/${gone}`);
    await fixture.sandbox.control.call("PATCH", `/users/${shy}`, { protected: true });
    const open = await fixture.get("/2/posts/search/recent?query=secret");
    const own = await fixture.get("/2/posts/search/recent?query=secret", shy);
    await fixture.close();

    expect(idsOf(open)).toEqual([]);
    expect(idsOf(own)).toEqual([closed]);
  });
});

describe("a search in a language without spaces, or with signs of another keyboard", () => {
  let fixture: DataSandbox;
  beforeAll(async () => {
    fixture = await startDataSandbox();
  });
  afterAll(() => fixture.close());

  it.each([
    ["コーヒー店はどこ", "コーヒー"],
    ["2026年の予定", "2026年"],
    ["2027年の予定", "予定"],
    ["LINEで予約したい", "予約"],
    ["iPhone用ケース", "iPhone"],
    ["打COVID疫苗", "疫苗"],
    ["ราคา 100บาท", "บาท"],
    ["great 👍👍", "👍"],
    ["＃営業時間 は？", "#営業時間"],
    ["＠hello_bot は？", "@hello_bot"],
  ])("finds in '%s' the part '%s'", async (text, part) => {
    const id = await fixture.post(fixture.person, text);
    for (const query of [part, `"${part}"`]) {
      const response = await fixture.get(
        `/2/posts/search/recent?query=${encodeURIComponent(query)}`,
      );
      expect(idsOf(response), query).toContain(id);
    }
  });

  it.each([
    ["コーヒー", "ヒーロー"],
    ["great 👨‍👩‍👧", "👩"],
    ["「営業時間」、", "、"],
  ])("does not find in '%s' the text '%s'", async (text, other) => {
    const id = await fixture.post(fixture.person, text);
    const response = await fixture.get(`/2/posts/search/recent?query=${encodeURIComponent(other)}`);

    expect(JSON.stringify(response.body)).not.toContain(id);
  });

  it("lists a mention with a full-width sign", async () => {
    const bot = await fixture.sandbox.control.user("full_width_bot");
    const id = await fixture.post(fixture.person, "＠full_width_bot 営業時間は？");

    expect(idsOf(await fixture.get(`/2/users/${bot}/mentions`))).toEqual([id]);
  });
});
