import type { Conversations } from "./rig.ts";
import { answersTo, type Said, trackOf } from "./script.ts";

/** Difference between expected and actual answers, about one message or one lane (one account's conversation). */
export interface Fault {
  readonly kind: "lost" | "doubled" | "muted" | "out_of_order" | "unknown" | "invented";
  readonly lane: string;
  readonly about: string;
}

/** Result of comparing the platform's messages and the bot's journal with the answers that the rules ask for. */
export interface Findings {
  readonly acknowledged: number;
  readonly answered: number;
  readonly faults: readonly Fault[];
}

/**
 * Compares the messages on the platform with the answers of the rules.
 *
 * @param said All messages of the conversations so far.
 * @param last The last message of each conversation; if it gets no answer, the fault is `muted`.
 */
export async function verify(
  rig: Conversations,
  said: readonly Said[],
  last: readonly Said[],
): Promise<Findings> {
  const faults: Fault[] = [];
  let acknowledged = 0;
  let answered = 0;
  const lastOnes = new Set(last.map(({ id }) => id));
  for (const [lane, messages] of lanesOf(said)) {
    const [{ account, person } = { account: "", person: "" }] = messages;
    const there = await rig.written(account, person);
    const times = counted(there);
    for (const one of messages) {
      const counts = answersTo(one).map((answer) => times.get(answer) ?? 0);
      for (const answer of answersTo(one)) times.delete(answer);
      const isAcknowledged = rig.door.acknowledged.has(one.id);
      const complete = counts.every((count) => count > 0);
      acknowledged += isAcknowledged ? 1 : 0;
      answered += complete ? 1 : 0;
      if (counts.some((count) => count > 1))
        faults.push({ kind: "doubled", lane, about: one.text });
      if (lastOnes.has(one.id) && !complete) faults.push({ kind: "muted", lane, about: one.text });
      else if (isAcknowledged && !complete) faults.push({ kind: "lost", lane, about: one.text });
    }
    for (const text of times.keys()) faults.push({ kind: "invented", lane, about: text });
    const order = await rig.arrivals(lane);
    for (const about of misplaced(there, messages, order)) {
      faults.push({ kind: "out_of_order", lane, about });
    }
  }
  const unknownItems = (await rig.ask("outbox", { status: "unknown", limit: 1_000 })) ?? [];
  for (const { lane, key } of unknownItems) faults.push({ kind: "unknown", lane, about: key });
  return { acknowledged, answered, faults };
}

function lanesOf(said: readonly Said[]): ReadonlyMap<string, readonly Said[]> {
  const lanes = new Map<string, Said[]>();
  for (const one of said) {
    const lane = `${one.account}/${one.person}`;
    const laneMessages = lanes.get(lane);
    if (laneMessages === undefined) lanes.set(lane, [one]);
    else laneMessages.push(one);
  }
  return lanes;
}

function counted(texts: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}

/** Returns answers that came before the answer to an earlier message on the same track (see {@link trackOf}). */
function misplaced(
  there: readonly string[],
  messages: readonly Said[],
  order: ReadonlyMap<string, number>,
): readonly string[] {
  const expected = new Map(
    messages.flatMap((one) =>
      answersTo(one).map((answer, place) => [
        answer,
        { track: trackOf(one.kind, place), seq: order.get(one.id) ?? 0 },
      ]),
    ),
  );
  const reached = new Map<string, number>();
  const wrong: string[] = [];
  for (const text of new Set(there)) {
    const answer = expected.get(text);
    if (answer === undefined) continue;
    if (answer.seq < (reached.get(answer.track) ?? 0)) wrong.push(text);
    reached.set(answer.track, Math.max(answer.seq, reached.get(answer.track) ?? 0));
  }
  return wrong;
}
