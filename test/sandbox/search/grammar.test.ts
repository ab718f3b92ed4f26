import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { parseSearch } from "../../../src/sandbox/search/parse.ts";
import { SearchSyntaxError } from "../../../src/protocol/search-query/tokens.ts";
import { idsOf, startDataSandbox, type DataSandbox } from "../support/data-sandbox.ts";

const NAMES = [
  "coffee",
  "tea",
  "both",
  "tagged",
  "link",
  "jp",
  "hebrew",
  "answer",
  "quote",
  "repost",
] as const;
type Name = (typeof NAMES)[number];

let fixture: DataSandbox;
let ids: Record<Name, string>;
let alice: string;
let bob: string;
beforeAll(async () => {
  fixture = await startDataSandbox();
  [alice, bob] = [fixture.person, await fixture.user("bob")];
  const coffee = await fixture.post(alice, "I like coca-cola and coffee ☕");
  const tea = await fixture.post(bob, "Tea, please. Green tea!");
  ids = {
    coffee,
    tea,
    both: await fixture.post(alice, "tea or coffee"),
    tagged: await fixture.post(bob, "hey @alice #NoSchool $ACME"),
    link: await fixture.post(alice, "see https://docs.example.org/guide/start now"),
    jp: await fixture.post(bob, "日本語のテスト"),
    hebrew: await fixture.post(bob, "שלום"),
    answer: await fixture.post(bob, "right you are", { reply: { in_reply_to_tweet_id: coffee } }),
    quote: await fixture.post(alice, "so true", { quote_tweet_id: tea }),
    repost: "",
  };
  const response = await fixture.as(bob, "POST", `/2/users/${bob}/retweets`, { tweet_id: coffee });
  ids.repost = String(response.data["id"]);
  await fixture.as(bob, "POST", `/2/users/${bob}/likes`, { tweet_id: coffee });
});
afterAll(() => fixture.close());

async function search(query: string): Promise<string[]> {
  const response = await fixture.get(`/2/posts/search/recent?query=${encodeURIComponent(query)}`);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return idsOf(response).map((id) => NAMES.find((name) => ids[name] === id) ?? "?");
}

test.each<{ query: string; finds: Name[]; why: string }>([
  { query: "coffee", finds: ["both", "coffee"], why: "a word, the newest first, no repost" },
  { query: "COFFEE", finds: ["both", "coffee"], why: "case does not matter" },
  { query: "cola", finds: ["coffee"], why: "punctuation parts words" },
  { query: "coca-cola", finds: ["coffee"], why: "parts in a row" },
  { query: "cof", finds: [], why: "no parts of words" },
  { query: '"green tea"', finds: ["tea"], why: "a phrase" },
  { query: '"tea green"', finds: [], why: "a phrase is in order" },
  { query: "☕", finds: ["coffee"], why: "an emoji" },
  { query: "テスト", finds: ["jp"], why: "a script without spaces" },
  { query: "tea coffee", finds: ["both"], why: "a space joins" },
  { query: "tea -coffee", finds: ["tea"], why: "a hyphen negates" },
  { query: "green OR coffee", finds: ["both", "tea", "coffee"], why: "OR widens" },
  { query: "green OR tea coffee", finds: ["both", "tea"], why: "a space binds tighter than OR" },
  { query: "(green OR tea) coffee", finds: ["both"], why: "parentheses group" },
  { query: "coffee -(tea OR green)", finds: ["coffee"], why: "a group is negated as a whole" },
  { query: "#noschool", finds: ["tagged"], why: "a hashtag" },
  { query: "#no", finds: [], why: "a hashtag is matched whole" },
  { query: "@alice", finds: ["answer", "tagged"], why: "a mention, typed or of the thread" },
  { query: "$ACME", finds: ["tagged"], why: "a cashtag" },
  { query: "from:bob tea", finds: ["tea"], why: "by its author" },
  { query: "from:@bob is:reply", finds: ["answer"], why: "the at sign is allowed" },
  { query: "to:alice", finds: ["answer"], why: "replies to somebody" },
  { query: "retweets_of:alice", finds: ["repost"], why: "reposts of somebody's posts" },
  { query: "from:bob is:retweet", finds: ["repost"], why: "reposts by their author" },
  { query: "url:docs.example.org", finds: ["link"], why: "a host" },
  { query: 'url:"https://docs.example.org/guide"', finds: ["link"], why: "the start of a link" },
  { query: "from:alice has:links", finds: ["link"], why: "a flag with a clause" },
  { query: "from:alice -has:links is:quote", finds: ["quote"], why: "flags are negated too" },
  {
    query: "from:bob has:hashtags has:cashtags has:mentions",
    finds: ["tagged"],
    why: "flags join",
  },
  { query: "from:bob lang:ja", finds: ["jp"], why: "by language" },
  { query: "from:bob lang:he", finds: ["hebrew"], why: "by the new code of a language" },
  { query: "coffee min_likes:1", finds: ["coffee"], why: "by what happened to it" },
  { query: "coffee min_replies:1 min_reposts:1", finds: ["coffee"], why: "counters join" },
  { query: "tea -is:nullcast", finds: ["both", "tea"], why: "nullcast is negated" },
])("$query finds $finds: $why", async ({ query, finds }) => {
  expect(await search(query)).toEqual(finds);
});

test.each([
  { of: "conversation_id", post: "coffee", finds: ["answer", "coffee"] },
  { of: "in_reply_to_tweet_id", post: "coffee", finds: ["answer"] },
  { of: "retweets_of_tweet_id", post: "coffee", finds: ["repost"] },
  { of: "quotes_of_tweet_id", post: "tea", finds: ["quote"] },
] as const)("$of: finds $finds", async ({ of, post, finds }) => {
  expect(await search(`${of}:${ids[post]}`)).toEqual(finds);
});

describe("a faulty query", () => {
  test.each([
    { query: "coffee)", at: 7, why: "a parenthesis too many" },
    { query: "(coffee", at: 1, why: "a parenthesis too few" },
    { query: "coffee OR", at: 8, why: "nothing after OR" },
    { query: "OR coffee", at: 1, why: "nothing before OR" },
    { query: "tea and coffee", at: 5, why: "and as a word is ambiguous" },
    { query: "tea or coffee", at: 5, why: "or as a word is ambiguous" },
    { query: '"tea', at: 1, why: "an open quote" },
    { query: "colour:red", at: 1, why: "no such operator" },
    { query: "tea has:horns", at: 5, why: "no such flag" },
    { query: "tea conversation_id:x", at: 5, why: "no id" },
    { query: "from:", at: 1, why: "no value" },
    { query: "-coffee", at: 1, why: "nothing but a negation" },
    { query: "has:links", at: 1, why: "a flag is not allowed alone" },
    { query: "coffee OR is:reply", at: 1, why: "one side is not allowed alone" },
  ])("$query is refused at position $at: $why", ({ query, at: place }) => {
    expect(() => parseSearch(query)).toThrow(expect.objectContaining({ at: place }));
    expect(() => parseSearch(query)).toThrow(SearchSyntaxError);
  });

  it("is reported in the documented envelope, with its position", async () => {
    const { status, errors } = await fixture.get("/2/posts/search/recent?query=coffee)");

    expect(status).toBe(400);
    expect(errors).toEqual([
      {
        parameters: { query: ["coffee)"] },
        message: "There were errors processing your request: missing EOF at ')' (at position 7)",
      },
    ]);
  });
});
