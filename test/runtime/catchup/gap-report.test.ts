import { beforeEach, describe, expect, it } from "vitest";
import { type GapReport, gapReport } from "../../../src/runtime/catchup/gap-report.ts";
import type { Gap } from "../../../src/runtime/catchup/plan.ts";
import { openLog } from "../../../src/runtime/log.ts";
import type { NewRuntimeEvent } from "../../../src/runtime/runtime-events.ts";
import type { EntrySource, NewEntry } from "../../../src/runtime/store/entry.ts";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 0, 2, 12);

/** Names of the log's levels. */
const LEVELS: Readonly<Record<number, string>> = { 30: "info", 40: "warn" };

let published: NewRuntimeEvent[];
let lines: string[];
let report: GapReport;

beforeEach(() => {
  published = [];
  lines = [];
  const destination = {
    write: (line: string) => {
      const { level, msg, account, reason } = JSON.parse(line);
      lines.push([LEVELS[level], account, msg, reason].filter(Boolean).join(" | "));
    },
  };
  report = gapReport({
    log: openLog({ level: "info", destination }),
    publish: (event) => published.push(event),
    usernameOf: (account) => `bot${account}`,
  });
});

/** Creates a gap between two minutes after noon. */
const gap = (from: number, to: number, account = "1"): Gap => ({
  account,
  from: NOON + from * MINUTE,
  to: NOON + to * MINUTE,
});

/** Returns the minutes of the gaps that are reported as open. */
const open = () =>
  report.openGaps().map(({ account, from, to }) => {
    return [account, (from - NOON) / MINUTE, (to - NOON) / MINUTE];
  });

const event = (minute: number, source: EntrySource, account = "1"): NewEntry => ({
  key: `${minute}`,
  account,
  lane: `${account}/200`,
  kind: "message",
  at: NOON + minute * MINUTE,
  arrivedAt: NOON,
  source,
  body: "{}",
});

const typesOf = () => published.map(({ type }) => type);

describe("a gap", () => {
  it("is reported once, with its time", () => {
    report.reportFound([gap(0, 10)]);
    report.reportFound([gap(0, 10)]);

    expect(published).toEqual([
      {
        type: "gap-found",
        data: { account: "1", from: "2026-01-02T12:00:00.000Z", to: "2026-01-02T12:10:00.000Z" },
      },
    ]);
    expect(lines).toEqual([expect.stringMatching(/^warn \| @bot1 \| missed up to 10 min/)]);
    expect(open()).toEqual([["1", 0, 10]]);
  });

  it("may begin earlier and end later when it is found again", () => {
    report.reportFound([gap(10, 20), gap(40, 50), gap(10, 20, "2")]);
    report.reportFound([gap(5, 12), gap(19, 25)]);

    expect(typesOf()).toEqual(["gap-found", "gap-found", "gap-found"]);
    expect(open()).toEqual([
      ["1", 5, 25],
      ["1", 40, 50],
      ["2", 10, 20],
    ]);
  });

  it("is not the same as a gap that begins at its end", () => {
    report.reportFound([gap(0, 10), gap(10, 20)]);

    expect(typesOf()).toEqual(["gap-found", "gap-found"]);
  });

  it("is closed once it is open no longer", () => {
    report.reportFound([gap(0, 10), gap(20, 30), gap(0, 10, "2")]);
    report.reportClosed([gap(25, 30), gap(0, 10, "2")], ["1"]);

    expect(published.slice(3)).toEqual([
      {
        type: "gap-closed",
        data: {
          account: "1",
          from: "2026-01-02T12:00:00.000Z",
          to: "2026-01-02T12:10:00.000Z",
          events: 0,
        },
      },
    ]);
    expect(lines.at(-1)).toMatch(/^info \| @bot1 \| caught up 0 events of 10 min/);
    expect(open()).toEqual([
      ["1", 20, 30],
      ["2", 0, 10],
    ]);
    report.reportClosed([], ["1", "2"]);
    expect(open()).toEqual([]);
  });

  it("stays open while its account is not among the accounts that are looked up", () => {
    report.reportFound([gap(0, 10)]);
    report.reportClosed([], ["2"]);

    expect(open()).toEqual([["1", 0, 10]]);
  });
});

describe("the recovered events of a gap", () => {
  const recovered = () =>
    published.flatMap((one) => (one.type === "gap-closed" ? [one.data.events] : []));

  it("are those of its time that came by another way than the webhook", () => {
    report.reportFound([gap(0, 10), gap(10, 20)]);
    report.count([
      event(0, "backfill"),
      event(9, "replay"),
      event(10, "polling"),
      event(5, "webhook"),
      event(20, "replay"),
      event(-1, "replay"),
      event(5, "replay", "2"),
    ]);
    report.reportClosed([], ["1"]);

    expect(recovered()).toEqual([2, 1]);
    expect(lines.at(-1)).toMatch(/caught up 1 event of/);
  });

  it("are still counted after the gap was found again", () => {
    report.reportFound([gap(0, 10)]);
    report.count([event(3, "backfill")]);
    report.reportFound([gap(0, 15)]);
    report.reportClosed([], ["1"]);

    expect(recovered()).toEqual([1]);
  });

  it("include those of the replay that other processes received", () => {
    report.reportFound([gap(0, 10), gap(20, 30), gap(0, 10, "2")]);
    report.countReplayed("1", 5, gap(15, 25));
    report.countReplayed("1", 2, undefined);
    report.countReplayed("1", 9, gap(10, 20));
    report.countReplayed("3", 9, undefined);
    report.reportClosed([], ["1", "2"]);

    expect(recovered()).toEqual([2, 5, 0]);
  });
});

describe("a lost gap", () => {
  it("is reported with its reason, and is open no longer", () => {
    report.reportFound([gap(0, 10), gap(0, 10, "2")]);
    report.reportLost(gap(0, 10), { state: "lost", reason: "too old" });

    expect(published.at(-1)).toEqual({
      type: "gap-lost",
      data: {
        account: "1",
        from: "2026-01-02T12:00:00.000Z",
        to: "2026-01-02T12:10:00.000Z",
        state: "lost",
        reason: "too old",
      },
    });
    expect(lines.at(-1)).toMatch(/^warn \| @bot1 \| 10 min.*: lost for good \| too old$/);
    expect(open()).toEqual([["2", 0, 10]]);
  });

  it("may have been read back in part", () => {
    report.reportLost(gap(0, 10), { state: "backfilled", reason: "too old" });

    expect(lines).toEqual([
      expect.stringMatching(/: messages and mentions were read back, the rest is lost \| too old$/),
    ]);
  });

  it("leaves the rest of the reported gap open if the rest is a minute or longer", () => {
    report.reportFound([gap(0, 10), gap(20, 30)]);
    report.reportLost(gap(1, 9.1), { state: "lost", reason: "too old" });
    expect(open()).toEqual([
      ["1", 0, 1],
      ["1", 20, 30],
    ]);

    report.count([event(25, "replay")]);
    report.reportLost(gap(22, 30), { state: "lost", reason: "too old" });
    report.reportClosed([], ["1"]);
    expect(published.at(-1)).toMatchObject({ type: "gap-closed", data: { events: 1 } });
  });
});
