import { createClient } from "../../src/client/create-client.ts";
import { textAsWritten } from "../../src/cli/output/text-as-written.ts";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  readSandboxFile,
  writeSandboxFile,
  type SandboxFile,
} from "../../src/runtime/platform/sandbox-file.ts";
import { seedSandbox } from "../../src/runtime/platform/seed-sandbox.ts";
import { testDatabase } from "../postgres/databases.ts";
import { allDelivered } from "./all-delivered.ts";
import { botCalls } from "./bot-calls.ts";
import { type BotLife, type BotLifeOptions, lifeHere, lifeInProcess } from "./bot-life.ts";
import { ownAddress } from "./own-address.ts";
import { loadSettings } from "../../src/config/load-settings.ts";
import type { Answers, Requests } from "../../src/runtime/control/contract.ts";
import type { OperationName } from "../../src/runtime/control/routes.ts";
import type { RuntimeStatus } from "../../src/runtime/control/status-schema.ts";
import type { ItemStatus } from "../../src/runtime/store/item.ts";
import { startSandbox, type RunningSandbox, type SandboxOptions } from "../../src/sandbox/index.ts";
import { UNLIMITED } from "./unlimited.ts";
import { when } from "./when.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/**
 * Whether bots use a PostgreSQL store in this test run. Some tests are run once with SQLite and once with PostgreSQL.
 */
function isShared(): boolean {
  return process.env["TEST_STORE"] === "postgres";
}

/** Key for the tokens of accounts in a store that several machines share. */
const KEY = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

function sharedStore(url: string): string {
  return `store: ${JSON.stringify(url)}\ndata: ../data\npostgres: {pool: 4}`;
}

export interface BotFiles {
  /** Rule files, by name. */
  readonly rules?: Readonly<Record<string, string>>;
  /** Absolute paths of bot modules. */
  readonly bots?: readonly string[];
  /** Options of the sandbox. By default its rate limits are off. */
  readonly sandbox?: SandboxOptions;
  /** Starts a proxy in front of the sandbox, and returns the address to which the bot sends its requests. */
  readonly through?: (sandboxUrl: string) => Promise<string>;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Whether the store is in PostgreSQL. By default it is a SQLite file, or in PostgreSQL if the whole test run uses
   * PostgreSQL.
   */
  readonly shared?: boolean | undefined;
  /** URL of an empty PostgreSQL database for the bot's data. */
  readonly database?: string;
  /** Other bot, whose sandbox, app and account this bot shares. Webhook and store are not shared. */
  readonly beside?: BotOnSandbox | undefined;
  /** Additional lines of the settings file. */
  readonly settings?: string;
  /** Prepares the data folder before the bot uses it. */
  readonly inData?: (folder: string) => Promise<void>;
}

/** User of the sandbox who has not written to the bot before. */
export interface Stranger {
  readonly id: string;
  readonly username: string;
  /** Sends the bot a message. */
  says(text: string): Promise<void>;
  /** Resolves with the bot's messages to this person, oldest first, once there are at least `count`. */
  answers(count: number): Promise<string[]>;
}

/** Sandbox in this process, with a bot in this process or in a separate one. */
export interface BotOnSandbox {
  readonly sandbox: RunningSandbox;
  readonly file: SandboxFile;
  readonly folder: string;
  /** URL at which the running bot listens, without a path. */
  readonly address: string;
  /** Ids of the people, by handle. */
  readonly people: Readonly<Record<"ana" | "ben", string>>;
  /** Stderr of the running bot so far. */
  readonly log: () => string;
  /** Resolves once the running bot has logged this text. */
  logged(text: string | RegExp): Promise<void>;
  /**
   * Starts the bot in the test's process, which takes a sixth of the time of a separate process.
   *
   * @param more Further arguments of `run`.
   */
  start(...more: readonly string[]): Promise<RuntimeStatus>;
  /** Starts the bot in a separate process, which can be killed and get signals. */
  startProcess(...more: readonly string[]): Promise<RuntimeStatus>;
  /** Ends the bot's separate process with `kill -9`: the bot finishes nothing and logs nothing. */
  kill(): Promise<void>;
  /** Sends a signal to the bot's separate process. */
  signal(name: NodeJS.Signals): void;
  /** Id of the bot's separate process. */
  pid(): number;
  /** Resolves with the end of the process that was started last. */
  ended(): Promise<number | null>;
  /** Answer of the readiness check; undefined if the bot does not answer. */
  ready(): Promise<{ readonly status: number; readonly text: string } | undefined>;
  /** Stops the bot with SIGTERM, which finishes work in progress. Returns the exit code. */
  stop(): Promise<number | null>;
  status(): Promise<RuntimeStatus>;
  journal(): Promise<Answers["journal"]>;
  items(status?: ItemStatus): Promise<Answers["outbox"]>;
  /** Sends a request to the running bot. */
  ask<Name extends OperationName>(name: Name, request: Requests[Name]): Promise<Answers[Name]>;
  /** Creates a user of the sandbox; the display name need not be unique, the username must be. */
  stranger(name: string): Promise<Stranger>;
  /** Texts that the bot has written to a person, by handle or id, oldest first. */
  messagesTo(person: string): Promise<string[]>;
  /**
   * Resolves once the platform has delivered all events so far, every event is decided and every item is sent, given up
   * or of unknown outcome.
   */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

/** Sets a bot up in a new folder, without starting it. */
export async function botOnSandbox(files: BotFiles): Promise<BotOnSandbox> {
  const folder = await mkdtemp(join(tmpdir(), "answerback-test-"));
  const config = join(folder, "config", "answerback.yaml");
  await mkdir(join(folder, "config", "rules"), { recursive: true });
  const { shared = files.database === undefined && isShared() } = files;
  const database = shared ? await testDatabase({ fresh: true }) : undefined;
  const url = files.database ?? database?.url;
  const env = { ...(url !== undefined && { ANSWERBACK_KEY: KEY }), ...files.env };
  const store = url === undefined ? "store: file:../data" : sharedStore(url);
  await writeFile(
    config,
    `version: 1\nbots: ${JSON.stringify(files.bots ?? [])}\n${store}\n${files.settings ?? ""}`,
  );
  for (const [name, text] of Object.entries(files.rules ?? {})) {
    await writeFile(join(folder, "config", "rules", name), text);
  }
  const data = join(folder, "data");
  await mkdir(data, { recursive: true });
  await files.inData?.(data);
  const settings = await loadSettings({ cwd: folder, file: config, environment: {} });
  const { beside } = files;
  const sandbox =
    beside?.sandbox ??
    (await startSandbox({
      settings: { limits: UNLIMITED },
      ...files.sandbox,
    }));
  const listen = await ownAddress();
  const settled = await seedSandbox({
    settings,
    sandbox,
    folder: data,
    before: beside && { ...beside.file, webhookUrl: "https://second.example/webhook" },
    listen,
    people: [
      { username: "ana", name: "Ana" },
      { username: "ben", name: "Ben" },
    ],
    env,
  });
  const baseUrl = (await files.through?.(sandbox.url)) ?? sandbox.url;
  await writeSandboxFile(data, { ...settled, baseUrl });
  const file = (await readSandboxFile(data)) ?? settled;
  const tokens = await sandbox.control.tokens(settled.bot.id, settled.app.id);
  const people: Readonly<Record<"ana" | "ben", string>> = {
    ana: settled.people[0]?.id ?? "",
    ben: settled.people[1]?.id ?? "",
  };
  const client = createClient({
    baseUrl: sandbox.url,
    credentials: {
      type: "oauth1",
      consumerKey: settled.app.consumerKey,
      consumerSecret: settled.app.consumerSecret,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    },
  });
  let life: BotLife | undefined;
  let last: BotLife | undefined;
  let strangers = 0;
  const calls = botCalls(data);

  const ask = async <Name extends OperationName>(
    name: Name,
    request: Requests[Name],
  ): Promise<Answers[Name]> => {
    const answer = await calls.call(name, request);
    if (answer === undefined) throw new Error(`the bot does not run; it logged: ${last?.log()}`);
    return answer;
  };
  const begin = async (
    start: (options: BotLifeOptions) => BotLife,
    more: readonly string[],
  ): Promise<RuntimeStatus> => {
    const started = start({
      cwd: ROOT,
      args: ["run", "--json", "--config", config, "--log-level", "debug", ...more],
      env: {
        XDG_STATE_HOME: join(folder, "state"),
        ANSWERBACK_WEBHOOK_LISTEN: `${listen.host}:${listen.port}`,
        ...env,
        // `env` has a copy of `files.env` from the set-up. A test may have added variables since then.
        ...files.env,
      },
    });
    life = started;
    last = started;
    const ready = await started.ready;
    if (url === undefined || more.includes("receiver")) return ready;
    // A killed process still holds its leases. The new process gets partitions when they have expired.
    return when(async () => {
      const now = await status();
      return now.work.partitions > 0 ? now : undefined;
    });
  };
  const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<number | null> => {
    const ending = life;
    life = undefined;
    calls.hangUp();
    if (ending === undefined) return null;
    ending.signal(signal);
    return ending.ended;
  };
  const status = (): Promise<RuntimeStatus> => ask("status", {});
  const messagesTo = async (id: string): Promise<string[]> => {
    const texts: string[] = [];
    const events = client.dms.eventsWith(id, { dmEventFields: ["sender_id", "text", "entities"] });
    for await (const event of events) {
      if (event.sender_id === settled.bot.id) texts.push(textAsWritten(event));
    }
    return texts.toReversed();
  };

  return {
    sandbox,
    file,
    folder,
    address: `http://${listen.host}:${listen.port}`,
    people,
    log: () => last?.log() ?? "",
    async logged(text) {
      await when(() => {
        const log = last?.log() ?? "";
        return (typeof text === "string" ? log.includes(text) : text.test(log)) || undefined;
      });
    },
    start: (...more) => begin(lifeHere, more),
    startProcess: (...more) => begin(lifeInProcess, more),
    async kill() {
      await end("SIGKILL");
    },
    signal: (name) => last?.signal(name),
    pid: () => last?.pid() ?? 0,
    ended: async () => (last === undefined ? null : last.ended),
    async ready() {
      const answer = await fetch(`http://${listen.host}:${listen.port}/readyz`).catch(
        () => undefined,
      );
      return answer && { status: answer.status, text: await answer.text() };
    },
    stop: () => end("SIGTERM"),
    status,
    journal: () => ask("journal", { limit: 1_000 }),
    items: (wanted) =>
      ask("outbox", wanted === undefined ? { limit: 1_000 } : { limit: 1_000, status: wanted }),
    ask,
    async stranger(name) {
      strangers += 1;
      const username = `${name.toLowerCase()}_${strangers}`;
      const id = await sandbox.control.user(username, { name });
      return {
        id,
        username,
        async says(text) {
          await sandbox.control.act(id, { type: "dm", to: settled.bot.id, text });
        },
        answers: (count) =>
          when(async () => {
            const texts = await messagesTo(id);
            return texts.length >= count ? texts : undefined;
          }),
      };
    },
    messagesTo: (person) => messagesTo(new Map(Object.entries(people)).get(person) ?? person),
    async quiet() {
      await when(async () => {
        await allDelivered(sandbox);
        const { inbox, items } = (await status()).store;
        return inbox + items.pending + items.sending === 0 ? true : undefined;
      });
    },
    async close() {
      await end(life?.isProcess === true ? "SIGKILL" : "SIGTERM");
      await client.close();
      if (beside === undefined) await sandbox.close();
      await database?.giveBack();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
