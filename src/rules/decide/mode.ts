import type { Json } from "../../protocol/json.ts";
import type { TextTemplate } from "../expression/template.ts";
import type { VerdictReason } from "./decision.ts";

/** What becomes of an event while runs of its rule and key are under way. */
export interface RunMode {
  /** `single`: it is left. `restart`: they end. `queued`: its run waits. `parallel`: its run goes on beside them. */
  readonly mode: "single" | "restart" | "queued" | "parallel";
  /** Runs that may wait (`queued`), or be under way at once (`parallel`). */
  readonly max: number;
  /** Whose runs they are; the sender's, where absent. */
  readonly key?: TextTemplate;
}

/** A run that holds a slot, or queues for it. */
export interface Holder {
  /** Its id. */
  readonly run: string;
  readonly queues: boolean;
}

/** What a mode says of one more run. */
export type SlotAnswer =
  | "starts"
  | "queues"
  | { readonly refused: VerdictReason; readonly wanted: string; readonly actual: string };

/** A key that is longer than this names nothing. */
export const LONGEST_KEY = 500;

/** How long a run waits for its turn, in milliseconds: later its answer would come out of the blue. */
export const QUEUE_LIFE_MS = 24 * 60 * 60_000;

/** Those who hold a slot, as the store tells them. */
export function holdersIn(kept: Json | undefined): readonly Holder[] {
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((one) => {
    if (typeof one !== "object" || one === null || Array.isArray(one)) return [];
    const { run, queues } = one;
    return typeof run === "string" ? [{ run, queues: queues === true }] : [];
  });
}

/** The same as a value that is kept. */
export function holdersAsJson(holders: readonly Holder[]): Json {
  return holders.map(({ run, queues }) => ({ run, queues }));
}

/** Whether there is room for one more run to be under way. */
export function hasRoom({ mode, max }: RunMode, holders: readonly Holder[]): boolean {
  const running = holders.filter(({ queues }) => !queues).length;
  return mode === "restart" || running < (mode === "parallel" ? max : 1);
}

/** Whether one more run may start, or may wait for its turn. */
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
        actual: `${holders.length} are under way`,
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
