import * as z from "zod";
import type { Log } from "../log.ts";
import type { AdminPort, ReadPort } from "../store/store.ts";

/** Finds the event whose handling crashes the process, so that it does not crash every start. */
export interface CrashTrial {
  /**
   * Runs `work` for an entry. During a trial, the entries that a crashed process left run one at a time, and each is
   * marked on disk before it runs.
   */
  run<T>(seq: number, work: () => Promise<T>): Promise<T>;
  /** Returns the reason why the runtime no longer handles the entry; undefined if the entry is handled as usual. */
  condemned(seq: number): string | undefined;
  /** Returns all entries that are excluded from processing, with the reasons. */
  all(): readonly Condemned[];
  /** Records that the process stops as intended. */
  close(): Promise<void>;
}

/** Entry that is excluded from processing, with the reason: it has crashed the process repeatedly. */
export interface Condemned {
  readonly seq: number;
  readonly reason: string;
}

/** Disabled trial: starts all work at once and excludes no entry. */
export const NO_TRIAL: CrashTrial = {
  run: (_seq, work) => work(),
  condemned: () => undefined,
  all: () => [],
  close: async () => {},
};

export interface CrashTrialNeeds {
  readonly store: Pick<AdminPort, "getMeta" | "setMeta"> & Pick<ReadPort, "journal" | "stats">;
  readonly log: Log;
  /** Name that this process keeps across restarts; absent: no other process shares the store. */
  readonly stableName?: string | undefined;
}

/** Key of the process record in the store's metadata. */
const RECORD = "process";

function recordOf({ stableName }: Pick<CrashTrialNeeds, "stableName">): string {
  return stableName === undefined ? RECORD : `${RECORD}/${stableName}`;
}

/** Record in the store about the last process, which the next start reads. */
const record = z.object({
  /**
   * Number of consecutive processes that ended without a stop and before they had finished the work that earlier
   * processes left.
   */
  ends: z.number(),
  /** Entries whose processing has begun and not ended, oldest first; maintained only during a trial after crashes. */
  atWork: z.array(z.number()),
  /**
   * Numbers of crashes by entry. `ends` counts all crashes while the entry was being processed; `alone` counts those
   * during which no other entry was being processed.
   */
  blame: z.record(z.string(), z.object({ ends: z.number(), alone: z.number() })),
});

type ProcessRecord = z.infer<typeof record>;

/**
 * After a single crash, the trial begins only if at most this number of inputs and effects remain; after a second,
 * always.
 */
const FEW = 32;
/** Number of crashes during which an entry was the only one at work, after which the entry is no longer handled. */
const ALONE_ENDS = 4;
/**
 * Number of crashes during which an entry was at work, alone or with others, after which the entry is no longer
 * handled.
 */
const SHARED_ENDS = 7;
/**
 * Milliseconds for which an entry on trial is alone at work, unless it ends earlier. Each crash of the entry makes this
 * time five times as long.
 */
const ALONE_MS = 200;
/**
 * Milliseconds without work on a remaining entry after which the trial ends. Steps of paused accounts, and entries in
 * the partitions of other processes, may remain for any time.
 */
const QUIET_MS = 10 * 60_000;

/**
 * Reads how the previous process ended and records that this process is at work.
 *
 * An entry that crashes the process can't be distinguished from the other entries at work, and marking each entry
 * beforehand would cost every event a write. So nothing is marked until a process has ended without a stop. Then the
 * remaining entries are handled one at a time, each marked on disk before; newer entries bypass them. An entry that was
 * alone at work at four further crashes is no longer handled. Power loss and kills by an operator count as crashes, but
 * it is unlikely that four of them hit the same entry alone.
 */
export async function openCrashTrial(needs: CrashTrialNeeds): Promise<CrashTrial> {
  const { store } = needs;
  const before = readRecord(await store.getMeta(recordOf(needs)));
  const ends = before === undefined ? 0 : before.ends + 1;
  const [newest] = await store.journal({ limit: 1 });
  const { inbox, paused } = await store.stats();
  const remainingWork = before === undefined ? 0 : Math.max(0, inbox - paused);
  const blame = { ...before?.blame };
  for (const seq of before?.atWork ?? []) {
    const { ends: n, alone } = blame[seq] ?? { ends: 0, alone: 0 };
    const wasAlone = before?.atWork.length === 1 ? 1 : 0;
    blame[seq] = { ends: n + 1, alone: alone + wasAlone };
  }
  const trial = new Trial(needs, { ends, blame, remainingWork, last: newest?.seq ?? 0 });
  await trial.open();
  return trial;
}

function readRecord(text: string | undefined): ProcessRecord | undefined {
  return text === undefined || text === "" ? undefined : record.parse(JSON.parse(text));
}

interface EarlierProcess extends Pick<ProcessRecord, "ends" | "blame"> {
  /** Number of inputs and effects that the previous process left unfinished, without the inputs of paused accounts. */
  readonly remainingWork: number;
  /** Sequence number of the newest entry at the start; 0 when the journal is empty. */
  readonly last: number;
}

class Trial implements CrashTrial {
  readonly #needs: CrashTrialNeeds;
  readonly #record: EarlierProcess;
  readonly #isMarking: boolean;
  readonly #atWork: number[] = [];
  #waiting: { readonly seq: number; readonly begin: () => void }[] = [];
  #turn = false;
  #toDo: number;
  /** Ends the trial after {@link QUIET_MS}. */
  #quiet: NodeJS.Timeout | undefined;
  #isOver: boolean;

  constructor(needs: CrashTrialNeeds, before: EarlierProcess) {
    this.#needs = needs;
    this.#record = before;
    this.#toDo = before.remainingWork;
    this.#isOver = before.remainingWork === 0;
    this.#isMarking = before.ends >= 2 || before.remainingWork <= FEW;
  }

  async open(): Promise<void> {
    const { ends, remainingWork } = this.#record;
    await this.#write();
    if (remainingWork === 0) return;
    this.#quiet = setTimeout(() => void this.#endIfIdle(), QUIET_MS).unref();
    this.#needs.log.warn(
      { left: remainingWork, ends },
      "the last process ended without a stop (crash or kill); its unfinished work is continued one by one",
    );
  }

  condemned(seq: number): string | undefined {
    const { ends = 0, alone = 0 } = this.#record.blame[seq] ?? {};
    if (alone < ALONE_ENDS && ends < SHARED_ENDS) return undefined;
    return `the process ended ${ends + 1} times while this event was at work; it is not handled any more`;
  }

  all(): readonly Condemned[] {
    return Object.keys(this.#record.blame)
      .map(Number)
      .flatMap((seq) => {
        const reason = this.condemned(seq);
        return reason === undefined ? [] : [{ seq, reason }];
      });
  }

  async run<T>(seq: number, work: () => Promise<T>): Promise<T> {
    if (this.#isOver || seq > this.#record.last) return work();
    try {
      return await (this.#isMarking ? this.#alone(seq, work) : work());
    } finally {
      this.#toDo -= 1;
      this.#quiet?.refresh();
      if (this.#toDo <= 0) await this.#endIfIdle();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#quiet);
    this.#isOver = true;
    await this.#needs.store.setMeta(recordOf(this.#needs), "");
  }

  async #alone<T>(seq: number, work: () => Promise<T>): Promise<T> {
    await this.#myTurn(seq);
    this.#atWork.push(seq);
    await this.#write();
    let hasTurn = true;
    const pass = (): void => {
      if (hasTurn) this.#next();
      hasTurn = false;
    };
    const timer = setTimeout(pass, ALONE_MS * 5 ** this.#blameOf(seq));
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      this.#atWork.splice(this.#atWork.indexOf(seq), 1);
      // Written at once: a crash after the work, during the commit of its outcome, must not count for this entry.
      await this.#write();
      pass();
    }
  }

  /** Starts the waiting entry with the fewest crashes, so that harmless entries are done before the next crash. */
  #next(): void {
    const least = Math.min(...this.#waiting.map(({ seq }) => this.#blameOf(seq)));
    const place = this.#waiting.findIndex(({ seq }) => this.#blameOf(seq) === least);
    const [next] = place < 0 ? [] : this.#waiting.splice(place, 1);
    this.#turn = next !== undefined;
    next?.begin();
  }

  #myTurn(seq: number): Promise<void> | undefined {
    if (!this.#turn) {
      this.#turn = true;
      return undefined;
    }
    return new Promise((begin) => this.#waiting.push({ seq, begin }));
  }

  #blameOf(seq: number): number {
    return this.#record.blame[seq]?.ends ?? 0;
  }

  /** Ends the trial, unless a remaining entry is at work or waits for its turn. */
  async #endIfIdle(): Promise<void> {
    if (this.#isOver) return;
    if (this.#atWork.length > 0 || this.#turn) {
      this.#quiet?.refresh();
      return;
    }
    clearTimeout(this.#quiet);
    this.#isOver = true;
    await this.#write();
  }

  /** Writes the record. A failure is only logged, so that it delays no answer. */
  async #write(): Promise<void> {
    const { ends, blame } = this.#record;
    const text: ProcessRecord = {
      ends: this.#isOver ? 0 : ends,
      atWork: this.#atWork,
      blame: this.#isOver ? {} : blame,
    };
    await this.#needs.store
      .setMeta(recordOf(this.#needs), JSON.stringify(text))
      .catch((error: unknown) =>
        this.#needs.log.error({ err: error }, "the record of work in progress could not be stored"),
      );
  }
}
