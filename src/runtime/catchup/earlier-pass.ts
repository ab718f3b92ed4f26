import * as z from "zod";
import { overlap, without } from "../../system/spans.ts";
import type { Store } from "../store/store.ts";
import { byAccountOf, type Gap } from "./plan.ts";

const gap = z.object({ account: z.string(), from: z.number(), to: z.number() });
const record = z.object({ seen: z.number(), missed: z.array(gap) });

type EarlierRecord = z.infer<typeof record>;

/**
 * What is known of time that a clock, once set back, shows again: a stretch is covered only if it was so
 * each time. Kept on disk.
 */
export interface EarlierPass {
  /** What was missed before the clock was set back, and is not closed yet; it may lie ahead. */
  missed(): Promise<readonly Gap[]>;
  add(gaps: readonly Gap[]): Promise<void>;
  /** These are closed. */
  remove(gaps: readonly Gap[]): Promise<void>;
  /** Number of the last set-back that the ledger knows of. */
  seen(): Promise<number>;
  saw(n: number): Promise<void>;
}

const NAME = "catchup/earlier-pass";

/** What an earlier process left, or nothing. */
export function earlierPass(store: Pick<Store, "getMeta" | "setMeta">): EarlierPass {
  let known: Promise<EarlierRecord> | undefined;
  const load = async (): Promise<EarlierRecord> => {
    const text = await store.getMeta(NAME);
    return text === undefined ? { seen: 0, missed: [] } : record.parse(JSON.parse(text));
  };
  /** One change after the other. */
  const change = (made: (before: EarlierRecord) => EarlierRecord): Promise<EarlierRecord> => {
    const next = (known ?? load()).then(async (before) => {
      const after = made(before);
      if (after !== before) await store.setMeta(NAME, JSON.stringify(after));
      return after;
    });
    known = next;
    // What could not be written is read again from the disk.
    next.catch(() => (known = undefined));
    return next;
  };
  const read = (): Promise<EarlierRecord> => change((same) => same);
  return {
    missed: async () => (await read()).missed,
    async add(gaps) {
      if (gaps.length === 0) return;
      await change(({ seen, missed }) => ({ seen, missed: [...outside(missed, gaps), ...gaps] }));
    },
    async remove(gaps) {
      await change((before) => {
        const touched = before.missed.some((one) => gaps.some((other) => meet(one, other)));
        return touched ? { ...before, missed: outside(before.missed, gaps) } : before;
      });
    },
    seen: async () => (await read()).seen,
    async saw(n) {
      await change((before) => (before.seen < n ? { ...before, seen: n } : before));
    },
  };
}

/** What of these stretches is in none of the others. */
export function outside<T extends Gap>(gaps: readonly T[], others: readonly Gap[]): T[] {
  const byAccount = byAccountOf(others);
  return gaps.flatMap((one) => {
    const same = byAccount.get(one.account);
    return same === undefined ? [one] : without(one, same).map((part) => ({ ...one, ...part }));
  });
}

function meet(one: Gap, other: Gap): boolean {
  return one.account === other.account && overlap(one, other) !== undefined;
}
