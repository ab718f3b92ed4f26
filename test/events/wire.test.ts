import { describe, expect, test } from "vitest";
import { dateAt, flagAt, idAt, numberAt, objectsAt, textAt } from "../../src/events/wire.ts";

describe("a field of a payload", () => {
  test.each([
    { why: "text as it is", value: "a", read: textAt, gives: "a" },
    { why: "an empty text is absent", value: "", read: textAt, gives: undefined },
    { why: "a number is not text", value: 1, read: textAt, gives: undefined },
    { why: "a number as it is", value: 1.5, read: numberAt, gives: 1.5 },
    {
      why: "digits in a text are a number",
      value: "1760000000000",
      read: numberAt,
      gives: 1760000000000,
    },
    {
      why: "but not more than a number holds",
      value: "1".repeat(16),
      read: numberAt,
      gives: undefined,
    },
    { why: "nor what JSON can't have", value: Number.NaN, read: numberAt, gives: undefined },
    { why: "a flag as it is", value: false, read: flagAt, gives: false },
    { why: "a flag as text", value: "true", read: flagAt, gives: true },
    { why: "nothing else is a flag", value: 1, read: flagAt, gives: undefined },
    {
      why: "the older form of a date",
      value: "Sun Aug 15 13:32:13 +0000 2021",
      read: dateAt,
      gives: 1629034333000,
    },
    { why: "ISO 8601", value: "2021-08-15T13:32:13Z", read: dateAt, gives: 1629034333000 },
    { why: "not a date", value: "soon", read: dateAt, gives: undefined },
    { why: "objects only", value: [{ a: 1 }, 1, null, [2]], read: objectsAt, gives: [{ a: 1 }] },
    { why: "an object is not a list", value: { a: 1 }, read: objectsAt, gives: [] },
  ])("is read: $why", ({ value, read, gives }) => {
    expect(read({ field: value }, "field")).toEqual(gives);
  });

  test.each([
    { why: "as text", wire: { id: "5" }, gives: "5" },
    {
      why: "text before number",
      wire: { id: 2 ** 53, id_str: "9007199254740993" },
      gives: "9007199254740993",
    },
    { why: "a number while it is exact", wire: { id: 5 }, gives: "5" },
    { why: "not a number that has lost its end", wire: { id: 2 ** 53 }, gives: undefined },
    { why: "nothing", wire: undefined, gives: undefined },
  ])("is an id: $why", ({ wire, gives }) => {
    expect(idAt(wire)).toBe(gives);
  });
});
