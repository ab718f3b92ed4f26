import type { Schedule, ScheduledRule } from "../../rules/schedule.ts";
import type { Store } from "../store/store.ts";

/** Methods of the store that save and load the latest moments. */
export type MomentMemory = Pick<Store, "getMeta" | "setMeta">;

/** Latest moment in the journal, for each schedule and account. A moment is one time at which a schedule is due. */
export interface LatestMoments {
  /** Whether any schedule is remembered, or the memory has not been loaded yet. */
  readonly remembers: boolean;
  /** Loads the stored moments, once. */
  load(): Promise<void>;
  /**
   * Returns the time of a schedule's latest stored moment: later moments are due. It is `now` for a new schedule, or if
   * a set-back of the clock has left the stored time in the future: the journal ignores moments that come again.
   */
  of(
    schedule: Pick<ScheduledRule, "rule" | "formerly" | "cron" | "zone">,
    account: string,
    now: number,
  ): { readonly name: string; readonly after: number };
  /** Records that the moment `at` of a schedule is in the journal. */
  recordMoment(schedule: Schedule & { readonly rule: string }, account: string, at: number): void;
  /** Deletes the latest moments of schedules that are not in `names`: their rules or accounts no longer exist. */
  forgetAllBut(names: ReadonlySet<string>): void;
  /** Writes the changed latest moments to the store. */
  save(): Promise<void>;
}

/** Name of the store's value that holds the latest moments of all schedules. */
const LATEST = "schedule-moments";

/** Creates the memory over `store`. It is empty until `load` is called. */
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
      const stored: Readonly<Record<string, number>> = text === undefined ? {} : JSON.parse(text);
      latest = new Map(Object.entries(stored));
    },
    of(schedule, account, now) {
      const [name = "", ...former] = [schedule.rule, ...schedule.formerly].map((rule) =>
        nameOf({ ...schedule, rule }, account),
      );
      const time = [name, ...former].map((one) => all().get(one)).find((at) => at !== undefined);
      const after = Math.min(time ?? now, now);
      if (all().get(name) !== after) set(name, after);
      return { name, after };
    },
    recordMoment: (schedule, account, at) => set(nameOf(schedule, account), at),
    forgetAllBut(names) {
      for (const name of all().keys()) {
        if (names.has(name)) continue;
        all().delete(name);
        isChanged = true;
      }
    },
    async save() {
      if (!isChanged) return;
      isChanged = false;
      try {
        await store.setMeta(LATEST, JSON.stringify(Object.fromEntries(all())));
      } catch (error) {
        isChanged = true;
        throw error;
      }
    },
  };
}

function nameOf({ rule, cron, zone }: Schedule & { readonly rule: string }, account: string) {
  return `${account} ${rule} ${zone} ${cron}`;
}
