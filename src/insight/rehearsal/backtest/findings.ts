import { type ChangeGroup, ChangeGroups } from "./change-groups.ts";
import type { BacktestExample, BacktestKind } from "./example.ts";
import type { SideNews, TimedOutgoing } from "./entry-answers.ts";

/** Differences between the outputs of two sets of rules, for all events that both sets have completed so far. */
export interface BacktestFindings {
  /** Number of events by kind of difference. Events without output before and after are not counted. */
  readonly counts: Readonly<Record<BacktestKind, number>>;
  /** Examples sorted by kind, then in the order of the journal. By default, the first 10 of each kind. */
  readonly examples: readonly BacktestExample[];
  /** Groups of events with the same difference, the largest group first. */
  readonly groups: readonly ChangeGroup[];
}

/** Maximum number of examples of each kind, by default. */
const EXAMPLES_OF_EACH = 10;

/** Reports of one set of rules about entries that the other set has not completed. */
interface Side {
  readonly over: Map<number, string>;
  readonly held: Set<number>;
}

/**
 * Compares the output of two sets of rules entry by entry. Stores only entries that one of the sets has not completed
 * yet.
 */
export class Findings {
  readonly #before: Side = { over: new Map(), held: new Set() };
  readonly #after: Side = { over: new Map(), held: new Set() };
  readonly #counts: Record<BacktestKind, number> = { same: 0, changed: 0, new: 0, gone: 0 };
  readonly #examples: Record<Exclude<BacktestKind, "same">, BacktestExample[]> = {
    changed: [],
    new: [],
    gone: [],
  };
  readonly #groups = new ChangeGroups();
  readonly #examplesOfEach: number;

  /** @param keepAll Whether to store all examples instead of the first 10 of each kind. */
  constructor({ keepAll = false }: { readonly keepAll?: boolean } = {}) {
    this.#examplesOfEach = keepAll ? Infinity : EXAMPLES_OF_EACH;
  }

  /** Records the reports of both sets of rules about the same page of entries. */
  take(before: SideNews, after: SideNews): void {
    note(this.#before, before);
    note(this.#after, after);
    for (const [seq] of before.over) this.#judge(seq);
    for (const [seq] of after.over) this.#judge(seq);
  }

  found(): BacktestFindings {
    const { changed, new: fresh, gone } = this.#examples;
    const examples = [...changed, ...fresh, ...gone];
    return { counts: { ...this.#counts }, examples, groups: this.#groups.list() };
  }

  #judge(seq: number): void {
    const [before, after] = [outputOf(this.#before, seq), outputOf(this.#after, seq)];
    if (before === undefined || after === undefined) return;
    this.#before.over.delete(seq);
    this.#after.over.delete(seq);
    if (before === after) {
      if (before !== "") this.#counts.same += 1;
      return;
    }
    const example = { seq, before: linesOf(before), after: linesOf(after) };
    const kind = kindOf(example);
    this.#counts[kind] += 1;
    if (kind === "same") return;
    this.#groups.add({ kind, ...example });
    keepFirst(this.#examples[kind], { kind, ...example }, this.#examplesOfEach);
  }
}

function note({ over, held }: Side, news: SideNews): void {
  for (const seq of news.held) held.add(seq);
  for (const [seq, lines] of news.over) {
    held.delete(seq);
    over.set(seq, lines);
  }
}

/** Returns the output of an entry; `undefined` while more may follow. */
function outputOf({ over, held }: Side, seq: number): string | undefined {
  return held.has(seq) ? undefined : (over.get(seq) ?? "");
}

function linesOf(text: string): readonly TimedOutgoing[] {
  const lines: readonly TimedOutgoing[] = text === "" ? [] : JSON.parse(text);
  return lines;
}

/** Compares the text and the delay of outputs, but not their rules: a rule may have been renamed or split. */
function kindOf({ before, after }: Pick<BacktestExample, "before" | "after">): BacktestKind {
  if (before.length === 0) return "new";
  if (after.length === 0) return "gone";
  const same =
    before.length === after.length &&
    before.every(
      ({ what, after_ms }, at) => what === after[at]?.what && after_ms === after[at]?.after_ms,
    );
  return same ? "same" : "changed";
}

function keepFirst(examples: BacktestExample[], example: BacktestExample, limit: number): void {
  const isLast = (examples.at(-1)?.seq ?? 0) < example.seq;
  if (examples.length >= limit && isLast) return;
  const place = isLast ? examples.length : examples.findIndex(({ seq }) => seq > example.seq);
  examples.splice(place, 0, example);
  if (examples.length > limit) examples.pop();
}
