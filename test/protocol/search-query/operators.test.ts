import { describe, expect, it, test } from "vitest";
import {
  checkedClause,
  QUERY_OPERATORS,
  STREAM_ONLY,
  STREAM_RULE_LENGTH,
  whyNotStreamed,
} from "../../../src/protocol/search-query/operators.ts";
import { parseQuery } from "../../../src/protocol/search-query/parse.ts";
import { SearchSyntaxError } from "../../../src/protocol/search-query/tokens.ts";
import { parseSearch } from "../../../src/sandbox/search/parse.ts";

/** Values that the operators with a syntax of their own accept. */
const VALUES: Readonly<Record<string, string>> = {
  point_radius: "[2.35 48.85 10km]",
  bounding_box: "[2 48 3 49]",
};

/** Whether a parser accepts a query. */
function accepts(parse: (query: string) => unknown, query: string): boolean {
  try {
    parse(query);
    return true;
  } catch (error) {
    if (error instanceof SearchSyntaxError) return false;
    throw error;
  }
}
const check = (query: string): unknown => parseQuery(query, checkedClause);

test.each(Object.entries(QUERY_OPERATORS))(
  "%s: stands alone in the check exactly if it does in the sandbox",
  (name, { values }) => {
    const [first] = values instanceof RegExp ? ["1"] : (values ?? [VALUES[name] ?? "1"]);

    expect(accepts(check, `${name}:${first}`)).toBe(accepts(parseSearch, `${name}:${first}`));
    expect(accepts(parseSearch, `acme ${name}:${first}`)).toBe(true);
  },
);

describe("a query", () => {
  it.each(["acme is:big", "acme nosuch:1", "acme list:x", "acme (", "-acme", "acme or x", 'a "b'])(
    "%s is refused by the check and by the sandbox",
    (query) => {
      expect([accepts(check, query), accepts(parseSearch, query)]).toEqual([false, false]);
    },
  );
});

describe("a rule of the filtered stream", () => {
  it.each([
    ["acme -is:retweet", undefined],
    ['"list: of shoes" acme', undefined],
    ["a".repeat(STREAM_RULE_LENGTH), undefined],
    ["acme list:1", "the filtered stream has no operator list:"],
    ["acme (boots OR -min_likes:5)", "the filtered stream has no operator min_likes:"],
    [
      "a".repeat(STREAM_RULE_LENGTH + 1),
      "the filtered stream accepts 1024 characters at most, and the query has 1025",
    ],
  ])("can be %s, or the reason is named", (query, why) => {
    expect(whyNotStreamed(query)).toBe(why);
  });

  it("has operators that search lacks", () => {
    expect([...STREAM_ONLY].filter((name) => Object.hasOwn(QUERY_OPERATORS, name))).toEqual([]);
  });
});
