import type { Entry } from "../../../runtime/vocabulary.ts";
import type { RunWatch } from "./virtual-store.ts";

/** Output of a rule: an action, a hand-over, a call of a module, or a request. */
export interface RuleOutput {
  readonly rule: string;
  /** Text of the output in one line. */
  readonly what: string;
  /** Label of the step: `actions[1]`. Absent for calls, requests and hand-overs. */
  readonly step?: string;
  /** User id of the receiver, as it appears in `what`. */
  readonly to?: string;
}

/** Output of a rule with the time at which it is sent. */
export interface Outgoing extends RuleOutput {
  /** Virtual time, in milliseconds since the epoch. */
  readonly at: number;
}

/** Output of a rule with its delay after the event. */
export interface TimedOutgoing extends RuleOutput {
  /** Delay after the event; absent if the output is sent at once. */
  readonly after_ms?: number;
}

/** Results of one set of rules since its previous report. */
export interface SideNews {
  /** Entries whose output is complete: number, and output as JSON text. The text is empty if there is no output. */
  readonly over: readonly (readonly [seq: number, outgoing: string])[];
  /** Numbers of entries with unfinished runs; their output is reported later. */
  readonly held: readonly number[];
  /** Number of runs so far that were ended at a call or a request. */
  readonly partialRuns: number;
  /** Number of entries so far that could not be read. */
  readonly failed: number;
}

interface Answer {
  readonly arrivedAt: number;
  readonly lines: TimedOutgoing[];
  /** Number of unfinished runs of the entry. */
  open: number;
  /** Whether the entry was reported in `held`, as unfinished. */
  isReported: boolean;
}

/** Collects the output of each journal entry. Reports and then forgets the output once the entry's runs have ended. */
export class EntryAnswers implements RunWatch {
  readonly #answers = new Map<number, Answer>();
  /** Numbers of entries with new output since the last call of {@link rest}. */
  readonly #touched = new Set<number>();
  #over: (readonly [number, string])[] = [];
  #begun: number[] = [];
  #partialRuns = 0;
  #failed = 0;
  #current: Pick<Entry, "seq" | "arrivedAt"> = { seq: 0, arrivedAt: 0 };

  /** Makes an entry the current one: its arrival is the base for delays of new output. */
  begin(entry: Pick<Entry, "seq" | "arrivedAt">): void {
    this.#current = entry;
  }

  add(cause: number, { at, ...output }: Outgoing): void {
    const answer = this.#of(cause);
    const after = at - answer.arrivedAt;
    answer.lines.push(after > 0 ? { ...output, after_ms: after } : output);
  }

  onOpened(cause: number): void {
    this.#of(cause).open += 1;
  }

  onClosed(cause: number): void {
    this.#of(cause).open -= 1;
  }

  /** Counts a run that was ended at a call or a request. */
  leave(): void {
    this.#partialRuns += 1;
  }

  /** Counts an entry that could not be read. A bot would dead-letter such an entry. */
  fail(): void {
    this.#failed += 1;
  }

  /**
   * Reports the output of changed entries that have no unfinished runs. Called when all immediate results have been
   * added.
   */
  rest(): void {
    for (const cause of this.#touched) {
      const answer = this.#answers.get(cause);
      if (answer !== undefined && answer.open === 0) this.#settle(cause, answer);
    }
    this.#touched.clear();
  }

  /** Reports the output of all entries, including entries with unfinished runs. */
  end(): void {
    for (const [cause, answer] of this.#answers) this.#settle(cause, answer);
  }

  news(): SideNews {
    const held = this.#begun.filter((seq) => {
      const answer = this.#answers.get(seq);
      if (answer !== undefined) answer.isReported = true;
      return answer !== undefined;
    });
    const news = { over: this.#over, held, partialRuns: this.#partialRuns, failed: this.#failed };
    this.#over = [];
    this.#begun = [];
    return news;
  }

  #settle(cause: number, { lines, isReported }: Answer): void {
    this.#answers.delete(cause);
    if (isReported || lines.length > 0) {
      this.#over.push([cause, lines.length === 0 ? "" : JSON.stringify(lines)]);
    }
  }

  #of(cause: number): Answer {
    this.#touched.add(cause);
    const existing = this.#answers.get(cause);
    if (existing !== undefined) return existing;
    const { arrivedAt } = this.#current;
    const answer = { arrivedAt, lines: [], open: 0, isReported: false };
    this.#answers.set(cause, answer);
    this.#begun.push(cause);
    return answer;
  }
}
