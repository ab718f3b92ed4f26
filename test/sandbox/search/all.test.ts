import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import {
  idsOf,
  DIALECT_WORDS,
  startDataSandbox,
  type DataSandbox,
} from "../support/data-sandbox.ts";

const DAY = 24 * 60 * 60_000;
const NOW = Date.UTC(2026, 5, 15, 12);
const AGES = [400, 40, 20, 8, 1];

describe.each(DIALECT_WORDS)("GET $path/search/all", ({ dialect, path }) => {
  let fixture: DataSandbox;
  const posts: string[] = [];
  beforeAll(async () => {
    const [oldest = 0] = AGES;
    fixture = await startDataSandbox(
      { clock: { now: NOW - oldest * DAY, frozen: true } },
      { dialect },
    );
    for (const [at, age] of AGES.entries()) {
      posts[at] = await fixture.post(fixture.person, `old news ${age}`);
      await fixture.sandbox.control.advance((age - (AGES[at + 1] ?? 0)) * DAY);
    }
  });
  afterAll(() => fixture.close());

  const iso = (days: number): string => new Date(NOW - days * DAY).toISOString();

  test.each([
    { query: "", finds: [4, 3, 2], why: "thirty days back where no start is given" },
    { query: `&start_time=${iso(500)}`, finds: [4, 3, 2, 1, 0], why: "as far back as is asked" },
    { query: `&end_time=${iso(15)}`, finds: [2, 1], why: "thirty days back from the end" },
    { query: `&start_time=${iso(50)}&end_time=${iso(10)}`, finds: [2, 1], why: "a span" },
  ])("finds $why", async ({ query, finds }) => {
    const response = await fixture.get(`${path}/search/all?query=news${query}`);

    expect(idsOf(response)).toEqual(finds.map((at) => posts[at]));
  });

  it("finds all posts newer than an id, however old", async () => {
    const response = await fixture.get(`${path}/search/all?query=news&since_id=${posts[0]}`);

    expect(idsOf(response)).toEqual([4, 3, 2, 1].map((at) => posts[at]));
  });

  it("takes up to 500 on a page", async () => {
    const most = await fixture.get(`${path}/search/all?query=news&max_results=500`);
    const more = await fixture.get(`${path}/search/all?query=news&max_results=501`);

    expect(most.meta["result_count"]).toBe(3);
    expect(more.errors[0]?.["message"]).toContain("is not between 10 and 500");
  });

  it("is for the app alone", async () => {
    const response = await fixture.get(`${path}/search/all?query=news`, fixture.bot);

    expect(response.status).toBe(403);
  });

  it("refuses a start before the platform's first day", async () => {
    const response = await fixture.get(
      `${path}/search/all?query=news&start_time=2006-03-20T00:00:00Z`,
    );

    expect(response.errors[0]?.["message"]).toContain("must be on or after 2006-03-21T00:00Z");
  });
});
