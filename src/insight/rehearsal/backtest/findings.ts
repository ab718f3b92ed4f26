import { type ChangeGroup, ChangeGroups } from "./change-groups.ts";
import type { BacktestExample, BacktestKind } from "./example.ts";
import type { SideNews, TimedOutgoing } from "./entry-answers.ts";

/** What a backtest has found so far. */
export interface BacktestFindings {
  /** Events by how what goes out for them differs; those that nothing goes out for are in none. */
  readonly counts: Readonly<Record<BacktestKind, number>>;
  /** The first 10 of each kind (all on request), by kind and in the order of the journal. */
  readonly examples: readonly BacktestExample[];
  /** Events whose answers differ in the same way, the largest group first. */
  readonly groups: readonly ChangeGroup[];
}

/** Examples that are kept of each kind. */
const EXAMPLES_OF_EACH = 10;

/** What one side has said of entries that the other has not said all of. */
interface Side {
  readonly over: Map<number, string>;
  readonly held: Set<number>;
}

/** Compares what two sets of rules let out, entry by entry, and keeps only what is not known of both yet. */
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

  /** @param keepAll Keeps every example instead of the first 10 of each kind. */
  constructor({ keepAll = false }: { readonly keepAll?: boolean } = {}) {
    this.#examplesOfEach = keepAll ? Infinity : EXAMPLES_OF_EACH;
  }

  /** What both sides came to by the same entries. */
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
    const [before, after] = [taken(this.#before, seq), taken(this.#after, seq)];
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

/** What goes out for an entry; `undefined` while more may come, and where it was judged. */
function taken({ over, held }: Side, seq: number): string | undefined {
  return held.has(seq) ? undefined : (over.get(seq) ?? "");
}

function linesOf(text: string): readonly TimedOutgoing[] {
  const lines: readonly TimedOutgoing[] = text === "" ? [] : JSON.parse(text);
  return lines;
}

/** Who says it makes no difference: a rule may have been renamed, or cut in two. */
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
