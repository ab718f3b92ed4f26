import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS, QUESTIONS } from "../../src/console/operations/operations.ts";
import { Browser, type View } from "../support/browser.ts";
import { ADMIN_TOKEN, liveBot } from "./lone-consoles.ts";

const KEY = "a-key-that-seals-the-tokens";
const TOKEN = "the-token-of-a-service";

let bot: Awaited<ReturnType<typeof liveBot>>;
let roles: Readonly<Record<"reader" | "operator", Asking>>;
beforeAll(async () => {
  bot = await liveBot({ ANSWERBACK_KEY: KEY, ORDERS_TOKEN: TOKEN });
  const browser = new Browser();
  await browser.open(bot.link);
  const reader = await asking(browser);
  const unlocked = new Browser();
  for (const [name, value] of browser.cookies) unlocked.cookies.set(name, value);
  const before = await asking(unlocked);
  await before.post("/_console/unlock", { token: ADMIN_TOKEN });
  roles = { reader, operator: await asking(unlocked) };
});
afterAll(() => bot.close());

interface Asking {
  ask(name: string, request: unknown): Promise<View>;
  asked(name: string, request: unknown): Promise<View>;
  post(path: string, body: unknown): Promise<View>;
}

/** What a signed-in browser asks, in its address or in a body. */
async function asking(browser: Browser): Promise<Asking> {
  const { origin } = new URL(bot.link);
  const { text } = await browser.open(`${origin}/_console/session`);
  const { commandToken }: { commandToken: string } = JSON.parse(text);
  const headers = { "content-type": "application/json", origin, "x-console-token": commandToken };
  const post = (path: string, body: unknown): Promise<View> =>
    browser.open(`${origin}${path}`, { method: "POST", body: JSON.stringify(body), headers });
  return {
    post,
    ask: (name, request) => post(`/_console/ask/${name}`, request),
    asked: (name, request) =>
      browser.open(
        `${origin}/_console/ask/${name}?with=${encodeURIComponent(JSON.stringify(request))}`,
      ),
  };
}

/** A rule that sends two halves of a secret, which are cut out nowhere. */
const telling = (name: string): string => `version: 1
rules:
  - id: telling
    triggers: [dm.received]
    actions:
      - http: {url: "https://svc.test/\${{ secrets.${name}.substring(0, 3) }}~\${{ secrets.${name}.substring(3) }}"}
`;
const edit = { file: "rules/rules.yaml", text: telling("ORDERS_TOKEN") };

/** Questions that evaluate a text that is in no file. */
const OF_OPERATORS: Readonly<Record<string, unknown>> = {
  tryMessage: { text: "hello", rules: edit },
  checkEdit: edit,
  testEdit: { ...edit, events: 10 },
};
/** A request that each of the others understands; `{}` unless given. */
const REQUESTS: Readonly<Record<string, unknown>> = {
  tryMessage: { text: "hello" },
  sayAgain: { count: 3 },
  runAgain: { of: "last", text: "hello" },
  rulesOverview: { hours: 1 },
  ruleFile: { file: "rules/rules.yaml" },
  trace: { of: "last" },
  compareTraces: { of: "last", with: "last" },
  sharedTrace: { of: "last", texts: true },
  neighbours: { seq: 1 },
  find: { text: "hours" },
};

describe("a question", () => {
  it.each(Object.keys(OF_OPERATORS))("with an edited text is an operator's: %s", async (name) => {
    const request = OF_OPERATORS[name];
    for (const way of ["ask", "asked"] as const) {
      const refused = await roles.reader[way](name, request);
      expect([refused.status, refused.text]).toEqual([
        403,
        expect.stringContaining("needs the admin token"),
      ]);
      expect((await roles.operator[way](name, request)).status).toBe(200);
    }
  });

  it.each(Object.keys(QUESTIONS).filter((name) => !["checkEdit", "testEdit"].includes(name)))(
    "that evaluates nothing of its own is answered for a reader: %s",
    async (name) => {
      const { status } = await roles.reader.ask(name, REQUESTS[name] ?? {});
      // without a request that it understands, or the sandbox, it says so
      expect(name in REQUESTS ? [200] : [200, 400, 404]).toContain(status);
    },
  );
});

it.each(Object.keys(COMMANDS))("a command is an operator's: %s", async (name) => {
  expect((await roles.reader.post(`/_console/do/${name}`, {})).status).toBe(403);
});

/** Commands that begin without being told anything. */
const AT_ONCE = new Set(["pause", "resume", "reload", "replay"]);

it.each(Object.keys(COMMANDS).filter((name) => !AT_ONCE.has(name)))(
  "an operator is told what is wrong with a command: %s",
  async (name) => {
    const { status } = await roles.operator.post(`/_console/do/${name}`, {});
    expect([400, 404]).toContain(status);
  },
);

describe("an edited rule", () => {
  it("gets a stand-in for a secret", async () => {
    const { text } = await roles.operator.ask("tryMessage", { text: "hello", rules: edit });
    const { notAsked }: { notAsked: readonly string[] } = JSON.parse(text);
    expect(notAsked).toEqual(["GET https://svc.test/<se~cret ORDERS_TOKEN>"]);
  });

  it.each(["ORDERS_TOKEN", "ANSWERBACK_KEY", "APP_SECRET", "ADMIN"])(
    "shows nothing of %s",
    async (name) => {
      const request = { file: edit.file, text: telling(name) };
      const { text } = await roles.operator.ask("tryMessage", { text: "hello", rules: request });
      const tested = await roles.operator.ask("testEdit", { ...request, events: 10 });
      for (const value of [KEY, TOKEN, bot.consumerSecret, ADMIN_TOKEN]) {
        expect(`${text}${tested.text}`).not.toContain(value.slice(3));
      }
    },
  );
});

it("a test is written beside rule files only", async () => {
  const saved = await roles.operator.post("/_console/do/saveTest", { of: "last" });
  expect(saved.status, saved.text).toBe(200);
  await rename(join(bot.folder, "rules"), join(bot.folder, "moved"));
  const refused = await roles.operator.post("/_console/do/saveTest", { of: "last" });
  expect([refused.status, refused.text]).toEqual([404, expect.stringContaining("no rule file in")]);
  expect(await readdir(bot.folder)).not.toContain("rules");
});
