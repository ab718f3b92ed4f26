import type { Json } from "../../protocol/json.ts";
import type { TextTemplate } from "../expression/template.ts";
import type { VerdictReason } from "./decision.ts";

/** Handling of an event while runs of the same rule and key are active. */
export interface RunMode {
  /**
   * `single`: skips the event. `restart`: ends active runs. `queued`: the new run waits. `parallel`: the new run
   * starts, too.
   */
  readonly mode: "single" | "restart" | "queued" | "parallel";
  /** Maximum number of waiting runs (`queued`), or of simultaneous runs (`parallel`). */
  readonly max: number;
  /** Template of the key. Absent: the sender is the key. */
  readonly key?: TextTemplate;
}

/** Run that holds a slot or waits for it. */
export interface Holder {
  /** Id of the run. */
  readonly run: string;
  readonly queues: boolean;
}

/** Whether one more run starts, waits in the queue, or is refused under a mode. */
export type SlotAnswer =
  | "starts"
  | "queues"
  | { readonly refused: VerdictReason; readonly wanted: string; readonly actual: string };

/** Maximum length of a key, in characters. */
export const LONGEST_KEY = 500;

/** Longest time in milliseconds that a run waits for its slot: a later answer would surprise the person. */
export const QUEUE_LIFE_MS = 24 * 60 * 60_000;

/** Reads the holders of a slot from their stored form. */
export function holdersIn(storedHolders: Json | undefined): readonly Holder[] {
  if (!Array.isArray(storedHolders)) return [];
  return storedHolders.flatMap((one) => {
    if (typeof one !== "object" || one === null || Array.isArray(one)) return [];
    const { run, queues } = one;
    return typeof run === "string" ? [{ run, queues: queues === true }] : [];
  });
}

/** Converts the holders of a slot to their stored form. */
export function holdersAsJson(holders: readonly Holder[]): Json {
  return holders.map(({ run, queues }) => ({ run, queues }));
}

/** Returns whether one more run may be active, given the holders of the slot. */
export function hasRoom({ mode, max }: RunMode, holders: readonly Holder[]): boolean {
  const running = holders.filter(({ queues }) => !queues).length;
  return mode === "restart" || running < (mode === "parallel" ? max : 1);
}

/** Decides whether one more run may start or wait. */
export function admit(mode: RunMode, holders: readonly Holder[]): SlotAnswer {
  const waiting = holders.filter(({ queues }) => queues).length;
  if (hasRoom(mode, holders) && (waiting === 0 || mode.mode !== "queued")) return "starts";
  const [first] = holders;
  const underWay = `${first?.run ?? "a run"} is under way`;
  switch (mode.mode) {
    case "queued":
      if (waiting < mode.max) return "queues";
      return {
        refused: "queue-full",
        wanted: `queued: at most ${mode.max} that wait`,
        actual: `${waiting} wait already`,
      };
    case "parallel":
      return {
        refused: "too-many-running",
        wanted: `parallel: at most ${mode.max} at once`,
        actual: `${holders.length - waiting} are under way`,
      };
    case "single":
    case "restart":
      return {
        refused: "already-running",
        wanted: `${mode.mode}: one at a time`,
        actual: underWay,
      };
  }
}
