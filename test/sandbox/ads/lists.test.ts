import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { startAdsPartner, type AdsPartner, errorOf, idOf, type Query } from "./ads-partner.ts";
import type { ApiResponse } from "../support/test-sandbox.ts";

let partner: AdsPartner;
beforeEach(async () => {
  partner = await startAdsPartner();
});
afterEach(() => partner.fixture.close());

const tags = (query: Query = {}): Promise<ApiResponse> =>
  partner.ads("GET", `/accounts/${partner.accountId}/app_event_tags`, query);
const lists = (query: Query = {}): Promise<ApiResponse> =>
  partner.ads("GET", `/accounts/${partner.accountId}/app_lists`, query);

const ids = ({ body }: ApiResponse): string[] => (body["data"] as object[]).map(idOf);
const cursorOf = ({ body }: ApiResponse): string => String(body["next_cursor"]);

async function threeTags(): Promise<string[]> {
  const created: string[] = [];
  for (const provider_app_event_name of ["b", "c", "a"]) {
    created.push(await partner.tag({ provider_app_event_name }));
    await partner.fixture.sandbox.control.advance(1_000);
  }
  return created;
}

describe("Cursor pagination", () => {
  it("returns the first count entities and a next_cursor while there are more", async () => {
    const all = await threeTags();

    const first = await tags({ count: 2 });
    const second = await tags({ count: 2, cursor: cursorOf(first) });

    expect([ids(first), ids(second)]).toEqual([all.slice(0, 2), all.slice(2)]);
    expect(first.body["next_cursor"]).toEqual(expect.any(String));
    expect(second.body["next_cursor"]).toBeNull();
    expect(first.body["request"]).toEqual({ params: { account_id: partner.accountId, count: 2 } });
  });

  it("has a null next_cursor when the last page is exactly full", async () => {
    await threeTags();

    expect((await tags({ count: 3 })).body["next_cursor"]).toBeNull();
  });

  it("loses and doubles nothing when entities come and go between pages", async () => {
    const all = await threeTags();
    const first = await tags({ count: 1 });
    await partner.ads("DELETE", `/accounts/${partner.accountId}/app_event_tags/${all[0]}`);
    const added = await partner.tag();

    const rest = await tags({ cursor: cursorOf(first) });

    expect(ids(rest)).toEqual([...all.slice(1), added]);
  });

  it("keeps the order of sort_by over pages", async () => {
    const [b, c, a] = await threeTags();
    const sort_by = "provider_app_event_name-desc";

    const first = await tags({ count: 2, sort_by });
    const second = await tags({ count: 2, sort_by, cursor: cursorOf(first) });

    expect([...ids(first), ...ids(second)]).toEqual([c, b, a]);
  });

  test.each(["updated_at-asc", "deleted-asc"])(
    "skips nothing by sort_by=%s when the entities of a page are deleted",
    async (sort_by) => {
      const all = [...(await threeTags()), ...(await threeTags())];
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page = await tags({ count: 2, sort_by, ...(cursor !== "" && { cursor }) });
        seen.push(...ids(page));
        for (const id of ids(page)) {
          await partner.ads("DELETE", `/accounts/${partner.accountId}/app_event_tags/${id}`);
        }
        cursor = page.body["next_cursor"] as string | null;
      }

      expect(seen).toEqual(all);
    },
  );

  it("goes on after the place of an entity that has moved to another one, downwards too", async () => {
    const [a = "", b = "", c = ""] = await threeTags();
    const sort_by = "updated_at-desc";
    const first = await tags({ count: 2, sort_by, with_deleted: true });
    await partner.ads("DELETE", `/accounts/${partner.accountId}/app_event_tags/${b}`);

    const cursor = cursorOf(first);
    const second = await tags({ count: 2, sort_by, with_deleted: true, cursor });

    expect([ids(first), ids(second)]).toEqual([[c, b], [a]]);
  });

  test.each([
    { cursor: "next", why: "made up" },
    { cursor: "", why: "empty" },
  ])("refuses a cursor that is $why", async ({ cursor }) => {
    expect(errorOf(await tags({ cursor }))).toMatchObject({
      status: 400,
      code: "INVALID_PARAMETER",
      parameter: "cursor",
    });
  });

  it("refuses a cursor that was changed", async () => {
    await threeTags();
    const cursor = cursorOf(await tags({ count: 1, sort_by: "created_at-asc" }));
    const text = Buffer.from(cursor.slice(2), "base64url").toString();
    const other = `c-${Buffer.from(text.replace(/[0-9](?=,)/, "x")).toString("base64url")}`;
    const cut = cursor.slice(0, -1);

    for (const changed of [other, cut, `${cursor}x`, cursor.replace("c-", "d-")]) {
      const page = await tags({ sort_by: "created_at-asc", cursor: changed });
      expect(errorOf(page)).toMatchObject({ code: "INVALID_PARAMETER", parameter: "cursor" });
    }
  });

  it("refuses the cursor of another list or order", async () => {
    await threeTags();
    const cursor = cursorOf(await tags({ count: 1 }));

    expect((await lists({ cursor })).status).toBe(400);
    expect((await tags({ cursor, sort_by: "created_at-asc" })).status).toBe(400);
  });

  it("answers under version 5 too, with a warning", async () => {
    const path = `/accounts/${partner.accountId}/app_event_tags`;

    const { status, headers } = await partner.ads("GET", path, {}, { version: "5" });

    expect([status, headers.get("x-api-warn")]).toEqual([200, expect.stringContaining("12")]);
  });
});

describe("Limits: advertising count", () => {
  test.each([0, 1001, -1, "many", 1.5])("refuses %s", async (count) => {
    expect(errorOf(await tags({ count }))).toMatchObject({
      code: "INVALID_PARAMETER",
      parameter: "count",
    });
  });

  it("takes 1 and 1000, and is 200 by default", async () => {
    expect([(await tags({ count: 1 })).status, (await tags({ count: 1000 })).status]).toEqual([
      200, 200,
    ]);
    await Promise.all(Array.from({ length: 201 }, () => partner.tag()));
    const page = await tags();

    expect([ids(page).length, page.body["next_cursor"]]).toEqual([200, expect.any(String)]);
  });
});

describe("GET app_event_tags", () => {
  it("lists the account's tags with their status, no deleted ones", async () => {
    const [first = "", ...rest] = await threeTags();
    await partner.ads("DELETE", `/accounts/${partner.accountId}/app_event_tags/${first}`);

    expect(ids(await tags())).toEqual(rest);
    expect((await tags()).body).toMatchObject({ data: [{ status: "TRACKING" }, {}] });
    expect(ids(await tags({ with_deleted: true }))).toEqual([first, ...rest]);
  });

  it("picks out app_event_tag_ids, and echoes them as a list", async () => {
    const [a = "", , c = ""] = await threeTags();

    const response = await tags({ app_event_tag_ids: `${c},${a},zzz` });

    expect(ids(response)).toEqual([a, c]);
    expect(response.body["request"]).toMatchObject({
      params: { app_event_tag_ids: [c, a, "zzz"] },
    });
  });

  test.each([
    { fields: Array.from({ length: 201 }, (_, n) => `t${n}`).join(","), why: "201 of them" },
    { fields: "a,,b", why: "an empty one" },
    { fields: "a b", why: "other characters" },
  ])("refuses app_event_tag_ids: $why", async ({ fields }) => {
    expect(errorOf(await tags({ app_event_tag_ids: fields }))).toMatchObject({
      code: "INVALID_PARAMETER",
      parameter: "app_event_tag_ids",
    });
  });

  it("takes 200 ids", async () => {
    const tagIds = Array.from({ length: 200 }, (_, n) => `t${n}`).join(",");

    expect((await tags({ app_event_tag_ids: tagIds })).status).toBe(200);
  });

  test.each([
    { sort_by: "provider_app_event_name-asc", order: [2, 0, 1] },
    { sort_by: "created_at-desc", order: [2, 1, 0] },
    { sort_by: "created_at-asc", order: [0, 1, 2] },
    { sort_by: "deleted-desc", order: [0, 1, 2] },
  ])("sorts by $sort_by", async ({ sort_by, order }) => {
    const all = await threeTags();

    expect(ids(await tags({ sort_by }))).toEqual(order.map((index) => all[index]));
  });

  test.each(["created_at", "created_at-up", "colour-asc", "-asc"])(
    "refuses sort_by=%s",
    async (sort_by) => {
      expect(errorOf(await tags({ sort_by }))).toMatchObject({
        code: "INVALID_PARAMETER",
        parameter: "sort_by",
      });
    },
  );
});

describe("Limits: with_total_count", () => {
  it("adds total_count of the whole list", async () => {
    await threeTags();

    expect((await tags({ count: 1, with_total_count: true })).body["total_count"]).toBe(3);
    expect((await tags({ count: 1 })).body).not.toHaveProperty("total_count");
    expect((await tags({ with_total_count: false })).body).not.toHaveProperty("total_count");
  });

  it("and cursor exclude each other", async () => {
    await threeTags();
    const cursor = cursorOf(await tags({ count: 1 }));

    expect(errorOf(await tags({ cursor, with_total_count: true }))).toMatchObject({
      status: 400,
      code: "EXCLUSIVE_PARAMETERS",
      parameter: "with_total_count",
    });
    expect((await tags({ cursor, with_total_count: false })).status).toBe(200);
  });

  it("has a budget of 200 requests in 15 minutes", async () => {
    const counted = (): Promise<ApiResponse> => tags({ with_total_count: true });
    const first = await counted();
    await Promise.all(Array.from({ length: 199 }, counted));

    expect(first.headers.get("x-rate-limit-limit")).toBe("200");
    expect(errorOf(await counted())).toMatchObject({ status: 429, code: "TOO_MANY_REQUESTS" });
    expect((await tags()).status).toBe(200);
    await partner.fixture.sandbox.control.advance(15 * 60_000);
    expect((await counted()).status).toBe(200);
  });
});

describe("GET app_lists", () => {
  it("lists id and name, with the rules of tags", async () => {
    const winter = await partner.appList("winter");
    const autumn = await partner.appList("autumn");

    const response = await lists({ sort_by: "name-asc", with_total_count: true });

    expect(response.body).toEqual({
      request: {
        params: { account_id: partner.accountId, sort_by: "name-asc", with_total_count: true },
      },
      next_cursor: null,
      data: [
        { id: autumn, name: "autumn" },
        { id: winter, name: "winter" },
      ],
      total_count: 2,
    });
    expect(ids(await lists({ app_list_ids: winter }))).toEqual([winter]);
  });

  it("returns one list, deleted only when requested", async () => {
    const id = await partner.appList("winter");
    const one = `/accounts/${partner.accountId}/app_lists/${id}`;

    expect((await partner.ads("GET", one)).body).toMatchObject({
      request: { params: { account_id: partner.accountId, app_list_id: id } },
      data: {
        id,
        name: "winter",
        deleted: false,
        apps: [{ os_type: "IOS" }, { os_type: "ANDROID" }],
      },
    });
    await partner.fixture.sandbox.control.call("DELETE", `/ads/app_lists/${id}`);
    expect(errorOf(await partner.ads("GET", one))).toMatchObject({
      status: 404,
      code: "NOT_FOUND",
    });
    expect((await partner.ads("GET", one, { with_deleted: true })).status).toBe(200);
    expect(ids(await lists())).toEqual([]);
    expect(ids(await lists({ with_deleted: true }))).toEqual([id]);
  });
});
