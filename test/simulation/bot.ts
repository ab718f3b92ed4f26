import { createClient } from "../../src/client/create-client.ts";
import { startAnswering } from "../../src/host/answer.ts";
import type { LinkedAccount } from "../../src/runtime/accounts/linked-account.ts";
import { openJournal, type Journal } from "../../src/runtime/journal/journal.ts";
import type { Log } from "../../src/runtime/log.ts";
import { openPausing } from "../../src/host/answering/pausing.ts";
import { succeedPredecessor } from "../../src/host/roles/predecessor.ts";
import { type CleanupStack, cleanupStack } from "../../src/runtime/loop/cleanup-stack.ts";
import { runtimeEvents } from "../../src/runtime/runtime-events.ts";
import type { Store } from "../../src/runtime/store/store.ts";
import type { Dispatcher } from "undici";
import type { Clock } from "../../src/runtime/clock/clock.ts";
import type { Receiver } from "./platform/deliveries.ts";
import { simulatedRules } from "./rules.ts";
import type { Trace } from "./trace.ts";

/** Dependencies of a bot. */
export interface BotNeeds {
  readonly name: string;
  readonly account: LinkedAccount;
  readonly trace: Trace;
  /** Creates the bot's store, which belongs to the bot alone. */
  readonly storeFor: (bot: Bot) => Store;
  readonly wireFor: (bot: Bot) => Dispatcher;
  readonly clockFor: (bot: Bot) => Clock;
}

/** A process of a bot, from its start to its end. After a crash, a new object represents the restarted bot. */
export class Bot implements Receiver {
  readonly name: string;
  alive = true;
  stoppedUntil = 0;
  /** Number of writes to the store that have not returned yet. */
  writing = 0;
  readonly #needs: BotNeeds;
  readonly #cleanup: CleanupStack;
  #journal: Journal | undefined;

  constructor(needs: BotNeeds) {
    this.name = needs.name;
    this.#needs = needs;
    this.#cleanup = cleanupStack(this.#log());
  }

  /** Whether the bot accepts deliveries. */
  get listens(): boolean {
    return this.alive && this.#journal !== undefined;
  }

  /** Starts the real pipeline of the runtime (worker, outbox, reading back). @throws if the store can't be read. */
  async start(): Promise<void> {
    const { account, storeFor, wireFor, clockFor } = this.#needs;
    const clock = clockFor(this);
    const store = storeFor(this);
    const { accessToken, accessTokenSecret } = account;
    const client = createClient({
      baseUrl: "https://api.example.com",
      dispatcher: wireFor(this),
      timeoutMs: 5_000,
      clock: { now: () => clock.now(), sleep: () => Promise.reject(new Error("nobody sleeps")) },
      random: Math.random,
      nonce: () => "0".repeat(32),
      credentials: {
        type: "oauth1",
        consumerKey: "key",
        consumerSecret: "secret",
        accessToken,
        accessTokenSecret,
      },
    });
    const log = this.#log();
    const events = runtimeEvents({
      now: () => clock.now(),
      onListenerError: () => {},
      capacity: 1,
    });
    const process = {
      name: this.name,
      // The part before the dot stays the same when the bot is restarted.
      stableName: store.isShared ? this.name.split(".")[0] : undefined,
      sharesStore: store.isShared,
    };
    await succeedPredecessor({ store, process, log, cleanup: this.#cleanup });
    const answering = await startAnswering({
      process,
      store,
      clock,
      log,
      events,
      settings: { limits: { all: {}, accounts: new Map() } },
      rules: { ruleset: simulatedRules() },
      modules: {
        findBots: async () => [],
        findUsed: async () => [],
        projectFolders: [],
        resolveModule: (_file, module) => module,
        secretsOf: () => ({}),
      },
      pausing: await openPausing({ store, clock, log, events }),
      accounts: { find: (id) => (id === account.id ? account : undefined) },
      clients: { of: (id) => (id === account.id ? client : undefined) },
      health: { succeeded: () => {}, failed: () => {}, recheck: () => Promise.resolve() },
      cleanup: this.#cleanup,
    });
    this.#journal = openJournal({
      store,
      clock,
      onAppended: (entries, events, results) => answering.arrived(events, entries, results),
      onRevoked: () => Promise.resolve(),
    });
  }

  receive(delivery: object): Promise<unknown> {
    if (this.#journal === undefined) return Promise.reject(new Error("not listening"));
    const source = "answerback_answer_by_hand" in delivery ? "operator" : "webhook";
    return this.#journal.append(delivery, JSON.stringify(delivery), source);
  }

  /** Stops the bot gracefully, as an operator does. */
  async stop(): Promise<void> {
    this.#journal = undefined;
    await this.#cleanup.close();
    this.alive = false;
  }

  #log(): Log {
    const { name, trace } = this.#needs;
    const line =
      (level: string) =>
      (fields: object | string, message?: string): void =>
        trace.add(name, () => `${level}: ${textOf(fields, message)}`);
    const log: Log = {
      debug: () => {},
      info: () => {},
      warn: line("warns"),
      error: line("says"),
      child: () => log,
    };
    return log;
  }
}

function textOf(fields: object | string, message = ""): string {
  if (typeof fields === "string") return fields;
  const error = "err" in fields && fields.err instanceof Error ? ` (${fields.err.message})` : "";
  const item = "item" in fields ? ` item ${String(fields.item)}` : "";
  const result = "result" in fields ? ` ${String(fields.result)}` : "";
  return `${message}${item}${result}${error}`;
}
