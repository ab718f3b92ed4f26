import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSettings } from "../../src/config/load-settings.ts";
import type { Answers, Requests } from "../../src/runtime/control/contract.ts";
import type { OperationName } from "../../src/runtime/control/routes.ts";
import { writeSandboxFile } from "../../src/runtime/platform/sandbox-file.ts";
import { seedSandbox } from "../../src/runtime/platform/seed-sandbox.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/index.ts";
import { botCalls } from "../support/bot-calls.ts";
import { startPostgres, type TestPostgres } from "../postgres/server.ts";
import { startBot, type BotProcess } from "./bot-process.ts";
import { databaseWire, type DatabaseWire } from "./database/wire.ts";
import { recordingDoor, type RecordingDoor } from "./door.ts";
import type { Engine } from "./outcome.ts";
import type { BugName } from "./planted.ts";
import { conversationReader, journalReader } from "./readers.ts";
import type { Program } from "./program.ts";
import { type Kind, KINDS, RULES } from "./script.ts";
import type { Strike } from "./trigger.ts";
import { UNLIMITED } from "../support/unlimited.ts";

/** A bot and its platform, with the functions that are needed to write messages and to check the answers. */
export interface Conversations {
  readonly sandbox: Pick<RunningSandbox, "control">;
  readonly door: Pick<RecordingDoor, "acknowledged">;
  /** User ids of the people. */
  readonly people: readonly string[];
  /** Ids of the bot's accounts. */
  readonly accounts: readonly string[];
  /**
   * Whether the bot processes messages. After a kill, it does not until the leases of the killed process have expired.
   * Until then, the platform's clock must stand still: an item with an unknown outcome blocks its conversation for a
   * limited time of that clock only.
   */
  isWorking(): Promise<boolean>;
  /** Kinds of messages that the bot answers. */
  readonly kinds: readonly Kind[];
  /** Logs of all the bot's processes, oldest first. */
  log(): string;
  /** Sends a request to the running bot; undefined if none answers. */
  ask<Name extends OperationName>(
    name: Name,
    request: Requests[Name],
  ): Promise<Answers[Name] | undefined>;
  /** Texts that an account has written to a person, oldest first. */
  written(account: string, person: string): Promise<readonly string[]>;
  /** Journal numbers of a conversation's messages, by message id: the order in which the messages arrived. */
  arrivals(lane: string): Promise<ReadonlyMap<string, number>>;
}

/** A sandbox with people, and a bot that is killed and restarted. */
export interface Rig extends Conversations {
  readonly door: RecordingDoor;
  /** Database of the bot's store; undefined if the store is a file in its folder. */
  readonly database: Database | undefined;
  /** Starts the bot, without waiting until it is ready. */
  start(strike?: Strike): BotProcess;
  close(): Promise<void>;
}

/** Database server of a rig, and the proxy between bot and server. */
export interface Database {
  readonly server: TestPostgres;
  readonly wire: DatabaseWire;
  readonly url: string;
}

const ACCOUNTS = ["first_bot", "second_bot"];
const PEOPLE = 8;
const WEBHOOK_HOST = "bot.example";
const MANY_RETRIES = 20_000;
const RETRY_MS = 200;
const YEAR_MS = 365 * 86_400_000;

export interface RigOptions {
  readonly program: Program;
  readonly engine: Engine;
  readonly seed: string;
  readonly bug?: BugName | undefined;
  /** Whether a bot module answers, too. Starting the module's worker thread doubles the time of a start. */
  readonly withModule: boolean;
}

/** Prepares folder, settings, store, sandbox and proxy, without starting the bot. */
export async function openRig(options: RigOptions): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), "answerback-crash-"));
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).toReversed()) await one();
  };
  try {
    return { ...(await openIn(folder, closing, options)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openIn(
  folder: string,
  closing: (() => Promise<unknown>)[],
  { program, engine, seed, bug, withModule }: RigOptions,
): Promise<Omit<Rig, "close">> {
  const data = join(folder, "data");
  await mkdir(join(folder, "rules"), { recursive: true });
  await mkdir(data);
  const database = engine === "postgres" ? await openDatabase(closing) : undefined;
  // Encrypts the accounts' tokens in a shared store.
  const env = { ...(database && { ANSWERBACK_KEY: randomBytes(32).toString("hex") }) };
  const bots = withModule ? [program.bot] : [];
  await writeFile(join(folder, "answerback.yaml"), settingsText(bots, database?.url));
  await writeFile(join(folder, "rules", "rules.yaml"), RULES);
  const sandbox = await startSandbox({
    seed,
    settings: {
      limits: UNLIMITED,
      // Deliveries fail while the bot is down; the platform must keep retrying them.
      retries_ms: Array.from({ length: MANY_RETRIES }, () => RETRY_MS),
      challenge_every_ms: YEAR_MS,
    },
  });
  closing.push(() => sandbox.close());
  const door = await recordingDoor();
  closing.push(() => door.close());
  const file = join(folder, "answerback.yaml");
  const settings = await loadSettings({ cwd: folder, file, environment: {} });
  const people = Array.from({ length: PEOPLE }, (_, n) => ({ username: `p${n}`, name: `P${n}` }));
  const before = undefined;
  const seeded = await seedSandbox({ settings, sandbox, folder: data, before, people, env });
  await writeSandboxFile(data, seeded);
  await sandbox.control.host(WEBHOOK_HOST, door.url);
  const accounts = await accountIds(sandbox);
  const logs: (() => string)[] = [];
  const calls = botCalls(data);
  closing.push(async () => calls.hangUp());
  const ask: Rig["ask"] = (name, request) => calls.call(name, request).catch(() => undefined);
  return {
    sandbox,
    door,
    database,
    people: seeded.people.map(({ id }) => id),
    accounts,
    kinds: withModule ? KINDS : KINDS.filter((kind) => kind !== "bot"),
    start(strike) {
      const started = startBot({ folder, command: program.command, strike, bug, env });
      logs.push(() => started.log());
      void started.listening.then((url) => door.lead(url));
      return started;
    },
    async isWorking() {
      if (database === undefined) return true;
      const status = await ask("status", {});
      // Processes killed earlier may still hold some of the partitions.
      return status?.work.partitions === PARTITIONS;
    },
    log: () => logs.map((log) => log()).join(""),
    ask,
    written: conversationReader(sandbox, seeded.app, accounts),
    arrivals: journalReader(ask),
  };
}

/** Number of partitions of a store. One process holds all of them. */
const PARTITIONS = 64;

async function openDatabase(closing: (() => Promise<unknown>)[]): Promise<Database> {
  const server = await startPostgres({ durable: true });
  closing.push(() => server.stop());
  const wire = await databaseWire(server);
  closing.push(() => wire.close());
  const url = new URL(await server.createDatabase());
  url.port = String(wire.port);
  return { server, wire, url: url.href };
}

function settingsText(bots: readonly string[], store: string | undefined): string {
  return [
    "version: 1",
    `accounts: ${JSON.stringify(ACCOUNTS)}`,
    `bots: ${JSON.stringify(bots)}`,
    `webhook: {url: "https://${WEBHOOK_HOST}/webhook", listen: "127.0.0.1:0"}`,
    ...(store === undefined
      ? ["store: file:data"]
      : [`store: ${JSON.stringify(store)}`, "data: data"]),
    // Switches the bot's own limits off: the bot sends each person more answers than its default limits allow, and
    // every answer has to arrive.
    "limits: {replies: 9999 in 10m, loop: 9999 in 10m, equal_replies: none, equal_posts: none}",
    "",
  ].join("\n");
}

async function accountIds({ control }: RunningSandbox): Promise<readonly string[]> {
  const searches = ACCOUNTS.map(async (username) => {
    const { users } = await control.get<{ users: { id: string }[] }>(`/users?username=${username}`);
    return users.map(({ id }) => id);
  });
  return (await Promise.all(searches)).flat();
}
