import { describe, expect, it } from "vitest";
import { readWhere } from "../../../src/sandbox/control/where.ts";

const LIKE = `{"for_user_id":"7","favorite_events":[{"id":"a","favorited_status":{"id":1440000000000000003,"text":"x = \\"1440000000000000003"}},{"id":"b","timestamp_ms":null}]}`;

describe("a condition on a body", () => {
  it.each([
    ["for_user_id", true, "a name alone: it is there"],
    ["nobody", false, "it is not there"],
    ["for_user_id = 7", true, "texts"],
    ["for_user_id=8", false, "without spaces"],
    ['$.for_user_id = "7"', true, "with a root, and quoted"],
    ["favorite_events[1].id = b", true, "an index"],
    ["favorite_events[2].id", false, "beyond the end"],
    ["favorite_events.id = b", true, "any element of an array"],
    ["*.favorited_status.id = 1440000000000000003", true, "an id that is a large number"],
    ["*.favorited_status.id = 1440000000000000004", false, "one that a double can't tell from it"],
    ["favorite_events[*].timestamp_ms = null", true, "null"],
    ["for_user_id != 7", false, "it is equal"],
    ["for_user_id != 8", true, "it is there and another"],
    ["nobody != 8", false, "it is not there at all"],
    ["favorite_events = 1", false, "no value"],
  ])("%s: %s, %s", (where, fits, _why) => {
    expect(readWhere(where)(LIKE)).toBe(fits);
  });

  it("matches no body that is not JSON", () => {
    expect(readWhere("a")("")).toBe(false);
    expect(readWhere("a")("a=1")).toBe(false);
  });

  it.each([
    ["", "where: write a path, as in"],
    [" = 1", "where: write a path, as in"],
    ["a..b", `where: "..b" at 2 is no step`],
    ["a[x]", `where: "[x]" at 2 is no step: write .name, [0], [*] or .*`],
    ["[0]", `where: "[0]" at 1 is no step`],
    ["a b", `where: " b" at 2 is no step`],
    ["a =", "where: write a value after ="],
    ["a ! 1", "where: write = or != before ! 1"],
  ])("says what is wrong with %j", (where, message) => {
    expect(() => readWhere(where)).toThrow(message);
  });
});
