import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { cronFault } from "../../../src/rules/schedule/read-cron.ts";
import { latestMoment, momentAfter } from "../../../src/rules/schedule/schedule.ts";

const BERLIN = "Europe/Berlin";

/** Returns the first times at which a schedule is due after a given time, in UTC. */
function moments(cron: string, zone: string, after: string, count: number): string[] {
  const times: string[] = [];
  let at = Date.parse(after);
  while (times.length < count) {
    at = momentAfter({ cron, zone }, at) ?? NaN;
    times.push(new Date(at).toISOString().slice(0, 16));
  }
  return times;
}

describe("the times of an interval in days", () => {
  test.each([
    {
      why: "the first date itself, and two weeks later",
      every: "every 14d from 2026-01-05 at 09:00",
      after: "2025-12-01T00:00Z",
      comes: ["2026-01-05T08:00", "2026-01-19T08:00", "2026-02-02T08:00"],
    },
    {
      why: "the same time of the day in summer",
      every: "every 7d from 2026-03-23 at 09:00",
      after: "2026-03-22T00:00Z",
      comes: ["2026-03-23T08:00", "2026-03-30T07:00"],
    },
    {
      why: "the moment itself is not after it",
      every: "every 3d from 2026-01-05 at 09:00",
      after: "2026-01-08T08:00Z",
      comes: ["2026-01-11T08:00"],
    },
    {
      why: "years after the first date",
      every: "every 14d from 2020-01-06 at 00:00",
      after: "2026-03-02T12:00Z",
      comes: ["2026-03-08T23:00", "2026-03-22T23:00"],
    },
    {
      why: "a time that clocks skip comes when they have been put forward",
      every: "every 1d from 2026-03-28 at 02:30",
      after: "2026-03-28T12:00Z",
      comes: ["2026-03-29T01:00", "2026-03-30T00:30"],
    },
    {
      why: "a time that clocks show twice comes the first time",
      every: "every 1d from 2026-03-28 at 02:30",
      after: "2026-10-24T12:00Z",
      comes: ["2026-10-25T00:30", "2026-10-26T01:30"],
    },
  ])("are correct: $why", ({ every, after, comes }) => {
    expect(moments(every, BERLIN, after, comes.length)).toEqual(comes);
  });

  it("are those of a daily cron expression if the interval is one day", () => {
    const zones = [BERLIN, "America/New_York", "Australia/Lord_Howe", "Pacific/Auckland"];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
        fc.nat(23),
        fc.constantFrom(0, 15, 30, 45),
        (zone, after, hour, minute) => {
          const at = [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
          const every = { cron: `every 1d from 2025-01-01 at ${at}`, zone };
          const daily = { cron: `${minute} ${hour} * * *`, zone };
          expect(momentAfter(every, after)).toBe(momentAfter(daily, after));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("that were missed are reduced to the latest one", () => {
    const every = { cron: "every 14d from 2026-01-05 at 09:00", zone: BERLIN };
    const [after, upTo] = [Date.parse("2026-01-06T00:00Z"), Date.parse("2026-12-31T00:00Z")];

    expect(new Date(latestMoment(every, { after, upTo }) ?? NaN).toISOString()).toBe(
      "2026-12-21T08:00:00.000Z",
    );
    expect(latestMoment(every, { after, upTo: Date.parse("2026-01-19T07:59Z") })).toBeUndefined();
  });
});

describe("the times of a schedule", () => {
  test.each([
    {
      why: "nine on weekdays is seven in UTC while summer time lasts",
      cron: "0 9 * * mon-fri",
      after: "2026-10-22T12:00Z",
      comes: ["2026-10-23T07:00", "2026-10-26T08:00"],
    },
    {
      why: "a day of the month or a day of the week, as cron has it",
      cron: "0 9 13 * fri",
      after: "2026-09-12T00:00Z",
      comes: ["2026-09-13T07:00", "2026-09-18T07:00"],
    },
    {
      why: "the last day of a month",
      cron: "0 9 L * *",
      after: "2026-02-01T00:00Z",
      comes: ["2026-02-28T08:00", "2026-03-31T07:00"],
    },
    {
      why: "the second Friday",
      cron: "0 9 * * fri#2",
      after: "2026-11-01T00:00Z",
      comes: ["2026-11-13T08:00", "2026-12-11T08:00"],
    },
    {
      why: "a time that clocks skip comes when they have been put forward",
      cron: "30 2 * * *",
      after: "2026-03-28T12:00Z",
      comes: ["2026-03-29T01:00", "2026-03-30T00:30"],
    },
    {
      why: "a time that clocks show twice comes the first time",
      cron: "30 2 * * *",
      after: "2026-10-24T12:00Z",
      comes: ["2026-10-25T00:30", "2026-10-26T01:30"],
    },
    {
      why: "several times that clocks show twice come the first time, too",
      cron: "0,30 2 * * *",
      after: "2026-10-24T12:00Z",
      comes: ["2026-10-25T00:00", "2026-10-25T00:30", "2026-10-26T01:00"],
    },
    {
      why: "what recurs within the hour goes on through the hour that clocks show twice",
      cron: "*/30 * * * *",
      after: "2026-10-24T23:45Z",
      comes: ["2026-10-25T00:00", "2026-10-25T00:30", "2026-10-25T01:00", "2026-10-25T01:30"],
    },
  ])("$cron: $why", ({ cron, after, comes }) => {
    expect(moments(cron, BERLIN, after, comes.length)).toEqual(comes);
  });

  test.each([
    { range: "0 2-23/3 * * *", list: "0 2,5,8,11,14,17,20,23 * * *", why: "hours" },
    { range: "0 1-23/3 * * *", list: "0 1,4,7,10,13,16,19,22 * * *", why: "other hours" },
    { range: "0-30/30 1 * * *", list: "0,30 1 * * *", why: "minutes" },
    { range: "5,10-50/20 2 * * *", list: "5,10,30,50 2 * * *", why: "a range in a list" },
    { range: "0-50/50,7 2-2/1,3 * * *", list: "0,7,50 2,3 * * *", why: "ranges of one time" },
    { range: "30 1,2 * * mon-sat/2", list: "30 1,2 * * 1,3,5", why: "names of days" },
    { range: "30 2 * * 5-7/2", list: "30 2 * * 0,5", why: "7 for Sunday" },
    { range: "30 2 1-31/7 mar-nov/4 *", list: "30 2 1,8,15,22,29 3,7,11 *", why: "months" },
  ])("$range comes at the times of $list: $why", ({ range, list }) => {
    for (const zone of ["America/New_York", "Australia/Sydney", "Australia/Lord_Howe", BERLIN]) {
      for (const month of ["03", "04", "10", "11"]) {
        const from = `2027-${month}-01T00:00Z`;
        expect(moments(range, zone, from, 60)).toEqual(moments(list, zone, from, 60));
      }
    }
  });

  test.each([
    { cron: "0 2-23/3 * * *", zone: "Australia/Sydney", after: "2027-04-03T14:00Z" },
    { cron: "0 2-23/3 * * *", zone: "America/New_York", after: "2027-03-14T05:00Z" },
  ])("$cron of $zone comes once around the change of clocks", ({ cron, zone, after }) => {
    const comes = {
      "Australia/Sydney": ["03T15", "03T19"],
      "America/New_York": ["14T07", "14T09"],
    };
    expect(moments(cron, zone, after, 2).map((time) => time.slice(8, 13))).toEqual(
      Object.entries(comes).find(([name]) => name === zone)?.[1],
    );
  });

  it("don't depend on earlier calls", () => {
    const schedule = { cron: "0 9 * * *", zone: "UTC" };
    const at = Date.UTC(2026, 0, 5, 9);

    expect(momentAfter(schedule, at)).toBe(Date.UTC(2026, 0, 6, 9));
    expect(momentAfter(schedule, at - 1)).toBe(at);
    expect(momentAfter(schedule, at)).toBe(Date.UTC(2026, 0, 6, 9));
  });
});

describe("the latest time before another one", () => {
  const CRONS = ["* * * * *", "*/7 9-17 * * *", "0 9 * * mon-fri", "30 2 * * *", "0 0 1 * *"];

  it("is the last one of a full search", () => {
    const start = Date.UTC(2026, 2, 27);
    fc.assert(
      fc.property(
        fc.constantFrom(...CRONS),
        fc.integer({ min: 0, max: 5 * 86_400_000 }),
        fc.integer({ min: 0, max: 2 * 86_400_000 }),
        (cron, offset, length) => {
          const schedule = { cron, zone: BERLIN };
          const [after, upTo] = [start + offset, start + offset + length];
          let last: number | undefined;
          for (let at = after; ;) {
            at = momentAfter(schedule, at) ?? Infinity;
            if (at > upTo) break;
            last = at;
          }
          expect(latestMoment(schedule, { after, upTo })).toBe(last);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("is found at once even if years were missed", () => {
    const schedule = { cron: "* * * * *", zone: BERLIN };
    const upTo = Date.UTC(2036, 0, 1, 0, 0, 30);

    expect(latestMoment(schedule, { after: Date.UTC(2026, 0, 1), upTo })).toBe(upTo - 30_000);
  });
});

describe("a cron expression", () => {
  test.each([
    { cron: "*/15 9-17 * * mon-fri", why: "steps and ranges" },
    { cron: "0 9 * * 1,3,5", why: "lists of numbers" },
    { cron: "0 0 29 2 *", why: "a day that only leap years have" },
    { cron: "  0   9 * * * ", why: "blanks" },
    { cron: "0 9 1 JAN,jul *", why: "names of months, in any case" },
  ])("$cron is valid: $why", ({ cron }) => {
    expect(cronFault(cron)).toBeUndefined();
  });

  test.each([
    { cron: "0 9 * * monday", part: "monday", at: 8 },
    { cron: "60 9 * * *", part: "60", at: 0 },
    { cron: "0 9 0 * *", part: "0", at: 4 },
    { cron: "0 9-8 * * *", part: "9-8", at: 2 },
    { cron: "0 9 * 13 *", part: "13", at: 6 },
  ])("$cron is invalid in its field $part", ({ cron, part, at }) => {
    expect(cronFault(cron)).toMatchObject({ offset: at, length: part.length });
  });
});
