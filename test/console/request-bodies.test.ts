import { afterAll, beforeAll, expect, it } from "vitest";
import { liveBot } from "./lone-consoles.ts";
import { signInBy } from "./signed-in.ts";

const DEEP = 200_000;
const BODIES = [
  { what: "lists nested 200,000 deep", body: "[".repeat(DEEP) + "]".repeat(DEEP), status: 400 },
  {
    what: "a value nested 101 deep",
    body: `{"a":${"[".repeat(100)}${"]".repeat(100)}}`,
    status: 400,
  },
  { what: "no JSON", body: '{"a":', status: 400 },
  { what: "five megabytes", body: JSON.stringify({ a: "x".repeat(5_000_000) }), status: 413 },
];

let bot: Awaited<ReturnType<typeof liveBot>>;
let token: string;
beforeAll(async () => {
  bot = await liveBot({});
  ({ token } = await signInBy(bot.link));
});
afterAll(() => bot.close());

it.each(BODIES)("the console refuses $what with $status", async ({ body, status }) => {
  const { origin } = new URL(bot.link);
  const answer = await fetch(`${origin}/_console/ask/traces`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", origin, authorization: `Bearer ${token}` },
  });

  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ error: { code: "invalid-request" } });
});
