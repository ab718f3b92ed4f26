import { beforeEach, describe, expect, it } from "vitest";
import type { DeliveryChange } from "../../../src/runtime/catchup/delivery-watch.ts";
import { openLog } from "../../../src/runtime/log.ts";
import type { Colleague, ReceptionNote } from "../../../src/host/roles/colleague.ts";
import { followReceivers, type Receivers } from "../../../src/host/roles/receivers.ts";
import type { Arrival } from "../../../src/runtime/webhook-link/arrivals.ts";
import { type HandClock, handClock } from "../../support/hand-clock.ts";

const SECOND = 1_000;
/** Maximum age in milliseconds of a process's row (its heartbeat) when another process reads the row. */
const NOTE_AGE = 2 * SECOND;

let clock: HandClock;
/** Milliseconds by which the platform's clock is ahead of real time, after jumps of a sandbox's clock. */
let jumped: number;
let look: (all: readonly Colleague[]) => void;
let receivers: Receivers;
let arrived: (Arrival & { readonly at: number })[];
let replayed: [Readonly<Record<string, number>>, number][];
let changes: DeliveryChange[];
beforeEach(() => {
  clock = handClock();
  jumped = 0;
  arrived = [];
  replayed = [];
  changes = [];
  receivers = followReceivers({
    onSeen(listener) {
      look = listener;
      return () => {};
    },
    self: "leader",
    clock,
    monotonic: () => clock.now() - jumped,
    log: openLog({ level: "silent" }),
    onArrived: (arrival, at) => void arrived.push({ ...arrival, at }),
    onReplayed: (fresh, seen) => void replayed.push([Object.fromEntries(fresh), seen]),
  });
});

const NOTHING: ReceptionNote = {
  steadyMs: 60 * SECOND,
  challenges: 0,
  challengesRefused: 0,
  hints: 0,
  deliveries: 0,
  accounts: {},
  replayed: {},
  known: 0,
};

function process(name: string, reception?: Partial<ReceptionNote>, isLeaving = false): Colleague {
  return {
    name,
    role: reception === undefined ? "worker" : "receiver",
    pid: 1,
    startedAt: "",
    rules: "",
    leases: [],
    isLeaving,
    ...(reception !== undefined && { reception: { ...NOTHING, ...reception } }),
  };
}

/** Makes the webhook link report that the platform has long been delivering the account's events. */
function linked(): void {
  receivers
    .watch({
      onReachable(listener) {
        listener({ account: "100", reachable: true, since: 0 });
        return () => {};
      },
    })
    .onReachable((change) => void changes.push(change));
}

describe("deliveries are received", () => {
  it("only from the start of a receiver on, without a break", () => {
    linked();
    look([process("leader")]);
    expect(changes).toEqual([]);
    look([process("leader"), process("r1", { steadyMs: 5 * SECOND })]);

    // No receiver ran at the previous heartbeat, so `since` is not earlier than that heartbeat.
    expect(changes).toEqual([{ account: "100", reachable: true, since: clock.now() - NOTE_AGE }]);
  });

  it("no longer once the last receiver has stopped", () => {
    look([process("r1", {})]);
    linked();
    look([process("r1", {}, true)]);

    expect(changes).toMatchObject([
      { reachable: true },
      { account: "100", reachable: false, since: clock.now() - NOTE_AGE },
    ]);
  });

  it("without a break if one of several stops", () => {
    look([process("r1", {}), process("r2", {})]);
    linked();
    look([process("r1", {}, true), process("r2", {})]);
    look([process("r2", {})]);

    expect(changes).toMatchObject([{ reachable: true }]);
  });

  it("not certainly while a dead receiver was not noticed yet", () => {
    look([process("r1", {}), process("r2", {})]);
    linked();
    const last = clock.now();
    clock.advance(5 * SECOND);
    look([process("r2", {})]);

    expect(changes.slice(1)).toMatchObject([
      { reachable: false, since: last - NOTE_AGE },
      { reachable: true, since: clock.now() },
    ]);
  });

  it("not certainly while a receiver was cut off, even if it is back", () => {
    look([process("r1", {})]);
    linked();
    const last = clock.now();
    clock.advance(30 * SECOND);
    look([process("r1", { steadyMs: 3 * SECOND })]);

    expect(changes.slice(1)).toMatchObject([
      { reachable: false, since: last - NOTE_AGE },
      { reachable: true, since: clock.now() },
    ]);
  });

  it("without a break if the platform's clock was moved", () => {
    look([process("r1", {})]);
    linked();
    jumped = 3_600 * SECOND;
    clock.advance(jumped + SECOND);
    look([process("r1", { steadyMs: 61 * SECOND })]);

    expect(changes).toMatchObject([{ reachable: true }]);
  });

  it("without a break if the leader could not check for a while", () => {
    look([process("r1", {})]);
    linked();
    clock.advance(30 * SECOND);
    look([process("r1", { steadyMs: 90 * SECOND })]);

    expect(changes).toMatchObject([{ reachable: true }]);
  });
});

describe("an arrival at another process", () => {
  it("is reported once, with a time no later than its arrival", () => {
    look([process("r1", { deliveries: 1, lastDeliveryMs: 10 * SECOND })]);
    arrived = [];
    const note = { deliveries: 2, lastDeliveryMs: 100, accounts: { "100": 100 }, challenges: 1 };
    look([process("r1", note)]);
    look([process("r1", note)]);

    const at = clock.now() - NOTE_AGE;
    expect(arrived).toEqual([
      { kind: "challenge", answered: true, isFromPlatform: false, at },
      { kind: "delivery", account: "100", at: at - 100 },
    ]);
  });

  it("is not reported for this process itself", () => {
    look([process("leader", { deliveries: 1 })]);
    look([process("leader", { deliveries: 2, accounts: { "100": 1 } })]);

    expect(arrived).toEqual([]);
  });

  it("is also reported if it was refused since the last note", () => {
    look([process("r1", { refused: { "100": 3 } })]);
    look([process("r1", { refused: { "100": 5, "": 1 } })]);
    look([process("r1", { refused: { "100": 5, "": 1 } })]);

    const at = clock.now() - NOTE_AGE;
    expect(arrived).toHaveLength(2);
    expect(arrived).toEqual(
      expect.arrayContaining([
        { kind: "refused", account: "100", at },
        { kind: "refused", account: "", at },
      ]),
    );
  });

  it("counts even if a replay brought it", () => {
    look([process("r1", { replayed: { "100": 3 }, known: 1 })]);
    look([process("r1", { replayed: { "100": 5, "200": 1 }, known: 4 })]);
    look([process("r1", { replayed: { "100": 5, "200": 1 }, known: 4 })]);

    expect(replayed).toEqual([[{ "100": 2, "200": 1 }, 3]]);
  });
});
