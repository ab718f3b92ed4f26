import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { DIALECT_WORDS, startDataSandbox, type DataSandbox } from "../support/data-sandbox.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.UTC(2026, 5, 15, 12, 30, 30);

describe.each(DIALECT_WORDS)("GET $path/counts", ({ dialect, path, resource }) => {
  const [count, total] = [`${resource}_count`, `total_${resource}_count`];
  let fixture: DataSandbox;
  let [once, latest] = ["", ""];
  beforeAll(async () => {
    const clock = { now: NOW - 40 * DAY, frozen: true };
    fixture = await startDataSandbox({ clock }, { dialect });
    const write = (text: string): Promise<string> => fixture.post(fixture.person, text);
    await write("count me long ago");
    await fixture.sandbox.control.advance(40 * DAY - 70 * MINUTE);
    once = await write("count me once");
    await write("count me twice");
    await fixture.sandbox.control.advance(70 * MINUTE);
    latest = await write("count me now");
    await write("nothing to see");
  });
  afterAll(() => fixture.close());

  it("gives an hour each of the last seven days, the earliest first", async () => {
    const { data, meta } = await fixture.get(`${path}/counts/recent?query=count`);

    expect(meta).toEqual({ [total]: 3 });
    expect(data).toHaveLength(7 * 24 + 1);
    expect(data[0]).toEqual({
      start: "2026-06-08T12:30:30.000Z",
      end: "2026-06-08T13:00:00.000Z",
      [count]: 0,
    });
    expect(data.slice(-2)).toEqual([
      { start: "2026-06-15T11:00:00.000Z", end: "2026-06-15T12:00:00.000Z", [count]: 2 },
      { start: "2026-06-15T12:00:00.000Z", end: "2026-06-15T12:30:31.000Z", [count]: 1 },
    ]);
  });

  test.each([
    { granularity: "day", spans: 2 },
    { granularity: "hour", spans: 25 },
    { granularity: "minute", spans: 24 * 60 + 1 },
  ])("counts by $granularity between two times", async ({ granularity, spans }) => {
    const { data, meta } = await fixture.get(
      `${path}/counts/recent?query=count&granularity=${granularity}&start_time=2026-06-14T11:30:30Z&end_time=2026-06-15T11:30:30Z`,
    );

    expect(data).toHaveLength(spans);
    expect(meta).toEqual({ [total]: 2 });
    const sum = data.reduce((before, one) => before + Number(one[count]), 0);
    expect(sum).toBe(2);
  });

  it("begins at the second of since_id and ends with the second of until_id", async () => {
    const ids = `since_id=${once}&until_id=${latest}`;
    const between = await fixture.get(`${path}/counts/recent?query=count&${ids}`);
    const sinceNow = await fixture.get(`${path}/counts/recent?query=me&since_id=${latest}`);

    expect(between.data).toEqual([
      { start: "2026-06-15T11:20:30.000Z", end: "2026-06-15T12:00:00.000Z", [count]: 1 },
      { start: "2026-06-15T12:00:00.000Z", end: "2026-06-15T12:30:31.000Z", [count]: 0 },
    ]);
    expect(between.meta).toEqual({ [total]: 1 });
    expect(sinceNow.data).toEqual([
      { start: "2026-06-15T12:30:30.000Z", end: "2026-06-15T12:30:31.000Z", [count]: 0 },
    ]);
  });

  it("has one page of all posts since the id of a recent one, none since an id of a later time", async () => {
    const url = `${path}/counts/all?query=count&granularity=day&since_id`;
    const recent = await fixture.get(`${url}=${once}`);
    const later = await fixture.get(`${url}=${2n ** 63n - 1n}`);

    expect([recent.data, recent.meta]).toEqual([
      [{ start: "2026-06-15T11:20:30.000Z", end: "2026-06-15T12:30:31.000Z", [count]: 2 }],
      { [total]: 2 },
    ]);
    expect(later.body).toEqual({ meta: { [total]: 0 } });
  });

  it("counts everything in pages of 31 days, the newest first", async () => {
    const url = `${path}/counts/all?query=count&granularity=day&start_time=2026-05-01T00:00:00Z`;
    const first = await fixture.get(url);
    const second = await fixture.get(`${url}&next_token=${String(first.meta["next_token"])}`);

    expect(first.meta).toEqual({ [total]: 3, next_token: expect.stringMatching(/^\w{16,}$/) });
    expect(second.meta).toEqual({ [total]: 1 });
    expect(second.data[0]?.["start"]).toBe("2026-05-01T00:00:00.000Z");
    expect(second.data.at(-1)?.["end"]).toBe(first.data[0]?.["start"]);
  });

  test.each([
    { query: "granularity=week", says: "is not one of [minute,hour,day]" },
    { query: "search_count.fields=id", says: `is not one of [end,start,${count}]` },
    { query: "max_results=10", says: "[max_results] is not one of" },
    { query: "start_time=2020-01-01T00:00:00Z", says: "must be on or after" },
  ])("refuses $query", async ({ query, says }) => {
    const { status, errors } = await fixture.get(`${path}/counts/recent?query=count&${query}`);

    expect([status, errors[0]?.["message"]]).toEqual([400, expect.stringContaining(says)]);
  });
});
