import { describe, expect, it, test } from "vitest";
import {
  checkedClause,
  OPERATOR_ALIASES,
  QUERY_OPERATORS,
  queryOperator,
  STREAM_ONLY,
  STREAM_RULE_LENGTH,
  whyNotStreamed,
} from "../../../src/protocol/search-query/operators.ts";
import { parseQuery } from "../../../src/protocol/search-query/parse.ts";
import { SearchSyntaxError } from "../../../src/protocol/search-query/tokens.ts";
import { parseSearch } from "../../../src/sandbox/search/parse.ts";

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
const both = (query: string): readonly boolean[] => [
  accepts(check, query),
  accepts(parseSearch, query),
];

test.each([...Object.keys(QUERY_OPERATORS), ...Object.keys(OPERATOR_ALIASES)])(
  "%s: the check and the sandbox accept its example, alone only if it stands alone",
  (name) => {
    const { standalone, example } = queryOperator(name) ?? {};

    expect(both(`acme ${name}:${example}`)).toEqual([true, true]);
    expect(both(`${name}:${example}`)).toEqual([standalone, standalone]);
  },
);

// Examples of the live service's page about search operators, with other names and numbers.
describe("a query that the platform accepts", () => {
  it.each([
    "point_radius:[2.355128 48.861118 16km] OR point_radius:[174.761 -41.287336 20mi]",
    "bounding_box:[-105.301758 39.964069 -105.178505 40.09455]",
    "geo_bounding_box:[-105.301758 39.964069 -105.178505 40.09455]",
    "place_country:US OR place_country:MX",
    'place:"new york city" OR place:seattle OR place:fd70c22040963ac7',
    "retweets_of_status_id:1539382664746020864",
    "quotes_of_status_id:1539382664746020864",
    "kittens has:media_link -is:nullcast",
    "(acme OR shoes) -(is:nullcast is:reply)",
    "cats lang:zh-TW",
    "cats lang:he OR cats lang:id",
    "cats lang:hi-Latn",
    'entity:"Michael Jordan" OR context:10.799022225751871488',
  ])("%s is accepted by the check and by the sandbox", (query) => {
    expect(both(query)).toEqual([true, true]);
  });
});

describe("a query that the platform refuses", () => {
  it.each([
    "acme is:big",
    "acme nosuch:1",
    "acme list:x",
    "acme (",
    "-acme",
    "acme or x",
    'a "b',
    "acme is:nullcast",
    "acme -(-is:nullcast)",
    "acme lang:english",
    "acme lang:iw",
    "acme lang:in",
    "point_radius:[2.35 48.86 41km]",
    "point_radius:[2.35 98.86 10km]",
    "point_radius:[2.35 48.86 10]",
    "point_radius:[2.35 48.86 1 10km]",
    "point_radius:[a b 10km]",
    "bounding_box:[2.4 48.8 2.2 48.9]",
    "bounding_box:[0 40 10 50]",
    "bounding_box:[2.2 48.8 2.4]",
    "acme constructor:1",
  ])("%s is refused by the check and by the sandbox", (query) => {
    expect(both(query)).toEqual([false, false]);
  });
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
