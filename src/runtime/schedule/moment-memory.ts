import type { Schedule, ScheduledRule } from "../../rules/schedule.ts";
import type { Store } from "../store/store.ts";

/** Where the latest moments are kept. */
export type MomentMemory = Pick<Store, "getMeta" | "setMeta">;

/** The latest moment of each schedule and account that is in the journal. */
export interface LatestMoments {
  /** Some schedule is remembered, or what is remembered was not read yet. */
  readonly remembers: boolean;
  /** Reads what was kept; once. */
  load(): Promise<void>;
  /**
   * From when on a schedule is to be looked at; one that is new, from now on. So is one whose time lies ahead, since the
   * clock was set back: what had come of it is known to the journal.
   */
  of(
    schedule: Pick<ScheduledRule, "rule" | "formerly" | "cron" | "zone">,
    account: string,
    now: number,
  ): { readonly name: string; readonly after: number };
  looked(schedule: Schedule & { readonly rule: string }, account: string, at: number): void;
  /** Drops those of rules and accounts that there are no longer. */
  forgetAllBut(names: ReadonlySet<string>): void;
  /** Keeps what has changed. */
  save(): Promise<void>;
}

/** Under this name the store keeps them. */
const LATEST = "schedule-moments";

/** What is remembered in `store`; nothing was read yet. */
export function momentMemory(store: MomentMemory): LatestMoments {
  let latest: Map<string, number> | undefined;
  let isChanged = false;
  const all = (): Map<string, number> => (latest ??= new Map());
  const set = (name: string, at: number): void => {
    all().set(name, at);
    isChanged = true;
  };
  return {
    get remembers() {
      return latest === undefined || latest.size > 0 || isChanged;
    },
    async load() {
      if (latest !== undefined) return;
      const text = await store.getMeta(LATEST);
      const kept: Readonly<Record<string, number>> = text === undefined ? {} : JSON.parse(text);
      latest = new Map(Object.entries(kept));
    },
    of(schedule, account, now) {
      const [name = "", ...former] = [schedule.rule, ...schedule.formerly].map((rule) =>
        nameOf({ ...schedule, rule }, account),
      );
      const known = [name, ...former].map((one) => all().get(one)).find((at) => at !== undefined);
      const after = Math.min(known ?? now, now);
      if (all().get(name) !== after) set(name, after);
      return { name, after };
    },
    looked: (schedule, account, at) => set(nameOf(schedule, account), at),
    forgetAllBut(names) {
      for (const name of all().keys()) {
        if (names.has(name)) continue;
        all().delete(name);
        isChanged = true;
      }
    },
    async save() {
      if (!isChanged) return;
      await store.setMeta(LATEST, JSON.stringify(Object.fromEntries(all())));
      isChanged = false;
    },
  };
}

function nameOf({ rule, cron, zone }: Schedule & { readonly rule: string }, account: string) {
  return `${account} ${rule} ${zone} ${cron}`;
}
