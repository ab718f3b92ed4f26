import type { Entry } from "../../../runtime/store/entry.ts";
import type { RunWatch } from "./virtual-store.ts";

/** Action, call or request of a rule. */
export interface RuleOutput {
  readonly rule: string;
  /** The action, or that a module or a service is asked, in one line. */
  readonly what: string;
  /** Label of the step: `actions[1]`. Absent for calls, requests and hand-overs. */
  readonly step?: string;
  /** User id of the receiver, as it is written in `what`. */
  readonly to?: string;
}

/** Output with the time at which it goes out. */
export interface Outgoing extends RuleOutput {
  /** Virtual time, in milliseconds since the epoch. */
  readonly at: number;
}

/** Output with the delay after its event. */
export interface TimedOutgoing extends RuleOutput {
  /** Absent: at once. */
  readonly after_ms?: number;
}

/** What one side came to since it was asked last. */
export interface SideNews {
  /** What went out for an entry, all of it: its number, and the list as JSON text; empty for nothing. */
  readonly over: readonly (readonly [seq: number, outgoing: string])[];
  /** Entries that still have runs at work, whose answers come later. */
  readonly held: readonly number[];
  /** Runs that were left at a call or a request, so far. */
  readonly left: number;
  /** Entries that could not be taken in, so far. */
  readonly failed: number;
}

interface Answer {
  readonly arrivedAt: number;
  readonly lines: TimedOutgoing[];
  /** Its runs that are not over. */
  open: number;
  /** It was told of as held. */
  told: boolean;
}

/** What goes out for each entry, told of once nothing more can come: so that no list of all entries is kept. */
export class EntryAnswers implements RunWatch {
  readonly #answers = new Map<number, Answer>();
  /** Those that something happened to since the last rest. */
  readonly #touched = new Set<number>();
  #over: (readonly [number, string])[] = [];
  #begun: number[] = [];
  #left = 0;
  #failed = 0;
  #current: Pick<Entry, "seq" | "arrivedAt"> = { seq: 0, arrivedAt: 0 };

  /** What follows from now on may follow from this entry. */
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

  /** A run was left at a call or a request. */
  leave(): void {
    this.#left += 1;
  }

  /** An entry could not be taken in: the bot would have given it up. */
  fail(): void {
    this.#failed += 1;
  }

  /** All that follows from something has followed. */
  rest(): void {
    for (const cause of this.#touched) {
      const answer = this.#answers.get(cause);
      if (answer !== undefined && answer.open === 0) this.#settle(cause, answer);
    }
    this.#touched.clear();
  }

  /** No more comes, whatever is still open. */
  end(): void {
    for (const [cause, answer] of this.#answers) this.#settle(cause, answer);
  }

  news(): SideNews {
    const held = this.#begun.filter((seq) => {
      const answer = this.#answers.get(seq);
      if (answer !== undefined) answer.told = true;
      return answer !== undefined;
    });
    const news = { over: this.#over, held, left: this.#left, failed: this.#failed };
    this.#over = [];
    this.#begun = [];
    return news;
  }

  #settle(cause: number, { lines, told }: Answer): void {
    this.#answers.delete(cause);
    if (told || lines.length > 0) {
      this.#over.push([cause, lines.length === 0 ? "" : JSON.stringify(lines)]);
    }
  }

  #of(cause: number): Answer {
    this.#touched.add(cause);
    const known = this.#answers.get(cause);
    if (known !== undefined) return known;
    const { arrivedAt } = this.#current;
    const answer = { arrivedAt, lines: [], open: 0, told: false };
    this.#answers.set(cause, answer);
    this.#begun.push(cause);
    return answer;
  }
}
