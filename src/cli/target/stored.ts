import { stat } from "node:fs/promises";
import { join } from "node:path";
import { handlesIn, storedHandles } from "../../runtime/accounts.ts";
import { callRuntime } from "../../runtime/calls.ts";
import { openStore, writtenStats } from "../../runtime/stores.ts";
import { StoreError } from "../../runtime/records.ts";
import type { Answers, Requests, Store } from "../../runtime/vocabulary.ts";
import type { Settings } from "../../config/settings.ts";
import { isPostgresUrl, shownUrl } from "../../system/postgres-url.ts";
import {
  type AnswerHindrance,
  hindrancesOf,
  notRunning,
} from "../../insight/traces/outcome/hindrances.ts";
import { storedReaders } from "../../insight/traces/stored-readers.ts";
import {
  dataFolder,
  exists,
  settingsFor,
  type CommonFlags,
  startCommand,
  startHint,
} from "../arguments/settings-flags.ts";
import { NotRunningError } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { formatTime } from "../output/format-time.ts";
import { handlesOf } from "./named.ts";
import { platformTime } from "./platform-time.ts";
import { stoppedCoverage } from "./stopped-coverage.ts";

/** Stored data of a bot, whether it runs or not. */
export interface Stored {
  journal(query: Requests["journal"]): Promise<Answers["journal"]>;
  /** Like `journal`, but may omit the outcomes of entries, which take extra time to read. */
  entries(query: Requests["journal"]): Promise<Answers["journal"]>;
  outbox(query: Requests["outbox"]): Promise<Answers["outbox"]>;
  escalations(query: Requests["escalations"]): Promise<Answers["escalations"]>;
  /** Periods of the last `hours` hours by account: complete ones, and gaps in which events were missed. */
  coverage(hours: number): Promise<Answers["coverage"]>;
  /** Returns the numbers of stored events, outbox items and escalations. */
  counts(): Promise<Answers["status"]["store"]>;
  /** Returns the handles of the linked accounts by user id, without `@`. */
  accountHandles(): Promise<Readonly<Record<string, string>>>;
  /** Conditions that keep the bot from answering, such as a pause. */
  readonly hindrances: readonly AnswerHindrance[];
  /** Returns the current time by the platform's clock, in milliseconds since the epoch. */
  now(): Promise<number>;
}

/**
 * Reads a bot's stored data from the running bot. If no bot runs, opens its store read-only, and prints a message about
 * that.
 *
 * @throws {NotRunningError} if there is neither a bot nor a store, or if a process that does not answer holds the store.
 */
export async function withStored<T>(
  io: Io,
  flags: CommonFlags,
  look: (stored: Stored) => Promise<T>,
): Promise<T> {
  const settings = await settingsFor(io, flags);
  const folder = dataFolder(settings);
  const status = await callRuntime(folder, "status", {});
  if (status !== undefined) {
    const ask = async <Name extends "journal" | "outbox" | "escalations" | "coverage">(
      name: Name,
      query: Requests[Name],
    ): Promise<Answers[Name]> => {
      const answer = await callRuntime(folder, name, query);
      if (answer === undefined) throw new NotRunningError("the bot stopped a moment ago");
      return answer;
    };
    return look({
      journal: (query) => ask("journal", query),
      entries: (query) => ask("journal", query),
      outbox: (query) => ask("outbox", query),
      escalations: (query) => ask("escalations", query),
      coverage: (hours) => ask("coverage", { hours }),
      counts: async () => status.store,
      accountHandles: async () => handlesOf(status),
      hindrances: hindrancesOf(status),
      now: async () => Date.parse(status.now),
    });
  }
  const stoppedNotice = await whatIsLeft(settings);
  const store = await openUnheld(settings, { readOnly: true });
  if (flags.json !== true) io.err(`${stoppedNotice}\n`);
  try {
    return await look({
      ...storedReaders(store),
      coverage: (hours) => stoppedCoverage(store, io, { settings, hours }),
      counts: () => writtenStats(store),
      accountHandles: () =>
        isPostgresUrl(settings.store.url)
          ? storedHandles(store)
          : handlesIn({ ...settings, folder }),
      hindrances: [notRunning(startCommand(settings))],
      now: () => platformTime(folder),
    });
  } finally {
    await store.close();
  }
}

/**
 * Opens the store of a bot that answers no command.
 *
 * @throws {NotRunningError} if a process holds the store: a bot that starts or stops, or another command.
 */
export async function openUnheld(
  { store: { url, folder }, postgres }: Pick<Settings, "store" | "postgres">,
  { readOnly }: { readonly readOnly: boolean },
): Promise<Store> {
  try {
    return await openStore(url, { readOnly, postgres });
  } catch (cause) {
    if (!(cause instanceof StoreError) || cause.code !== "store-locked") throw cause;
    throw new NotRunningError(`a process uses the store in ${folder}, but answers no command`, {
      cause,
      hint: "try again in a moment: it is a bot that starts or stops, or another command",
    });
  }
}

/** Message for people that the data comes from the store, because no bot runs. */
async function whatIsLeft(settings: Pick<Settings, "store" | "target">): Promise<string> {
  const { url, folder } = settings.store;
  if (isPostgresUrl(url)) {
    return `No bot runs on this machine with ${folder}; this is what ${shownUrl(url)} has.`;
  }
  if (!(await exists(folder, "store.db"))) {
    throw new NotRunningError(`no bot runs with the data folder ${folder}, and it has no store`, {
      hint: startHint(settings),
    });
  }
  return `The bot is not running; this is what it left, as of ${formatTime(await lastChange(folder))}.`;
}

/** Time of the last write to a folder's store, by the machine's clock. Milliseconds since the epoch. */
async function lastChange(folder: string): Promise<number> {
  const times = ["store.db", "store.db-wal"].map(async (name) =>
    stat(join(folder, name)).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    ),
  );
  return Math.max(...(await Promise.all(times)));
}
