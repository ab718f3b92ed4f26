import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Json } from "../../../src/protocol/json.ts";
import { addedTo } from "../../../src/rules/decide/counted.ts";
import { countKey } from "../../../src/rules/schema/state-keys.ts";
import { messageReceived } from "../../support/events.ts";

const WINDOW = 20;

/** Counts events at these times in a sliding window. Returns the times at which the count rises to `number`. */
function reachedAt(number: number, times: readonly number[], first?: Json): readonly number[] {
  let stored: Json | undefined = first;
  return times.flatMap((at) => {
    const added = addedTo(stored, { at, event: `e${at}`, person: "1", windowMs: WINDOW });
    stored = added.value;
    return added.reached && added.count === number ? [at] : [];
  });
}

describe("the trigger for a count that reaches a number", () => {
  test.each([
    { why: "a steady pace, once", number: 4, times: [0, 6, 12, 18, 24, 30, 36, 42], at: [18] },
    { why: "a pace above it, once", number: 3, times: [0, 4, 8, 12, 16, 20, 24, 28], at: [8] },
    { why: "a higher number by itself", number: 5, times: [0, 4, 8, 12, 16, 20], at: [16] },
    { why: "again after a pause", number: 3, times: [0, 1, 2, 3, 50, 51, 52, 53], at: [2, 52] },
    {
      why: "again once it has fallen below",
      number: 4,
      times: [0, 1, 2, 3, 22, 40, 41, 42, 43],
      at: [3, 43],
    },
    { why: "not again within the window", number: 4, times: [0, 6, 12, 18, 25, 33, 36], at: [18] },
    {
      why: "the first number after each pause",
      number: 1,
      times: [0, 5, 30, 35, 70],
      at: [0, 30, 70],
    },
    { why: "at the end of the window", number: 2, times: [0, 20, 40, 59], at: [59] },
  ])("$why", ({ number, times, at }) => {
    expect(reachedAt(number, times)).toEqual(at);
  });

  it("starts at most once in a window, at any pace", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(15), { maxLength: 60 }),
        fc.integer({ min: 1, max: 6 }),
        (gaps, number) => {
          let at = 0;
          const times = gaps.map((gap) => (at += gap + 1));
          const reached = reachedAt(number, times);
          for (const [index, time] of reached.entries()) {
            expect(time - (reached[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(WINDOW);
          }
        },
      ),
    );
  });

  it("also uses counts that an earlier version stored", () => {
    expect(
      reachedAt(
        3,
        [10, 12],
        [
          [5, "a"],
          [6, "b"],
        ],
      ),
    ).toEqual([10]);
    expect(
      reachedAt(
        2,
        [10, 12],
        [
          [5, "a"],
          [6, "b"],
        ],
      ),
    ).toEqual([]);
    expect(reachedAt(1, [10], ["nonsense", [1], null])).toEqual([10]);
  });

  it("counts to a thousand at most", () => {
    const times = Array.from({ length: 1_010 }, (_, index) => index / 1_000);

    expect(reachedAt(1_000, times)).toEqual([times[999]]);
  });

  it("stores the latest thousand events only", () => {
    let stored: Json | undefined;
    for (let at = 1; at <= 1_001; at += 1) {
      stored = addedTo(stored, { at, event: `e${at}`, person: "", windowMs: 5_000 }).value;
    }

    expect(stored).toHaveLength(1_000);
    expect(stored).toHaveProperty([0, 0], 2);
  });
});

describe("counted people", () => {
  it("are counted once each, and stored without their ids", () => {
    let stored: Json | undefined;
    const people = ["1001", "1002", "1001", "1003"].map((person, at) => {
      const added = addedTo(stored, { at, event: `e${at}`, person, windowMs: WINDOW });
      stored = added.value;
      return added.people;
    });

    expect(people).toEqual([1, 2, 2, 3]);
    expect(JSON.stringify(stored)).not.toMatch(/100[123]/);
  });
});

describe("the state of a count with a key", () => {
  const event = messageReceived();

  test.each(["a/person/200", "200", "\u{d800}", "~"])(
    "does not split a text at slashes: %j",
    (text) => {
      const key = countKey("votes", "account", event, text);

      expect(key.split("/")).toHaveLength(5);
      expect(key).toMatch(/^count\/votes\/100\/text\/~/);
    },
  );
});

it("counts events of forgotten people, without their names or ids", () => {
  const stored = [
    [1, "", "", 0],
    [2, "e2", "", 0],
  ];
  const added = addedTo(stored, { at: 3, event: "e3", person: "1", windowMs: WINDOW });

  expect(added).toMatchObject({ count: 3, people: 1, events: ["e2", "e3"] });
});
