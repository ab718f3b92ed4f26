import type { Entry } from "../../../runtime/store/entry.ts";
import type { RunWatch } from "./virtual-store.ts";

/** Action, call or request of a rule. */
export interface RuleOutput {
  readonly rule: string;
  /** The action, call or request in one line. */
  readonly what: string;
  /** Label of the step: `actions[1]`. Absent for calls, requests and hand-overs. */
  readonly step?: string;
  /** User id of the receiver, as written in `what`. */
  readonly to?: string;
}

/** Output with the time at which it is sent. */
export interface Outgoing extends RuleOutput {
  /** Virtual time, in milliseconds since the epoch. */
  readonly at: number;
}

/** Output with the delay after its event. */
export interface TimedOutgoing extends RuleOutput {
  /** Delay after the event; absent if the output is sent at once. */
  readonly after_ms?: number;
}

/** Results of one side since its previous report. */
export interface SideNews {
  /** Complete output of an entry: its number, and the list as JSON text; empty without output. */
  readonly over: readonly (readonly [seq: number, outgoing: string])[];
  /** Numbers of entries with unfinished runs; their output is reported later. */
  readonly held: readonly number[];
  /** Runs that ended at a call or a request, so far. */
  readonly partialRuns: number;
  /** Entries that could not be read, so far. */
  readonly failed: number;
}

interface Answer {
  readonly arrivedAt: number;
  readonly lines: TimedOutgoing[];
  /** Number of unfinished runs of the entry. */
  open: number;
  /** Whether the entry was reported as held. */
  isReported: boolean;
}

/** Collects the output of each entry, reports it once the entry's runs have ended, and forgets it then. */
export class EntryAnswers implements RunWatch {
  readonly #answers = new Map<number, Answer>();
  /** Entries with new answers since the last call of {@link rest}. */
  readonly #touched = new Set<number>();
  #over: (readonly [number, string])[] = [];
  #begun: number[] = [];
  #partialRuns = 0;
  #failed = 0;
  #current: Pick<Entry, "seq" | "arrivedAt"> = { seq: 0, arrivedAt: 0 };

  /** Makes this entry the current one, to which new causes belong. */
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

  /** Counts a run that ended at a call or a request. */
  leave(): void {
    this.#partialRuns += 1;
  }

  /** Counts an entry that could not be read; the bot would have given it up. */
  fail(): void {
    this.#failed += 1;
  }

  /** Reports the output of changed entries without unfinished runs, once all immediate results are in. */
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
