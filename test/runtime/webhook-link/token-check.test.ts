import { expect, it } from "vitest";
import { refusalOf } from "../../../src/client/http/problem.ts";
import { lostPermission } from "../../../src/runtime/webhook-link/token-check.ts";

const refused = (status: number, body: object) =>
  refusalOf(body, {
    endpoint: "GET /x",
    status,
    headers: { "x-access-level": "read" },
    safe: true,
    afterUnknown: false,
    redact: (text) => text,
  });
const type = "https://api.example.com/2/problems/oauth1-permissions";

it.each([
  {
    why: "tokens that ended",
    error: refused(401, { title: "Unauthorized" }),
    words:
      "the permission level changed, or the tokens were revoked: run `answerback login --username bot`",
  },
  {
    why: "tokens that keep a lower level",
    error: refused(403, { title: "Forbidden", type }),
    words:
      "the permission level changed: run `answerback login --username bot`, with the app at the level for direct messages; the tokens have read",
  },
  { why: "any other refusal", error: refused(403, { title: "Forbidden" }), words: undefined },
])("the advice is $words for $why", ({ error, words }) => {
  expect(lostPermission(error, "bot")).toBe(words);
});
