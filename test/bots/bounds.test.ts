import { describe, expect, test } from "vitest";
import { millisecondsOf } from "../../src/bots/durable/given-duration.ts";
import { handOverOf, type HandOverOptions } from "../../src/bots/durable/hand-over.ts";
import { plainValue } from "../../src/bots/durable/plain-value.ts";
import { RecordedCalls } from "../../src/bots/durable/recorded-calls.ts";
import { nameOfState } from "../../src/bots/durable/state-key.ts";

describe("each value of a handler is accepted up to its limit, and refused above it", () => {
  const DAY = 86_400_000;

  test.each(["0s", "1ms", "366d", "8784h"])("a duration of %s is taken", (duration) => {
    expect(millisecondsOf(duration, "the timeout")).toBeLessThanOrEqual(366 * DAY);
  });

  test.each(["367d", "8785h", "1.5h", "-1s", "soon", "", 5, null, undefined])(
    "a duration of %j is refused",
    (duration) => {
      expect(() => millisecondsOf(duration, "the timeout")).toThrow(
        /^the timeout is a duration such as/,
      );
    },
  );

  test("the length of plain data is that of its JSON", () => {
    expect(plainValue("x".repeat(8), "the value", 10)).toBe("x".repeat(8));
    expect(() => plainValue("x".repeat(9), "the value", 10)).toThrow(
      /11 characters as JSON, and 10/,
    );
  });

  test.each([null, true, 1.5, "", [], {}, [null], { a: undefined }, Object.create(null)])(
    "plain data is %j",
    (value) => expect(() => plainValue(value, "the value", 100)).not.toThrow(),
  );

  test.each([
    { why: "no number", value: Number.NaN },
    { why: "no end", value: { a: Infinity } },
    { why: "a function", value: [() => 1] },
    { why: "a date", value: new Date(0) },
    { why: "a map", value: new Map() },
    { why: "a hole", value: [undefined] },
    { why: "an empty place", value: { list: Object.assign([], { 1: "b" }) } },
    { why: "a list with a field", value: /(?<word>a)/.exec("a") },
    { why: "a big number", value: 1n },
    { why: "a class without a constructor", value: Object.create({ constructor: undefined }) },
    { why: "a class whose name is no text", value: Object.create({ constructor: { name: 5 } }) },
  ])("plain data is refused: it has $why", ({ value }) => {
    expect(() => plainValue(value, "the value", 100)).toThrow(/give plain data, as JSON has it/);
  });

  test.each(["a", "_a", "A1_", "a".repeat(64)])("a name of state is %s", (name) => {
    expect(nameOfState(name)).toBe(name);
  });

  test.each(["", "1a", "a-b", "a.b", "a".repeat(65), "ä", 5])(
    "a name of state is refused: %j",
    (name) => expect(() => nameOfState(name)).toThrow(/a name of state is 1 to 64 letters/),
  );

  test.each(["a", "Größe 5: 🎲", "x".repeat(100)])("a call has the name %j", (name) => {
    expect(new RecordedCalls([], () => 0).take("step", name)).toMatchObject({ place: 0 });
  });

  test.each(["", "x".repeat(101), "a\nb", "a\u202eb"])("a call's name is refused: %j", (name) => {
    expect(() => new RecordedCalls([], () => 0).take("step", name)).toThrow(
      /a name is 1 to 100 characters/,
    );
  });

  test("a handler may make a thousand calls, and no more", () => {
    const calls = new RecordedCalls([], () => 0);
    for (let n = 0; n < 1_000; n += 1) calls.take("act", "reply_dm");

    expect(() => calls.take("act", "reply_dm")).toThrow(/1000 things at most/);
  });
});

describe("a hand-over", () => {
  const noteOf = (options: HandOverOptions, note = "look") => handOverOf(note, options, "greeter");

  test.each<{ why: string; options: HandOverOptions; note?: string }>([
    { why: "nothing but its note", options: {} },
    { why: "a queue of 64 characters", options: { queue: "q".repeat(64) } },
    { why: "the longest evidence", options: { evidence: "x".repeat(19_998) } },
    { why: "the longest pause", options: { pauseBot: { for: "366d" } } },
    { why: "a pause until a person says so", options: { pauseBot: { until: "resolved" } } },
    { why: "every priority", options: { priority: "urgent" } },
  ])("is taken with $why", ({ options }) => {
    expect(noteOf(options)).toMatchObject({ queue: options.queue ?? "greeter", note: "look" });
  });

  test.each<{ why: string; options: HandOverOptions; says: RegExp }>([
    { why: "a queue of 65 characters", options: { queue: "q".repeat(65) }, says: /queue/ },
    { why: "a queue without a name", options: { queue: "" }, says: /queue/ },
    { why: "evidence that is longer", options: { evidence: "x".repeat(19_999) }, says: /20000/ },
    { why: "a pause without an end", options: { pauseBot: {} }, says: /how long/ },
    { why: "a pause that is longer", options: { pauseBot: { for: "367d" } }, says: /366d at most/ },
    { why: "a priority that there isn't", options: JSON.parse('{"priority":"now"}'), says: /now/ },
  ])("is refused with $why", ({ options, says }) => {
    expect(() => noteOf(options)).toThrow(says);
  });

  test.each([
    { length: 2_000, shown: "x".repeat(2_000) },
    { length: 2_001, shown: `${"x".repeat(1_999)}…` },
  ])("keeps its note, or its beginning: $length characters", ({ length, shown }) => {
    expect(noteOf({}, "x".repeat(length)).note).toBe(shown);
  });

  test.each(["", " \n"])("is refused without a note: %j", (note) => {
    expect(() => noteOf({}, note)).toThrow(/what a person should know/);
  });
});
