import * as z from "zod";
import type { Log } from "../log.ts";
import type { AdminPort, ReadPort } from "../store/store.ts";

/** Finds the event whose handling ends the process, so that it does not do so at each start. */
export interface CrashTrial {
  /** Does work for an entry: at once, or alone and marked while what an ended process left is on trial. */
  run<T>(seq: number, work: () => Promise<T>): Promise<T>;
  /** Why the entry is not handled any more; undefined: it is. */
  condemned(seq: number): string | undefined;
  /** All entries that are not handled any more. */
  all(): readonly Condemned[];
  /** The process ends as it should. */
  close(): Promise<void>;
}

/** An entry that is not handled any more, and why. */
export interface Condemned {
  readonly seq: number;
  readonly reason: string;
}

/** Nothing is on trial. */
export const NO_TRIAL: CrashTrial = {
  run: (_seq, work) => work(),
  condemned: () => undefined,
  all: () => [],
  close: async () => {},
};

export interface CrashTrialNeeds {
  readonly store: Pick<AdminPort, "getMeta" | "setMeta"> & Pick<ReadPort, "journal" | "stats">;
  readonly log: Log;
  /** Names the place whose processes follow one another, where several share the store. Absent: there is one. */
  readonly seat?: string | undefined;
}

/** Name of what the store keeps of the process that holds it. */
const RECORD = "process";

function recordOf({ seat }: Pick<CrashTrialNeeds, "seat">): string {
  return seat === undefined ? RECORD : `${RECORD}/${seat}`;
}

/** What is kept from one start to the next. */
const record = z.object({
  /** Processes in succession that ended without a stop, before they had done what was left to them. */
  ends: z.number(),
  /** Entries at work, in the order in which they began; kept up only while there is a trial. */
  atWork: z.array(z.number()),
  /** By entry: ends while it was at work, and those of them while nothing else was. */
  blame: z.record(z.string(), z.object({ ends: z.number(), alone: z.number() })),
});

type ProcessRecord = z.infer<typeof record>;

/** So few entries are put on trial after the first end already, more only after the second. */
const FEW = 32;
/** An entry is the cause when the process ended so often while nothing else was at work, */
const ALONE_ENDS = 4;
/** or so often while others were, too. */
const SHARED_ENDS = 7;
/** So long nothing else is begun beside an entry on trial, in milliseconds; five times as long after each end. */
const ALONE_MS = 200;

/**
 * Reads what became of the process before, and notes that this one is at work.
 *
 * An entry that ends the process can't be told apart from the others that were at work; and marking each
 * before its turn would cost every event a write. So nothing is marked until a process has ended without
 * a stop. Then what it left is taken up one entry at a time, each marked on disk before; new entries go
 * past that. Who was alone at work at four further ends is handled no more. A machine that loses power, or
 * an operator who kills the process, ends it as well: four such ends hardly meet the same entry alone.
 */
export async function openCrashTrial(needs: CrashTrialNeeds): Promise<CrashTrial> {
  const { store } = needs;
  const before = readRecord(await store.getMeta(recordOf(needs)));
  const ends = before === undefined ? 0 : before.ends + 1;
  const [newest] = await store.journal({ limit: 1 });
  const left = before === undefined ? 0 : (await store.stats()).inbox;
  const blame = { ...before?.blame };
  for (const seq of before?.atWork ?? []) {
    const { ends: n, alone } = blame[seq] ?? { ends: 0, alone: 0 };
    const wasAlone = before?.atWork.length === 1 ? 1 : 0;
    blame[seq] = { ends: n + 1, alone: alone + wasAlone };
  }
  const trial = new Trial(needs, { ends, blame, left, last: newest?.seq ?? 0 });
  await trial.open();
  return trial;
}

function readRecord(text: string | undefined): ProcessRecord | undefined {
  return text === undefined || text === "" ? undefined : record.parse(JSON.parse(text));
}

interface Left extends Pick<ProcessRecord, "ends" | "blame"> {
  /** Inputs and effects that were left. */
  readonly left: number;
  /** The newest entry that was there. */
  readonly last: number;
}

class Trial implements CrashTrial {
  readonly #needs: CrashTrialNeeds;
  readonly #found: Left;
  readonly #isMarking: boolean;
  readonly #atWork: number[] = [];
  #waiting: { readonly seq: number; readonly begin: () => void }[] = [];
  #turn = false;
  #toDo: number;
  #isOver: boolean;

  constructor(needs: CrashTrialNeeds, found: Left) {
    this.#needs = needs;
    this.#found = found;
    this.#toDo = found.left;
    this.#isOver = found.left === 0;
    this.#isMarking = found.ends >= 2 || found.left <= FEW;
  }

  async open(): Promise<void> {
    const { ends, left } = this.#found;
    await this.#write();
    if (left === 0) return;
    this.#needs.log.warn(
      { left, ends },
      "the process before ended without a stop; what it left is taken up, one after the other",
    );
  }

  condemned(seq: number): string | undefined {
    const { ends = 0, alone = 0 } = this.#found.blame[seq] ?? {};
    if (alone < ALONE_ENDS && ends < SHARED_ENDS) return undefined;
    return `the process ended ${ends + 1} times while this event was at work; it is not handled any more`;
  }

  all(): readonly Condemned[] {
    return Object.keys(this.#found.blame)
      .map(Number)
      .flatMap((seq) => {
        const reason = this.condemned(seq);
        return reason === undefined ? [] : [{ seq, reason }];
      });
  }

  async run<T>(seq: number, work: () => Promise<T>): Promise<T> {
    if (this.#isOver || seq > this.#found.last) return work();
    try {
      return await (this.#isMarking ? this.#alone(seq, work) : work());
    } finally {
      this.#toDo -= 1;
      if (this.#toDo <= 0 && this.#atWork.length === 0 && !this.#turn) await this.#end();
    }
  }

  async close(): Promise<void> {
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
      // On disk at once: an end that comes while its outcome is being kept is not its doing.
      await this.#write();
      pass();
    }
  }

  /** Who was at work at no end goes first: it is done, then, when the next end comes. */
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
    return this.#found.blame[seq]?.ends ?? 0;
  }

  async #end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#write();
  }

  /** A store that can't keep it holds up no answer. */
  async #write(): Promise<void> {
    const { ends, blame } = this.#found;
    const text: ProcessRecord = {
      ends: this.#isOver ? 0 : ends,
      atWork: this.#atWork,
      blame: this.#isOver ? {} : blame,
    };
    await this.#needs.store
      .setMeta(recordOf(this.#needs), JSON.stringify(text))
      .catch((error: unknown) =>
        this.#needs.log.error({ err: error }, "what is at work could not be marked"),
      );
  }
}
