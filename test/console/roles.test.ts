import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { COMMANDS, QUESTIONS } from "../../src/console/operations/operations.ts";
import { mayDo, RIGHTS } from "../../src/console/operations/rights.ts";
import { callRuntime } from "../../src/runtime/control/call.ts";
import type { View } from "../support/browser.ts";
import { ADMIN_TOKEN, liveBot } from "./lone-consoles.ts";
import { type SignedIn, signedInWith, signInBy } from "./signed-in.ts";

const KEY = "a-key-that-seals-the-tokens";
const TOKEN = "the-token-of-a-service";

let bot: Awaited<ReturnType<typeof liveBot>>;
let roles: Readonly<Record<"reader" | "operator", Asking>>;
beforeAll(async () => {
  bot = await liveBot({ ANSWERBACK_KEY: KEY, ORDERS_TOKEN: TOKEN });
  const { origin } = new URL(bot.link);
  const reader = await signInBy(bot.link);
  const other = await callRuntime(join(bot.folder, "data"), "openConsole", {});
  const promoted = await signInBy(other?.url ?? "");
  const unlocked = await promoted.post("/_console/unlock", { token: ADMIN_TOKEN });
  const { token }: { token: string } = JSON.parse(unlocked.text);
  roles = { reader: asking(reader), operator: asking(signedInWith(origin, token)) };
});
afterAll(() => bot.close());

interface Asking {
  ask(name: string, request: unknown): Promise<View>;
  askByLink(name: string, request: unknown): Promise<View>;
  post(path: string, body: unknown): Promise<View>;
}

/** Sends the page's queries as a signed-in browser, with parameters in the URL or in the body. */
function asking({ get, post }: SignedIn): Asking {
  return {
    post: (path, body) => post(path, Object(body)),
    ask: (name, request) => post(`/_console/ask/${name}`, Object(request)),
    askByLink: (name, request) =>
      get(`/_console/ask/${name}?with=${encodeURIComponent(JSON.stringify(request))}`),
  };
}

/** Returns a rule that sends a secret in two halves, neither of which would be redacted. */
const telling = (name: string): string => `version: 1
rules:
  - id: telling
    triggers: [dm.received]
    actions:
      - http: {url: "https://svc.test/\${{ secrets.${name}.substring(0, 3) }}~\${{ secrets.${name}.substring(3) }}"}
`;
const edit = { file: "rules/rules.yaml", text: telling("ORDERS_TOKEN") };

/** Queries that evaluate an unsaved rule text, which only operators may send. */
const OF_OPERATORS: Readonly<Record<string, unknown>> = {
  tryMessage: { text: "hello", rules: edit },
  checkEdit: edit,
  testEdit: { ...edit, events: 10 },
};
/** A valid request for each query; `{}` by default. */
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
    for (const way of ["ask", "askByLink"] as const) {
      const refused = await roles.reader[way](name, request);
      expect([refused.status, refused.text]).toEqual([
        403,
        expect.stringContaining("needs the admin token"),
      ]);
      expect((await roles.operator[way](name, request)).status).toBe(200);
    }
  });

  it.each(Object.keys(OF_OPERATORS))(
    "without one is a reader's, unless it needs one: %s",
    (name) => {
      expect(mayDo("reader", name, {})).toBe(name === "tryMessage");
      expect(mayDo("reader", name, OF_OPERATORS[name])).toBe(false);
    },
  );
});

/**
 * Queries of the console that only operators may send. The list repeats the table of rights, so that the test notices a
 * change of the table.
 */
const OPERATORS_QUESTIONS = new Set(["checkEdit", "testEdit", "consoleSessions"]);

describe("the table of rights", () => {
  it("has each operation, and no other", () => {
    const names = [...Object.keys(QUESTIONS), ...Object.keys(COMMANDS)];
    expect(Object.keys(RIGHTS).toSorted()).toEqual(names.toSorted());
  });

  it.each(Object.keys(QUESTIONS))("is held for the question %s", async (name) => {
    const request = REQUESTS[name] ?? OF_OPERATORS[name] ?? {};
    const reader = await roles.reader.ask(name, request);
    const operator = await roles.operator.ask(name, request);
    // a request without a valid body, or without the sandbox, gets a 400 or 404
    const answered = name in REQUESTS ? [200] : [200, 400, 404];
    expect(answered).toContain(operator.status);
    expect(OPERATORS_QUESTIONS.has(name) ? [403] : answered).toContain(reader.status);
  });

  it.each(Object.keys(COMMANDS))("is held for the command %s", async (name) => {
    // no operation accepts this key, so an operator who has the right gets a 400
    const request = { no_such_key: 1 };
    expect((await roles.reader.post(`/_console/do/${name}`, request)).status).toBe(403);
    expect((await roles.operator.post(`/_console/do/${name}`, request)).status).toBe(400);
  });

  it("lets readers do nothing that it does not name", () => {
    expect(["toString", "new"].map((name) => mayDo("reader", name, {}))).toEqual([false, false]);
  });
});

/** Commands that need no arguments, so that an empty request succeeds. */
const AT_ONCE = new Set(["pause", "resume", "reload", "replay"]);

it.each(Object.keys(COMMANDS).filter((name) => !AT_ONCE.has(name)))(
  "an operator is told what is wrong with a command: %s",
  async (name) => {
    const { status } = await roles.operator.post(`/_console/do/${name}`, {});
    expect([400, 404]).toContain(status);
  },
);

describe("an edited rule", () => {
  it("gets a placeholder for a secret", async () => {
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

it("a test is written only beside rule files", async () => {
  const saved = await roles.operator.post("/_console/do/saveTest", { of: "last" });
  expect(saved.status, saved.text).toBe(200);
  const [rules, moved] = [join(bot.folder, "rules"), join(bot.folder, "moved")];
  await rename(rules, moved);
  onTestFinished(() => rename(moved, rules));
  const refused = await roles.operator.post("/_console/do/saveTest", { of: "last" });
  expect([refused.status, refused.text]).toEqual([404, expect.stringContaining("no rule file in")]);
  expect(await readdir(bot.folder)).not.toContain("rules");
});
