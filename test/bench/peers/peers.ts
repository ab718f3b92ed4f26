import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "../../../src/index.ts";
import { loadSettings } from "../../../src/config/load-settings.ts";
import { writeSandboxFile } from "../../../src/runtime/platform/sandbox-file.ts";
import { seedSandbox } from "../../../src/runtime/platform/seed-sandbox.ts";
import { type RunningSandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { ownAddress } from "../../support/own-address.ts";
import { type Child, startChild } from "../child.ts";
import type { Benchmark } from "../main.ts";
import { openWay, type Way } from "./way.ts";

const HOUR_MS = 3_600_000;
/** Number of messages before the bot is killed; `WHILE_OFF` is the number of messages while it is off. */
const BEFORE = 10;
const WHILE_OFF = 10;
/** Real milliseconds without a new message after which a bot counts as done. */
const QUIET_MS = 3_000;
/** Milliseconds between two repeated deliveries: longer than an answer takes. */
const APART_MS = 250;

/** A bot under comparison. */
interface Side {
  readonly account: string;
  readonly way: Way;
  /** Starts the bot's process. @param aheadMs Milliseconds by which the platform's clock is ahead of the machine's. */
  start(aheadMs: number): Promise<Child>;
  close(): Promise<void>;
}

interface Outcome {
  /** Messages answered after one delivery. */
  readonly answered: number;
  readonly lost: number;
  /** Lost messages that were answered after a second delivery, which in production might never be requested. */
  readonly late: number;
  /** Answers to messages that already had one. */
  readonly doubled: number;
}

type Strategy = "drop" | "queue" | "concurrent";

/**
 * Compares one bot of the Chat SDK on this project's runtime and alone, with the same handler and on one sandbox. One
 * person sends twenty messages in a burst. In the middle of the burst, the process is killed as by `kill -9`, and stays
 * off for an hour. After that, the deliveries that it had acknowledged are delivered a second time.
 */
export const peers: Benchmark = {
  name: "peers",
  about:
    "a bot of the Chat SDK on our runtime and by itself: a burst, kill -9, an hour off, duplicates",
  async run(say) {
    const sandbox = await startSandbox({ seed: "peers", settings: { limits: { enabled: false } } });
    try {
      const outcomes: Record<string, Outcome> = {};
      const sides = {
        ours: () => ours(sandbox),
        // the Chat SDK's default: a message that arrives while a handler runs is dropped
        chat: () => byItself(sandbox, "drop"),
        // handles the latest of the messages that arrived while a handler ran; the handler gets the others as "skipped"
        chat_queue: () => byItself(sandbox, "queue"),
        // handles all messages at once, in no order
        chat_concurrent: () => byItself(sandbox, "concurrent"),
      };
      for (const [name, open] of Object.entries(sides)) {
        const outcome = await scenario(sandbox, await open());
        outcomes[name] = outcome;
        say(`${name.padEnd(16)} ${JSON.stringify(outcome)}`);
      }
      return { figures: figuresOf(outcomes), table: tableOf(outcomes) };
    } finally {
      await sandbox.close();
    }
  },
};

async function scenario(sandbox: RunningSandbox, side: Side): Promise<Outcome> {
  const { control } = sandbox;
  const person = await control.user(`ana_${side.account.slice(-10)}`, { name: "Ana" });
  const sends = async (from: number, count: number): Promise<void> => {
    for (let n = from; n < from + count; n += 1) {
      await control.act(person, { type: "dm", to: side.account, text: `message ${n}` });
    }
  };
  const said = () => answersOf(sandbox, side.account);
  let bot: Child | undefined;
  try {
    bot = await side.start(await ahead(sandbox));
    await sends(1, BEFORE);
    // Kill the bot in the middle of the burst: it has acknowledged all messages of the first half, and answered
    // at least one.
    await until(async () => side.way.acknowledged() >= BEFORE && (await said()).length > 0);
    await bot.kill();
    await sends(1 + BEFORE, WHILE_OFF);
    await control.advance(HOUR_MS);

    bot = await side.start(await ahead(sandbox));
    await quiet(said);
    const answered = new Set(await said()).size;
    await control.advance(HOUR_MS);
    bot.say(String(await ahead(sandbox)));
    await side.way.repeat(BEFORE, APART_MS);
    await quiet(said);
    const all = await said();
    return {
      answered,
      lost: BEFORE + WHILE_OFF - answered,
      late: new Set(all).size - answered,
      doubled: all.length - new Set(all).size,
    };
  } finally {
    await bot?.kill();
    await side.close();
  }
}

/** Sets up this project's runtime like `dev` does. */
async function ours(sandbox: RunningSandbox): Promise<Side> {
  const folder = await mkdtemp(join(tmpdir(), "answerback-bench-"));
  const listen = await ownAddress();
  const file = join(folder, "answerback.yaml");
  await mkdir(join(folder, "data"));
  await writeFile(
    file,
    [
      "version: 1",
      "accounts: [our_desk]",
      "rules: []",
      `bots: [${JSON.stringify(fileURLToPath(new URL("bot-ours.ts", import.meta.url)))}]`,
      `webhook: {url: "https://ours.example/webhook", listen: "${listen.host}:${listen.port}"}`,
      "store: file:data",
      "",
    ].join("\n"),
  );
  const settings = await loadSettings({ cwd: folder, file, environment: {} });
  const seeded = await seedSandbox({
    settings,
    sandbox,
    folder: join(folder, "data"),
    before: undefined,
    people: [],
    env: {},
  });
  await writeSandboxFile(join(folder, "data"), seeded);
  const way = await openWay(listen.port);
  await sandbox.control.host("ours.example", way.url);
  return {
    account: seeded.bot.id,
    way,
    start: () => started("child-ours.ts", folder),
    async close() {
      way.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The Chat SDK alone. The benchmark creates the webhook and the subscription, because the SDK's adapters do not. */
async function byItself(
  { control, url: baseUrl }: RunningSandbox,
  strategy: Strategy,
): Promise<Side> {
  const { port } = await ownAddress();
  const app = await control.app({ name: `chat ${strategy}` });
  const account = await control.user(`desk_${strategy}`, { name: "Desk" });
  const tokens = await control.tokens(account, app.app_id);
  const credentials = {
    type: "oauth1",
    consumerKey: app.consumer_key,
    consumerSecret: app.consumer_secret,
    accessToken: tokens.access_token,
    accessTokenSecret: tokens.access_token_secret,
  } as const;
  const way = await openWay(port);
  const host = `${strategy}.example`;
  await control.host(host, way.url);
  let isSubscribed = false;
  return {
    account,
    way,
    async start(aheadMs) {
      const childOptions = { port, baseUrl, account, strategy, aheadMs, credentials };
      const child = await started("child-chat.ts", JSON.stringify(childOptions));
      if (isSubscribed) return child;
      isSubscribed = true;
      const client = createClient({ baseUrl, credentials });
      const bearer = client.as({ type: "bearer", bearerToken: app.bearer_token });
      const { id } = await bearer.webhooks.create(`https://${host}/webhook`);
      await client.activity.subscribe(id);
      return child;
    },
    close: async () => way.close(),
  };
}

async function started(name: string, optionsText: string): Promise<Child> {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const child = startChild({ file, args: [optionsText] });
  await child.line();
  return child;
}

/** Returns the milliseconds by which the platform's clock is ahead of the machine's. */
async function ahead({ control }: RunningSandbox): Promise<number> {
  const { now } = await control.clock();
  return Date.parse(now) - Date.now();
}

interface World {
  readonly tables: {
    readonly messages: readonly { readonly senderId: string; readonly text: string }[];
  };
}

/** Returns the texts that the account has sent. */
async function answersOf({ control }: RunningSandbox, account: string): Promise<readonly string[]> {
  const { tables } = await control.get<World>("/state");
  return tables.messages.filter(({ senderId }) => senderId === account).map(({ text }) => text);
}

/** Waits until the account has sent nothing new for {@link QUIET_MS}. Both sides get the same time. */
async function quiet(said: () => Promise<readonly string[]>): Promise<void> {
  let before = -1;
  let since = performance.now();
  await until(async () => {
    const { length } = await said();
    if (length !== before) since = performance.now();
    before = length;
    return performance.now() - since > QUIET_MS;
  });
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

function figuresOf(outcomes: Readonly<Record<string, Outcome>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(outcomes).flatMap(([name, outcome]) =>
      Object.entries(outcome).map(([what, count]) => [`${name}_${what}`, count]),
    ),
  );
}

const IN_WORDS: Readonly<Record<string, string>> = {
  ours: "on our runtime",
  chat: "by itself",
  chat_queue: "by itself, queue",
  chat_concurrent: "by itself, concurrent",
};

function tableOf(outcomes: Readonly<Record<string, Outcome>>): (readonly string[])[] {
  const rows = Object.entries(outcomes).map(([name, { answered, lost, late, doubled }]) => [
    IN_WORDS[name] ?? name,
    ...[answered, lost, late, doubled].map(String),
  ]);
  return [
    [
      `a bot of the Chat SDK, ${BEFORE + WHILE_OFF} messages`,
      "answered",
      "lost",
      "of these by a duplicate",
      "answered twice",
    ],
    ...rows,
  ];
}
