import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { liveBot } from "./lone-consoles.ts";
import { signInBy } from "./signed-in.ts";

const DEEP = 200_000;
const BODIES = [
  { what: "a body of another type", body: "{}", type: "text/plain", status: 415 },
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

it.each(BODIES)(
  "the console refuses $what with $status",
  async ({ body, type = "application/json", status }) => {
    const { origin } = new URL(bot.link);
    const answer = await fetch(`${origin}/_console/ask/traces`, {
      method: "POST",
      body,
      headers: { "content-type": type, origin, authorization: `Bearer ${token}` },
    });

    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { code: "invalid-request" } });
  },
);

/** Module of the page with `ask`, which sends a question to the server. */
const PAGE_API = new URL("../../src/console/page/asking/api.ts", import.meta.url).href;

it("the page's questions arrive however long they are, in any script", async () => {
  const { origin } = new URL(bot.link);
  const api: { readonly ask: (name: string, request: object) => Promise<object> } = await import(
    /* @vite-ignore */ PAGE_API
  );
  const { fetch: send } = globalThis;
  vi.stubGlobal("localStorage", { getItem: () => token });
  vi.stubGlobal("fetch", (path: string, { headers, ...init }: RequestInit) =>
    send(`${origin}${path}`, { ...init, headers: { ...(headers as object), origin } }),
  );
  try {
    const text = "営".repeat(1_900);

    expect(await api.ask("find", { text: "営" })).toEqual([]);
    expect(await api.ask("tryMessage", { text })).toMatchObject({ trace: {} });
  } finally {
    vi.unstubAllGlobals();
  }
});
