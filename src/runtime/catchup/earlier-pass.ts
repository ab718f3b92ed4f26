import * as z from "zod";
import { overlap, without } from "../../system/spans.ts";
import type { Store } from "../store/store.ts";
import { byAccountOf, type Gap } from "./plan.ts";

const gap = z.object({ account: z.string(), from: z.number(), to: z.number() });
const record = z.object({ seen: z.number(), missed: z.array(gap) });

type EarlierRecord = z.infer<typeof record>;

/**
 * Gaps of an earlier pass of the clock: they were found before the clock was set back, and lie in time that the clock
 * then shows again. Such time counts as covered only if it was covered in each pass.
 */
export interface EarlierPass {
  /** Returns the open gaps from before the clock was set back. By the present clock, they may lie in the future. */
  missed(): Promise<readonly Gap[]>;
  add(gaps: readonly Gap[]): Promise<void>;
  /** Removes closed gaps. */
  remove(gaps: readonly Gap[]): Promise<void>;
  /** Returns the number of the last set-back of the clock that is in the ledger. */
  seen(): Promise<number>;
  saw(n: number): Promise<void>;
}

const NAME = "catchup/earlier-pass";

/** Opens the stored record of these gaps in `store`; without a record, there are none. */
export function earlierPass(store: Pick<Store, "getMeta" | "setMeta">): EarlierPass {
  let latest: Promise<EarlierRecord> | undefined;
  const load = async (): Promise<EarlierRecord> => {
    const text = await store.getMeta(NAME);
    return text === undefined ? { seen: 0, missed: [] } : record.parse(JSON.parse(text));
  };
  /** Applies changes one after the other. */
  const change = (edit: (before: EarlierRecord) => EarlierRecord): Promise<EarlierRecord> => {
    const next = (latest ?? load()).then(async (before) => {
      const after = edit(before);
      if (after !== before) await store.setMeta(NAME, JSON.stringify(after));
      return after;
    });
    latest = next;
    // After a failed write the next change loads the record from disk again.
    next.catch(() => (latest = undefined));
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

/** Returns the parts of `gaps` that are in none of `others`. */
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
