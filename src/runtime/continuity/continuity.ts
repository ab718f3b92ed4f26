import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { isMissingFile } from "../../system/files/missing-file.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { pollLoop } from "../loop/poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import { RESTORED_FROM } from "../store/restored.ts";
import type { Store } from "../store/store.ts";
import { doubtOf, type History, type Mark, readHistory, withMark } from "./history.ts";
import { type MachineRecord, machineRecord } from "./machine-record.ts";

export interface ContinuityNeeds {
  readonly store: Pick<Store, "getMeta" | "setMeta" | "changeMetas">;
  /** Path of the store's file; undefined for a database server. */
  readonly file: string | undefined;
  /** Folder in which this machine keeps state outside the store; undefined if there is none. */
  readonly stateFolder: string | undefined;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/** Writes marks (see {@link Mark}) to the store and to this machine, so that a start detects an outdated store. */
export interface Continuity {
  /** Reports that an answer was sent. Copies of the store that were made before are outdated from now on. */
  sent(): void;
  stop(): Promise<void>;
}

/** Name of the value in `meta` with the store's {@link History}. */
const NAME = "continuity";
/** Minimum real milliseconds between two marks. A copy that lacks only the last second's answers is not detected. */
const MARK_EVERY_MS = 1_000;
/** Maximum real milliseconds until the loop checks again for sent answers without being woken. */
const IDLE_MS = 60_000;
/** Maximum attempts to change the history, which other processes of a shared store may change at the same time. */
const MAX_TRIES = 20;

/**
 * Compares the store's history with the last mark on this machine, and sets the first mark of this process run.
 *
 * If the store is older than that mark, or its file was copied or replaced, the store may lack answers that were sent.
 * It is then marked as restored: after `startRestored`, open answers are looked up on the platform before they are sent.
 */
export async function openContinuity(needs: ContinuityNeeds): Promise<Continuity> {
  const { store, stateFolder, log, clock } = needs;
  const id = await store.getMeta("store-id");
  const record = stateFolder && id ? machineRecord(stateFolder, id) : undefined;
  const before = await store.getMeta(NAME);
  const stored = before === undefined ? undefined : readHistory(before);
  const file = await identityOf(needs.file);
  const reason = doubtOf(stored, { recorded: await record?.read(), file });
  if (reason !== undefined) {
    log.warn(
      { reason },
      `${reason}; each answer that may have been sent already is looked up on the platform first`,
    );
    // The time of the backup, which a restored store has already, is more exact than the time of the last mark.
    if ((await store.getMeta(RESTORED_FROM)) === undefined) {
      await store.setMeta(RESTORED_FROM, String(stored?.at ?? clock.now()));
    }
  }
  const run = randomUUID();
  let generation = 0;
  let isSending = true;
  const mark = async (): Promise<void> => {
    if (!isSending) return;
    isSending = false;
    generation += 1;
    await markStore(needs, { run, generation }, file);
    await markMachine(record, { run, generation }, log);
  };
  await mark();
  const loop = pollLoop({
    poll: mark,
    everyMs: IDLE_MS,
    restMs: MARK_EVERY_MS,
    onError: throttle(LOG_EVERY_MS, (error: unknown) => {
      isSending = true;
      log.warn({ err: error }, "the store's generation could not be recorded");
    }),
  });
  return {
    sent() {
      isSending = true;
      loop.wake();
    },
    async stop() {
      await loop.stop();
      await mark();
    },
  };
}

async function markStore(
  { store, clock }: ContinuityNeeds,
  mark: Mark,
  file: string | undefined,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const was = await store.getMeta(NAME);
    const history: Pick<History, "marks"> = was === undefined ? { marks: [] } : readHistory(was);
    const next = withMark(history, mark, { at: clock.now(), ...(file !== undefined && { file }) });
    if (await store.changeMetas([{ name: NAME, was, to: JSON.stringify(next) }])) return;
    if (tries === MAX_TRIES) throw new Error("other processes changed the record at each attempt");
  }
}

/**
 * Writes the mark to this machine's record. If the record can't be written, an older copy of the store is only detected
 * if it is another file.
 */
async function markMachine(record: MachineRecord | undefined, mark: Mark, log: Log): Promise<void> {
  try {
    await record?.write(mark);
  } catch (error) {
    if (mark.generation > 1) return;
    log.info(
      { err: error },
      "an old copy of the store will not be noticed: the record of the last run could not be written",
    );
  }
}

/** Returns an identity of a file. A copy of the file has another one, because its inode or creation time differs. */
async function identityOf(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    const { ino, birthtimeMs } = await stat(file);
    return `${ino}:${birthtimeMs}`;
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}
