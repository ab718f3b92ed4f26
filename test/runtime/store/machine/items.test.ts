import { describe, expect, it, test } from "vitest";
import { HELD_QUIET, type ItemStatus, type EndOfRun } from "../../../../src/runtime/store/item.ts";
import {
  clearLane,
  type ItemChange,
  moveItem,
  queueItem,
  withdraw,
} from "../../../../src/runtime/store/machine/items.ts";
import { DOUBT } from "../../../../src/runtime/store/restored.ts";
import type { RunWrite, StoredRun } from "../../../../src/runtime/store/run.ts";
import { WITHDRAWN } from "../../../../src/runtime/store/transition.ts";
import { item, run } from "../builders.ts";
import { AT, itemRow, LANE, portWith, storedRun } from "./support/rows.ts";

const STATUSES: readonly ItemStatus[] = [
  "pending",
  "sending",
  "unknown",
  "held",
  "sent",
  "failed",
  "expired",
];
const RUN = "1/rule:faq";
/** Columns of an outbox item that was never sent and does not expire. */
const FRESH = { attempts: 0, expires_at: null, settled_at: null, platform_id: null, result: null };

const waitingFor = (waitsFor: string): StoredRun => storedRun(1, { waitsFor });

describe("a queued item", () => {
  const doubt = { startedAt: 40, holdMs: 600 };

  test.each([
    { why: "nothing speaks against it", over: {}, status: "pending", reason: null },
    { why: "a limit is reached", limit: "too many", over: {}, status: "held", reason: "too many" },
    {
      why: "its run asks for it",
      over: { holdReason: HELD_QUIET },
      status: "held",
      reason: HELD_QUIET,
    },
    {
      why: "a limit is reached, whose reason wins over that of the run",
      limit: "too many",
      over: { holdReason: HELD_QUIET },
      status: "held",
      reason: "too many",
    },
  ] as const)("is $status when $why", ({ limit, over, status, reason }) => {
    const port = portWith();
    if (limit !== undefined) port.reachedLimits.set("k", limit);

    queueItem(port, item({ key: "k", notBefore: 30, ...over }), AT);

    expect(port.writes).toEqual([
      ["addItem", "k", { ...FRESH, status, reason, not_before: 30, started_at: null }],
      ["count", "k", status],
    ]);
  });

  it("is unknown, and delays its lane, if another store may have sent it, whatever the limits are", () => {
    const port = portWith();
    port.doubts.set(1, doubt);
    port.reachedLimits.set("k", "too many");

    queueItem(port, item({ key: "k", notBefore: 30, holdReason: "asked" }), AT);

    expect(port.writes).toEqual([
      [
        "addItem",
        "k",
        { ...FRESH, status: "unknown", reason: DOUBT, not_before: 630, started_at: 40 },
      ],
      ["count", "k", "unknown"],
    ]);
  });

  it("counts for no limit if it is in doubt", () => {
    const port = portWith();
    port.doubts.set(1, doubt);
    queueItem(port, item({ key: "k" }), AT);

    expect(port.reads).toEqual([["doubt", 1]]);
  });

  test.each([
    { why: "it is due and its lane is free", over: {}, status: "sending" },
    { why: "its lane has an open item", over: {}, items: [itemRow({ key: "b" })] },
    { why: "it is not due", over: { notBefore: AT + 1 } },
    { why: "its time has passed", over: { expiresAt: AT } },
    { why: "a limit is reached", over: {}, limit: "too many", status: "held" },
    { why: "it is in doubt", over: {}, doubts: [[1, doubt] as const], status: "unknown" },
    {
      why: "user state forbids it",
      over: { unless: { key: "no", reason: "no" } },
      status: "pending, then failed",
    },
  ])("that is to be sent now is $status if $why", ({ over, items = [], limit, doubts, status }) => {
    const port = portWith({ items });
    for (const [seq, one] of doubts ?? []) port.doubts.set(seq, one);
    if (limit !== undefined) port.reachedLimits.set("k", limit);
    port.state.set("no", 1);

    const queued = queueItem(port, item({ key: "k", ...over }), AT, true);

    const written = port.writes.flatMap(([method, , state]) =>
      method === "addItem" || method === "changeItem" ? [state] : [],
    );
    expect(written.map((state) => Object(state).status).join(", then ")).toBe(status ?? "pending");
    const begun = { attempts: 1, started_at: AT };
    expect(written[0]).toMatchObject(status === "sending" ? begun : { attempts: 0 });
    expect(queued).toMatchObject({ key: "k", status: Object(written[0]).status });
  });

  it("keeps the time at which it expires", () => {
    const port = portWith();
    queueItem(port, item({ key: "k", expiresAt: 900 }), AT);

    expect(port.items.get("k")?.expires_at).toBe(900);
  });

  it("is dropped, and not counted, if the account has one with its key", () => {
    const port = portWith({ runs: [waitingFor("k")], items: [itemRow()] });
    port.reachedLimits.set("k", "too many");
    port.state.set("stopped", 1);
    const unless = { key: "stopped", reason: "they asked us to stop" };

    queueItem(port, item({ key: "k", unless }), AT);

    expect(port.writes).toEqual([]);
  });

  test.each([
    { why: "it waits for the operator", holdReason: "ask me first", goesOn: true },
    { why: "it waits for the end of quiet hours", holdReason: HELD_QUIET, goesOn: false },
    { why: "it is to be sent", goesOn: false },
  ])("continues its run: $goesOn, when $why", ({ holdReason, goesOn }) => {
    const port = portWith({ runs: [waitingFor("k")] });
    queueItem(port, item({ key: "k", ...(holdReason !== undefined && { holdReason }) }), AT);

    expect(port.writes.slice(2)).toEqual(goesOn ? [["addSettled", "k"]] : []);
  });

  describe("the user state that forbids an item", () => {
    const unless = { key: "stopped", reason: "they asked us to stop" };

    it("does not affect it if there is no such value", () => {
      const port = portWith({ runs: [waitingFor("k")] });
      port.state.set("another", 1);
      queueItem(port, item({ key: "k", unless }), AT);

      expect(port.items.get("k")?.status).toBe("pending");
      expect(port.writes).toHaveLength(2);
    });

    test.each([
      { why: "pending", status: "pending" },
      { why: "held", status: "held", holdReason: HELD_QUIET },
      { why: "held for the operator", status: "held", holdReason: "ask me first" },
      { why: "in doubt", status: "unknown", isDoubtful: true },
    ])("fails it at once when it is $why, and its run continues", (row) => {
      const port = portWith({ runs: [waitingFor("k")] });
      if (row.isDoubtful === true) port.doubts.set(1, doubt);
      port.state.set("stopped", 1);
      const { holdReason } = row;
      queueItem(port, item({ key: "k", unless, ...(holdReason && { holdReason }) }), AT);

      expect(port.writes.map(([method]) => method)).toEqual([
        "addItem",
        "count",
        "changeItem",
        "addSettled",
      ]);
      expect(port.items.get("k")).toMatchObject({
        status: "failed",
        reason: "they asked us to stop",
        settled_at: AT,
        attempts: 0,
      });
    });
  });
});

describe("a moved item", () => {
  const change = (over: Partial<ItemChange> = {}): ItemChange => ({
    from: "pending",
    to: "sending",
    at: AT,
    ...over,
  });

  test.each(
    STATUSES.flatMap((from) => {
      const settled = ["sent", "failed", "expired"].includes(from);
      const becomes = !settled ? STATUSES : from === "sent" ? [] : ["pending"];
      return STATUSES.map((to) => ({ from, to, can: becomes.includes(to) ? "may" : "never" }));
    }),
  )("$from $can becomes $to", ({ from, to, can }) => {
    const row = itemRow({ status: from });
    const port = portWith({ items: [row] });

    expect(moveItem(port, row, change({ from, to }))).toBe(
      can === "may" ? "committed" : "already-done",
    );
    expect(port.items.get("k")?.status).toBe(can === "may" ? to : from);
  });

  it("stays unchanged if it has left the state in which it was read", () => {
    const row = itemRow({ status: "sending" });
    const port = portWith({ items: [row] });

    expect(moveItem(port, row, change({ from: "pending", to: "held" }))).toBe("already-done");
    expect(port.writes).toEqual([]);
  });

  test.each([
    {
      why: "sending starts an attempt",
      row: { status: "pending", attempts: 1, started_at: 10, reason: "503" },
      over: { to: "sending" },
      state: { status: "sending", attempts: 2, started_at: AT },
    },
    {
      why: "sent: it has an id and an end",
      row: { status: "sending", attempts: 2, started_at: 10 },
      over: { to: "sent", platformId: "9" },
      state: { status: "sent", attempts: 2, started_at: 10, settled_at: AT, platform_id: "9" },
    },
    {
      why: "failed: it has a reason and an end",
      row: { status: "sending" },
      over: { to: "failed", reason: "403" },
      state: { status: "failed", settled_at: AT, reason: "403" },
    },
    {
      why: "expired: it keeps its times",
      row: { expires_at: 900 },
      over: { to: "expired", reason: "too late" },
      state: { status: "expired", settled_at: AT, expires_at: 900, reason: "too late" },
    },
    {
      why: "pending again: it has no end, but another time to be sent and to be given up",
      row: { status: "failed", settled_at: 20, expires_at: 900, reason: "403" },
      over: { to: "pending", notBefore: 0, expiresAt: 0 },
      state: { status: "pending", not_before: 0, expires_at: 0 },
    },
    {
      why: "unknown: it keeps the platform's id, if it has one",
      row: { status: "sending", platform_id: "9" },
      over: { to: "unknown", notBefore: 700, reason: "cut" },
      state: { status: "unknown", not_before: 700, platform_id: "9", reason: "cut" },
    },
  ] as const)("$why", ({ row, over, state }) => {
    const before = itemRow(row);
    const port = portWith({ items: [before] });
    moveItem(port, before, change({ from: before.status, ...over }));

    expect(port.writes).toEqual([
      ["changeItem", "k", { ...FRESH, not_before: 100, started_at: null, reason: null, ...state }],
    ]);
  });

  test.each([
    { from: "held", started_at: null, becomes: { status: "unknown", started_at: 40 } },
    { from: "failed", started_at: 10, becomes: { status: "unknown", started_at: 10 } },
    { from: "expired", started_at: null, becomes: { status: "unknown", started_at: 40 } },
    { from: "sending", started_at: 10, becomes: { status: "pending", started_at: 10 } },
    { from: "unknown", started_at: 10, becomes: { status: "pending", started_at: 10 } },
  ] as const)("in doubt that was $from, and is taken up again, is $becomes.status", (row) => {
    const before = itemRow({ status: row.from, started_at: row.started_at });
    const port = portWith({ items: [before] });
    port.doubts.set(before.seq, { startedAt: 40, holdMs: 600 });
    moveItem(port, before, change({ from: row.from, to: "pending" }));

    const doubted = { not_before: AT + 600, reason: DOUBT };
    expect(port.items.get("k")).toMatchObject({
      ...row.becomes,
      ...(row.becomes.status === "unknown" && doubted),
    });
  });

  test.each([
    { why: "the operator lets it go", from: "held", to: "pending", begins: true },
    { why: "quiet hours end", from: "held", reason: HELD_QUIET, to: "pending", begins: false },
    { why: "the operator drops it", from: "held", to: "failed", begins: false },
    { why: "it is tried again", from: "failed", to: "pending", begins: false },
  ] as const)("starts its limits again: $begins, when $why", (row) => {
    const before = itemRow({ status: row.from, reason: row.from === "held" ? "too many" : null });
    const item = { ...before, ...("reason" in row && { reason: row.reason }) };
    const port = portWith({ items: [item] });
    moveItem(port, item, change({ from: row.from, to: row.to }));

    expect(port.writes.map(([method]) => method)).toEqual(
      row.begins ? ["beginAnew", "changeItem"] : ["changeItem"],
    );
  });
});

describe("the run that waits for an item", () => {
  const goesOn = (to: ItemStatus, runs: readonly StoredRun[], reason?: string): boolean => {
    const row = itemRow({ status: "sending" });
    const port = portWith({ runs, items: [row] });
    const change = {
      from: "sending",
      to,
      at: AT,
      ...(reason !== undefined && { reason }),
    } as const;
    expect(moveItem(port, row, change)).toBe("committed");
    const [changed, ...rest] = port.writes.map(([method, key]) => [method, key]);
    expect(changed).toEqual(["changeItem", "k"]);
    if (rest.length > 0) expect(rest).toEqual([["addSettled", "k"]]);
    return rest.length > 0;
  };

  test.each([
    { to: "sent", goes: true },
    { to: "failed", goes: true },
    { to: "expired", goes: true },
    { to: "held", reason: "too many", goes: true },
    { to: "held", reason: HELD_QUIET, goes: false },
    { to: "pending", goes: false },
    { to: "unknown", goes: false },
  ] as const)("continues: $goes, when the item is $to ($reason)", ({ to, goes, ...row }) => {
    expect(goesOn(to, [waitingFor("k")], "reason" in row ? row.reason : undefined)).toBe(goes);
  });

  test.each([
    { why: "it waits for another item", runs: [waitingFor("another")] },
    { why: "it waits no longer", runs: [storedRun(1, { status: "ready", waitsFor: "k" })] },
    { why: "it is another run", runs: [storedRun(2, { waitsFor: "k" })] },
  ])("does not continue when $why", ({ runs }) => {
    expect(goesOn("sent", runs)).toBe(false);
  });
});

describe("the end of a run that comes with a change of its item", () => {
  const ends = (over: Partial<RunWrite> = {}): EndOfRun => ({
    run: run(1, { lane: LANE, version: 1, ...over }),
    cancelled: ["timeout"],
  });
  const movedTo = (
    to: ItemStatus,
    stored: StoredRun,
    { end = ends(), silences = [], from = "sending" }: Partial<Ending> = {},
  ) => {
    const row = itemRow({ status: from });
    const port = portWith({ runs: [stored], items: [row] });
    port.silences.set(LANE, silences);
    const result = moveItem(port, row, { from, to, at: AT, ends: end });
    return { result, writes: port.writes.slice(1).map(([method, ...args]) => [method, args[0]]) };
  };
  interface Ending {
    readonly end: EndOfRun;
    readonly silences: readonly number[];
    readonly from: ItemStatus;
  }

  test.each(["sent", "failed", "expired"] as const)("is stored when the item is %s", (to) => {
    expect(movedTo(to, waitingFor("k"))).toEqual({
      result: "ended",
      writes: [
        ["writeRun", "1/rule:faq"],
        ["dropTimer", "timeout"],
      ],
    });
  });

  const QUEUED = { result: "committed", writes: [["addSettled", "k"]] };
  const UNTOUCHED = { result: "committed", writes: [] };
  test.each([
    { why: "the run has changed", end: ends({ version: 2 }), outcome: QUEUED },
    { why: "it is another run's", end: ends({ id: "1/rule:b" }), outcome: QUEUED },
    { why: "it is in another lane", end: ends({ lane: "100:300" }), outcome: QUEUED },
    { why: "the lane is silent", silences: [3], outcome: QUEUED },
    { why: "the run holds a slot", over: { slot: "a" }, outcome: QUEUED },
    { why: "the run waits for another item", over: { waitsFor: "b" }, outcome: UNTOUCHED },
    { why: "the run is at work", over: { status: "ready" }, outcome: UNTOUCHED },
  ] as const)("is not stored when $why", ({ outcome, ...row }) => {
    const stored = { ...waitingFor("k"), ...("over" in row && row.over) };
    const ending = { ...("end" in row && { end: row.end }), ...("silences" in row && row) };

    expect(movedTo("sent", stored, ending)).toEqual(outcome);
  });

  test.each([
    { to: "pending", outcome: UNTOUCHED },
    { to: "unknown", outcome: UNTOUCHED },
    { to: "held", outcome: QUEUED },
  ] as const)("is not stored when the item is $to", ({ to, outcome }) => {
    expect(movedTo(to, waitingFor("k"))).toEqual(outcome);
  });
});

describe("cancelled items", () => {
  const rows = [
    ...STATUSES.map((status, n) => itemRow({ id: n + 1, key: status, status })),
    itemRow({ id: 8, key: "another run", run: "2/rule:faq" }),
    itemRow({ id: 9, key: "another lane", lane: "100:300" }),
  ];
  const expired = (key: string, reason: string) => [
    "changeItem",
    key,
    {
      ...FRESH,
      status: "expired",
      not_before: 100,
      started_at: null,
      settled_at: AT,
      reason,
    },
  ];

  it("are the unsent ones of a withdrawn run", () => {
    const port = portWith({ items: rows });
    withdraw(port, RUN, AT);

    expect(port.writes).toEqual(
      ["pending", "held", "another lane"].map((key) => expired(key, WITHDRAWN)),
    );
  });

  it("are those of a cleared lane, also the ones whose outcome is unknown", () => {
    const port = portWith({ items: rows });
    clearLane(port, LANE, AT, "they asked us to stop");

    expect(port.writes).toEqual(
      ["pending", "unknown", "held", "another run"].map((key) =>
        expired(key, "they asked us to stop"),
      ),
    );
  });

  it("continue the run that waits for one of them", () => {
    const port = portWith({ runs: [waitingFor("k")], items: [itemRow()] });
    clearLane(port, LANE, AT, "they asked us to stop");

    expect(port.writes.at(-1)).toEqual(["addSettled", "k"]);
  });
});
