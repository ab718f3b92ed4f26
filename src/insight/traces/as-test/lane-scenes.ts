import type { AccountEvent } from "../../../events/event.ts";
import { runIdParts } from "../../../runtime/records.ts";
import { trunkOf } from "../../../runtime/runs.ts";
import type { Answers } from "../../../runtime/vocabulary.ts";
import { decided, type KeptVerdicts } from "../decided.ts";
import { readableEvent } from "../find-event.ts";
import { handOversNear, type TraceNeeds } from "../needs.ts";
import type { OutboxItem } from "../../kept-run.ts";
import type { Trace } from "../trace.ts";

/** An event of a lane (conversation), with the outbox items and hand-overs of the runs that it started. */
export interface LaneScene {
  readonly row: Answers["journal"][number];
  readonly event: AccountEvent;
  readonly decision: KeptVerdicts;
  readonly items: readonly OutboxItem[];
  readonly escalations: Answers["escalations"];
}

/** Events of one conversation that a test needs to reproduce one of them, in the order of arrival. */
export interface SceneInLane {
  /** Inbound events before the event that started the run, the latest last. */
  readonly before: readonly LaneScene[];
  /** The event that started the run, and later events that the run took as answers. */
  readonly own: readonly LaneScene[];
}

/** Maximum number of events of a lane that are read: the limit of a journal query. */
const MAX_ROWS = 1_000;

/** Returns the events that a test of one event needs: earlier events of the lane, and all events of the same run. */
export async function sceneInLane(
  needs: TraceNeeds,
  { event: { seq, lane, account }, decision: { takenBy } }: Pick<Trace, "event" | "decision">,
): Promise<SceneInLane> {
  const begins = takenBy === undefined ? seq : runIdParts(takenBy)[0];
  const rows = (await needs.journal({ lane, limit: MAX_ROWS })).toReversed();
  const [first = seq, last = seq] = [rows[0]?.seq, rows.at(-1)?.seq];
  const items = await needs.outbox({ seqFrom: first, seqTo: last, limit: MAX_ROWS });
  const escalations = await handOversNear(needs, { account: account.id, lane });
  const scenes = rows.flatMap((row): readonly LaneScene[] => {
    const event = readableEvent(row);
    if (event === undefined) return [];
    return [
      {
        row,
        event,
        decision: decided({ row }),
        items: items.filter((one) => one.seq === row.seq).toSorted((a, b) => a.id - b.id),
        escalations: escalations.filter((one) => one.seq === row.seq),
      },
    ];
  });
  const own: LaneScene[] = [];
  for (const scene of scenes) {
    const { takenBy: taker } = scene.decision;
    const whole = taker === undefined ? undefined : (trunkOf(taker) ?? taker);
    const isOwn =
      scene.row.seq === begins ||
      own.some(({ row }) => row.runs.some(({ id }) => (trunkOf(id) ?? id) === whole));
    if (isOwn) own.push(scene);
  }
  const before = scenes.filter(
    ({ row, event }) => row.seq < begins && event.direction === "inbound",
  );
  return { before, own };
}
