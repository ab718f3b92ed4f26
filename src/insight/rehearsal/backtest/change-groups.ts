import type { TimedOutgoing } from "./entry-answers.ts";
import type { BacktestExample } from "./example.ts";

/** Events with the same kind of difference, caused by the same rules and steps. */
export interface ChangeGroup {
  readonly kind: BacktestExample["kind"];
  readonly count: number;
  /** Output of the earliest event of the group. */
  readonly before: readonly TimedOutgoing[];
  readonly after: readonly TimedOutgoing[];
  /** Journal numbers of the group's earliest events, ascending, up to 10. */
  readonly seqs: readonly number[];
}

interface OpenGroup {
  count: number;
  readonly seqs: number[];
  sample: BacktestExample;
}

/** Maximum number of journal numbers that are stored for a group. */
const SEQS_PER_GROUP = 10;
/** Maximum number of groups. It bounds the memory: a rule that repeats steps can cause any number of groups. */
const MAX_GROUPS = 1_000;

/** Groups events with different output by the rules and steps that cause the output before and after. */
export class ChangeGroups {
  readonly #groups = new Map<string, OpenGroup>();

  add(example: BacktestExample): void {
    const key = keyOf(example);
    const group = this.#groups.get(key);
    if (group === undefined) {
      if (this.#groups.size >= MAX_GROUPS) return;
      this.#groups.set(key, { count: 1, seqs: [example.seq], sample: example });
      return;
    }
    group.count += 1;
    if (example.seq < group.sample.seq) group.sample = example;
    insertLowest(group.seqs, example.seq);
  }

  /** Returns the groups, the largest first. */
  list(): readonly ChangeGroup[] {
    return [...this.#groups.values()]
      .toSorted((a, b) => b.count - a.count || a.sample.seq - b.sample.seq)
      .map(({ count, seqs, sample: { kind, before, after } }) => {
        return { kind, count, before, after, seqs: [...seqs] };
      });
  }
}

function keyOf({ kind, before, after }: BacktestExample): string {
  return JSON.stringify([kind, before.map(placeOf), after.map(placeOf)]);
}

/**
 * Returns the rule and the step that caused an output. Output without a step, such as `call FILE#NAME`, is identified
 * by its first two words instead of the step.
 */
function placeOf({ rule, step, what }: TimedOutgoing): string {
  return `${rule}/${step ?? what.split(" ", 2).join(" ")}`;
}

function insertLowest(seqs: number[], seq: number): void {
  const place = seqs.findIndex((one) => one > seq);
  if (place === -1 && seqs.length >= SEQS_PER_GROUP) return;
  seqs.splice(place === -1 ? seqs.length : place, 0, seq);
  if (seqs.length > SEQS_PER_GROUP) seqs.pop();
}
