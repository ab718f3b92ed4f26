import { expect, it } from "vitest";
import { silenceInWords, unheardPost } from "../../../src/cli/talk/silence.ts";

it("a bot that does not run is the reason, with how to start it", () => {
  const said = { kind: "dm", account: "1", person: "2", keyBegins: "message:3" } as const;
  const course = { runs: [], items: [] };

  expect(silenceInWords({ said, course, bot: "hello_bot", waitedMs: 1_000 })).toBe(
    "the bot does not run; start it with: answerback dev",
  );
});

const search = { query: "acme", account: "1" };
const month = { cap: 5, resetsOn: "2026-12-01", readAt: "2026-11-28T09:00:00.000Z" };

it.each([
  [{}, "a post reaches the bot only if it mentions @acme"],
  [
    { searches: [search], posts: { ...month, used: 4 } },
    "a post reaches the bot only if it mentions @acme, or if the query of a rule finds it",
  ],
  [
    { searches: [search], posts: { ...month, used: 5 } },
    "the monthly post cap is reached, and no posts arrive until 2026-12-01",
  ],
])("a post that did not arrive, with the status %o: %s", (status, reason) => {
  expect(unheardPost({ bot: "acme", kind: "post" }, status)).toBe(reason);
});

it.each([
  [4, "see answerback doctor"],
  [5, "the monthly post cap is reached, and no posts arrive until 2026-12-01"],
])("a reply that did not arrive, with %d of 5 posts received: %s", (used, reason) => {
  const status = { searches: [search], posts: { ...month, used } };

  expect(unheardPost({ bot: "acme", kind: "reply" }, status)).toBe(reason);
});
