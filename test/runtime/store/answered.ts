import type { Action } from "../../../src/actions/actions.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { entry, item, moved, takenIn } from "./builders.ts";

/** Answer to a person that is already sent. */
export interface SentAnswer {
  /** User id of the person. */
  readonly person: string;
  /** The platform's id of the sent message or post. */
  readonly platformId: string;
  readonly at?: number;
  readonly action?: Action;
  /** Outcome that the operator stated, without the platform's id. Absent: the platform confirmed the answer. */
  readonly byHand?: "sent" | "failed";
}

/** Stores an event of a person, with an answer that account 100 has sent. */
export async function answered(store: Store, answer: SentAnswer): Promise<void> {
  const { person, platformId, at = 3_000, byHand } = answer;
  const { action = { type: "reply_dm", to: person, text: "hi" } as const } = answer;
  const leases = await store.lease("worker", 15_000);
  const lane = `100/${person}`;
  await store.append([entry({ key: `to ${platformId}`, lane, at, arrivedAt: at })]);
  const [input] = await store.fetch(leases, at, 1);
  if (input?.kind !== "event") throw new Error("nothing to decide");
  const queued = item({ key: `answer ${platformId}`, seq: input.entry.seq, lane, action });
  await store.commit("worker", [takenIn(leases, input, { items: [queued] })]);
  const [due] = await store.dueItems(leases, at, 1);
  if (due === undefined) throw new Error("nothing to send");
  const sending = moved(leases, due, "sending", { at });
  const outcome =
    byHand === undefined ? { platformId } : { reason: `settled by the operator as ${byHand}` };
  const sent = moved(leases, { ...due, status: "sending" }, byHand ?? "sent", { at, ...outcome });
  for (const change of [sending, sent]) await store.changeItems("worker", [change]);
}
