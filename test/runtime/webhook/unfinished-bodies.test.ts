import { describe, expect, it } from "vitest";
import {
  type DropReason,
  UnfinishedBodies,
} from "../../../src/runtime/webhook/unfinished-bodies.ts";

const KIB = 1024;

/** Creates the limit for unfinished bodies, with a clock that the test moves. `dropped` lists rejected bodies. */
function bodiesIn(roomBytes: number) {
  let now = 0;
  let later: (() => void)[] = [];
  const dropped: [string, DropReason][] = [];
  const bodies = new UnfinishedBodies({
    roomBytes,
    bodyMs: 5_000,
    time: { now: () => now, after: (_ms, run) => void later.push(run) },
  });
  return {
    dropped,
    count: () => bodies.count(),
    begin: (name: string, announced = 0) =>
      bodies.begin(announced, (why) => dropped.push([name, why])),
    /** Moves the time, and runs everything that falls due. */
    pass: (ms: number): void => {
      now += ms;
      const due = later;
      later = [];
      for (const run of due) run();
    },
    waits: () => later.length,
  };
}

describe("unfinished bodies", () => {
  it("never block a new body: the oldest one is dropped for the newest", () => {
    const { begin, dropped, count } = bodiesIn(64 * KIB);
    for (const name of ["a", "b", "c", "d", "e", "f"]) begin(name);

    expect(dropped).toEqual(
      [
        ["a", "no-room"],
        ["b", "no-room"],
        ["c", "no-room"],
      ].slice(0, dropped.length),
    );
    expect(dropped.length).toBeGreaterThan(0);
    expect(count()).toBe(6 - dropped.length);
  });

  it("release their memory once when they are complete", () => {
    const { begin, dropped } = bodiesIn(40 * KIB);
    const first = begin("a");
    first.done();
    first.done();
    begin("b");
    begin("c");
    expect(dropped).toEqual([]);

    begin("d");
    expect(dropped).toEqual([["b", "no-room"]]);
  });

  it("that are large replace large ones only", () => {
    const { begin, dropped } = bodiesIn(1_000 * KIB);
    begin("small", 1_000);
    const large = ["a", "b", "c"].map((name) => begin(name, 900 * KIB));
    for (const body of large) body.grow(600 * KIB);

    expect(dropped).toEqual([
      ["a", "no-room"],
      ["b", "no-room"],
    ]);
  });

  it("that are announced as small and grow count as large from then on", () => {
    const { begin, dropped } = bodiesIn(1_000 * KIB);
    begin("small");
    const growing = [begin("a"), begin("b")];
    for (const body of growing) body.grow(600 * KIB);

    expect(dropped).toEqual([["a", "no-room"]]);
  });

  it("that arrive byte by byte count with their real memory, far more than their bytes", () => {
    const { begin, dropped } = bodiesIn(1_000 * KIB);
    const body = begin("bytewise", 100 * KIB);
    for (let i = 0; i < 5_000; i++) body.grow(1);

    expect(dropped).toEqual([["bytewise", "no-room"]]);
  });

  it("have five seconds, even if they send continuously", () => {
    const { begin, dropped, pass } = bodiesIn(1_000 * KIB);
    const slow = begin("slow");
    pass(3_000);
    slow.grow(1);
    begin("later");
    pass(1_999);
    expect(dropped).toEqual([]);
    pass(1);
    expect(dropped).toEqual([["slow", "too-slow"]]);

    pass(3_000);
    expect(dropped).toEqual([
      ["slow", "too-slow"],
      ["later", "too-slow"],
    ]);
  });

  it("are checked by a timer only while there are any", () => {
    const { begin, pass, waits } = bodiesIn(1_000 * KIB);
    expect(waits()).toBe(0);
    const body = begin("a");
    begin("b").done();
    expect(waits()).toBe(1);
    body.done();
    pass(500);

    expect(waits()).toBe(0);
  });
});
