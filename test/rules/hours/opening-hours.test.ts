import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";
import { decide, explain } from "../../../src/rules/decide/decide.ts";
import { localTime } from "../../../src/hours/local-time.ts";
import { readClosed, readOpen } from "../../../src/hours/read-hours.ts";
import { messageReceived } from "../../support/events.ts";
import { isOpenAt, opensAt } from "../../../src/hours/opening-hours.ts";
import { rulesetOf } from "../support/compiling.ts";
import { actionsOf, endOf, play } from "../support/playing.ts";

/** Returns whether the rule with `condition` runs at `now`. */
function runs(hours: string, now: string, condition = "now: {within: office}"): boolean {
  const ruleset = rulesetOf(`hours: {office: ${hours}}
rules: [{id: a, triggers: [dm.received], max_age: none, conditions: [${condition}], actions: [{reply_dm: hi}]}]`);
  return decide(messageReceived(), ruleset, { now: Date.parse(now) }).runs.length > 0;
}

const OFFICE = '{zone: Europe/Berlin, open: ["mon-fri 09:00-17:30"], closed: [2026-12-24]}';
const BAR = '{zone: America/New_York, open: ["fri,sat 22:00-02:00"], closed: [2026-12-25]}';
const SPLIT = '{zone: UTC, open: ["mon-tue, thu 08:00-12:00, 13:00-17:00", "sun 10:00-24:00"]}';
/** Opening hours from 01:30 to 02:30 on Sundays, for nights in which the clocks change. */
const NIGHT = '{zone: Europe/Berlin, open: ["sun 01:30-02:30"]}';

describe("opening hours", () => {
  test.each([
    [OFFICE, "2026-03-02T09:00:00+01:00", true, "they open on the minute"],
    [OFFICE, "2026-03-02T08:59:59+01:00", false, "not a second before"],
    [OFFICE, "2026-03-02T17:29:59+01:00", true, "until the last second"],
    [OFFICE, "2026-03-02T17:30:00+01:00", false, "the end is outside"],
    [OFFICE, "2026-03-01T12:00:00+01:00", false, "a Sunday"],
    [OFFICE, "2026-12-24T12:00:00+01:00", false, "a day that is closed, a Thursday"],
    [
      OFFICE,
      "2026-12-23T23:30:00-08:00",
      false,
      "it is that day there, not where the event is told",
    ],
    [OFFICE, "2026-07-06T07:00:00Z", true, "nine in summer is seven by UTC"],
    [OFFICE, "2026-01-05T07:30:00Z", false, "half past eight in winter"],
    [BAR, "2026-03-06T23:00:00-05:00", true, "Friday night"],
    [BAR, "2026-03-07T01:59:00-05:00", true, "over midnight"],
    [BAR, "2026-03-07T02:00:00-05:00", false, "the end after midnight"],
    [BAR, "2026-03-08T01:00:00-05:00", true, "Saturday's night is Sunday"],
    [BAR, "2026-03-06T01:00:00-05:00", false, "Thursday's night is not open"],
    [BAR, "2026-12-25T23:00:00-05:00", false, "a night that is closed"],
    [BAR, "2026-12-26T01:00:00-05:00", false, "closed to its end, on the next day"],
    [SPLIT, "2026-03-02T12:30:00Z", false, "between two stretches of a day"],
    [SPLIT, "2026-03-03T16:59:00Z", true, "the second stretch"],
    [SPLIT, "2026-03-04T10:00:00Z", false, "a day that is left out"],
    [SPLIT, "2026-03-05T10:00:00Z", true, "a day beside a range of them"],
    [SPLIT, "2026-03-08T23:59:59Z", true, "until 24:00"],
    [SPLIT, "2026-03-09T00:00:00Z", false, "and no longer"],
    [NIGHT, "2026-03-29T00:59:00Z", true, "1:59, before the clock goes forward"],
    [NIGHT, "2026-03-29T01:00:00Z", false, "3:00 comes next"],
    [NIGHT, "2026-10-25T00:15:00Z", true, "2:15, before the clock goes back"],
    [NIGHT, "2026-10-25T00:45:00Z", false, "2:45 for the first time"],
    [NIGHT, "2026-10-25T01:15:00Z", true, "2:15 again"],
    [NIGHT, "2026-10-25T01:45:00Z", false, "2:45 again"],
  ])("%s at %s: %s: %s", (hours, now, open) => {
    expect(runs(hours, now)).toBe(open);
    expect(runs(hours, now, "not: {now: {within: office}}")).toBe(!open);
  });

  it("are tested for any time, and for several at once", () => {
    const hours = `${OFFICE}, bar: ${BAR}`;
    const condition = "event.time: {within: [office, bar]}";

    // the second event is on a Thursday, at midnight UTC
    expect(runs(hours, "2026-03-02T12:00:00Z", condition)).toBe(false);
    expect(
      runs(SPLIT.replace("sun", "thu"), "2026-03-02T00:00:00Z", "event.time: {within: office}"),
    ).toBe(false);
    expect(
      runs(
        '{zone: UTC, open: ["thu 00:00-00:01"]}',
        "2026-03-02T00:00:00Z",
        "event.time: {within: office}",
      ),
    ).toBe(true);
  });

  it("are named with the time in the description of the condition", () => {
    const ruleset = rulesetOf(`hours: {office: ${OFFICE}}
rules: [{id: a, triggers: [dm.received], conditions: [{now: {within: office}}], actions: [{reply_dm: hi}]}]`);
    const event = messageReceived();

    expect(explain(event, ruleset, { now: event.at })[0]?.clause).toEqual({
      path: "conditions[0].now",
      wanted: "now within office",
      actual: "2026-01-01T00:00:00.000Z",
    });
  });

  it("change the revision of the rules that use them, and of no others", () => {
    const revisions = (hours: string) =>
      compile([
        {
          path: "a.yaml",
          text: `version: 1
hours: {office: ${hours}}
rules:
  - {id: a, triggers: [dm.received], conditions: [{now: {within: office}}], actions: [{reply_dm: hi}]}
  - {id: b, triggers: [dm.received], actions: [{reply_dm: hi}]}`,
        },
      ]).ruleset.rules.map(({ revision }) => revision);
    const [a, b] = revisions(OFFICE);
    const [changed, same] = revisions(OFFICE.replace("09:00", "08:00"));

    expect(changed).not.toBe(a);
    expect(same).toBe(b);
  });
});

describe("days and times", () => {
  const named = (text: string) => readOpen(text)?.map(({ days, ...rest }) => [[...days], rest]);
  test.each([
    ["mon-fri 09:00-17:30", [[[0, 1, 2, 3, 4], { from: 540, to: 1050 }]]],
    ["Sat 9:00 – 13:00", [[[5], { from: 540, to: 780 }]]],
    ["sat-mon 09:00-10:00", [[[5, 6, 0], { from: 540, to: 600 }]]],
    ["mon, wed 00:00-24:00", [[[0, 2], { from: 0, to: 1440 }]]],
    ["daily 22:00-06:00", [[[0, 1, 2, 3, 4, 5, 6], { from: 1320, to: 360 }]]],
    ["09:00-10:00", [[[0, 1, 2, 3, 4, 5, 6], { from: 540, to: 600 }]]],
  ])("%s is read", (text, read) => {
    expect(named(text)).toEqual(read);
  });

  test.each([
    "mon-fri",
    "monday 09:00-10:00",
    "mon 9-17",
    "mon 09:00-09:00",
    "mon 09:00-25:00",
    "",
  ])("%s is refused", (text) => {
    expect(readOpen(text)).toBeUndefined();
  });

  test.each(["2026-02-30", "24.12.2026", "2026-12-24..2026-12-01", "12-24"])(
    "%s is not a date",
    (text) => {
      expect(readClosed(text)).toBeUndefined();
    },
  );
});

test("the time of day is that of the place", () => {
  const at = Date.parse("2026-03-01T02:00:00Z");

  expect(localTime(at, "America/Los_Angeles")).toEqual({
    date: "2026-02-28",
    dayBefore: "2026-02-27",
    weekday: 5,
    minute: 18 * 60,
  });
  expect(localTime(at, "Asia/Kathmandu")).toMatchObject({ date: "2026-03-01", minute: 465 });
});

describe("the next opening", () => {
  const opening = (hours: string, now: string): string | undefined => {
    const ruleset = rulesetOf(`hours: {office: ${hours}}
rules: [{id: a, triggers: [dm.received], max_age: none, actions: [{reply_dm: "\${{ hours.office.next_open }}"}]}]`);
    const steps = play({ ...messageReceived(), at: Date.parse(now) }, ruleset);
    const [action] = actionsOf(steps);
    return action?.type === "reply_dm" ? action.text : endOf(steps);
  };

  test.each([
    [OFFICE, "2026-03-02T07:00:00+01:00", "2026-03-02T08:00:00.000Z", "the same day"],
    [OFFICE, "2026-03-02T17:30:00+01:00", "2026-03-03T08:00:00.000Z", "the next day"],
    [OFFICE, "2026-03-06T18:00:00+01:00", "2026-03-09T08:00:00.000Z", "after the weekend"],
    [OFFICE, "2026-03-27T18:00:00+01:00", "2026-03-30T07:00:00.000Z", "in summer time by then"],
    [OFFICE, "2026-12-23T18:00:00+01:00", "2026-12-25T08:00:00.000Z", "past a day that is closed"],
    [
      OFFICE,
      "2026-03-02T12:00:00.500+01:00",
      "2026-03-02T11:00:00.500Z",
      "now, while they are open",
    ],
    [BAR, "2026-03-07T03:00:00-05:00", "2026-03-08T03:00:00.000Z", "the evening after"],
    [SPLIT, "2026-03-02T12:00:00Z", "2026-03-02T13:00:00.000Z", "after the lunch break"],
    [NIGHT, "2026-03-28T12:00:00Z", "2026-03-29T00:30:00.000Z", "before clocks go forward"],
    [
      '{zone: Europe/Berlin, open: ["sun 02:30-05:00"]}',
      "2026-03-28T12:00:00Z",
      "2026-03-29T01:00:00.000Z",
      "a time that clocks skip",
    ],
    [
      '{zone: Europe/Berlin, open: ["sun 02:15-02:45"]}',
      "2026-03-28T12:00:00Z",
      "2026-04-05T00:15:00.000Z",
      "hours that clocks skip",
    ],
    [
      '{zone: Europe/Berlin, open: ["sun 02:30-05:00"]}',
      "2026-10-24T12:00:00Z",
      "2026-10-25T00:30:00.000Z",
      "the first of two equal times",
    ],
    [
      '{zone: America/New_York, open: ["sat 18:00-01:30", "mon-fri 09:00-17:00"]}',
      "2026-11-01T05:40:00Z",
      "2026-11-01T06:00:00.000Z",
      "clocks are put back into open hours",
    ],
    [
      '{zone: Australia/Sydney, open: ["22:00-02:30"]}',
      "2027-04-03T15:45:00Z",
      "2027-04-03T16:00:00.000Z",
      "clocks are put back into open hours, before the next opening of the day",
    ],
    [
      '{zone: UTC, open: ["09:00-17:00"], closed: ["2026-01-01..2027-12-31"]}',
      "2026-03-02T12:00:00Z",
      "2028-01-01T09:00:00.000Z",
      "years later",
    ],
  ])("of %s after %s is %s: %s", (hours, now, open) => {
    expect(opening(hours, now)).toBe(open);
  });

  it("fails if there is none", () => {
    const hours = '{zone: UTC, open: ["09:00-17:00"], closed: ["2026-01-01..2999-12-31"]}';

    expect(opening(hours, "2026-03-02T12:00:00Z")).toContain("they never open");
  });

  it("is open, and no earlier minute is", () => {
    const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2026, 0, 1) / 60_000, max: Date.UTC(2026, 11, 1) / 60_000 }),
        fc.integer({ min: 0, max: 1439 }),
        fc.integer({ min: 1, max: 600 }),
        (zone, minute, from, length) => {
          const to = (from + length) % 1440;
          const days = new Set([0, 1, 2, 3, 4, 5, 6]);
          const hours = { zone, open: [{ days, from, to }], closed: [] };
          const at = minute * 60_000;
          const open = opensAt(hours, at) ?? NaN;
          let first = at;
          while (!isOpenAt(hours, first)) first += 60_000;
          expect(open).toBe(first);
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each([
    { zone: "America/New_York", change: "2026-11-01T06:00Z", why: "an hour back" },
    { zone: "Australia/Sydney", change: "2027-04-03T16:00Z", why: "an hour back" },
    { zone: "Australia/Lord_Howe", change: "2027-04-03T15:00Z", why: "30 minutes back" },
    { zone: "Pacific/Kwajalein", change: "1969-09-30T13:00Z", why: "23 hours back" },
    { zone: "America/St_Johns", change: "2010-11-07T02:31Z", why: "an hour back over midnight" },
    { zone: "America/New_York", change: "2027-03-14T07:00Z", why: "an hour forward" },
    { zone: "Australia/Lord_Howe", change: "2026-10-03T15:30Z", why: "30 minutes forward" },
    { zone: "Pacific/Apia", change: "2011-12-30T10:00Z", why: "a day forward" },
  ])("is the first open minute if the clocks of $zone go $why", ({ zone, change }) => {
    const stretch = fc.record({
      days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 3 }),
      from: fc.integer({ min: 0, max: 47 }),
      length: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(
        fc.array(stretch, { minLength: 1, maxLength: 2 }),
        fc.integer({ min: -240, max: 60 }),
        (stretches, minutes) => {
          const open = stretches.map(({ days, from, length }) => ({
            days: new Set(days),
            from: from * 30,
            to: ((from + length) * 30) % 1440,
          }));
          const hours = { zone, open, closed: [] };
          const changed = Date.parse(change);
          const at = changed + minutes * 60_000;
          const half = 30 * 60_000;
          let first = at;
          while (!isOpenAt(hours, first)) {
            const next = (Math.floor(first / half) + 1) * half;
            first = first < changed && changed < next ? changed : next;
          }
          expect(opensAt(hours, at)).toBe(first);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("can be waited for and compared", () => {
    const { problems } = compile([
      {
        path: "a.yaml",
        text: `version: 1
hours: {office: ${OFFICE}}
rules: [{id: a, triggers: [dm.received], conditions: [{if: hours.office.next_open > now}], actions: [{delay_until: "\${{ hours.office.next_open }}"}, {reply_dm: hi}]}]`,
      },
    ]);

    expect(problems).toEqual([]);
  });

  test.each([
    ["hours.offce.next_open", 'did you mean "office"?'],
    ["hours.office.opens", "hours.office has: next_open"],
    ["hours.office", "name one of its fields"],
  ])("is refused at check: %s", (expression, help) => {
    const text = `version: 1
hours: {office: ${OFFICE}}
rules: [{id: a, triggers: [dm.received], actions: [{reply_dm: "\${{ ${expression} }}"}]}]`;

    expect(compile([{ path: "a.yaml", text }]).problems.map((one) => one.help)).toEqual([help]);
  });
});
