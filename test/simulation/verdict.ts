import { isSettled } from "../../src/runtime/store/item.ts";
import type { FaultPlan } from "./faults.ts";
import type { Deliveries } from "./platform/deliveries.ts";
import type { Made, ModelPlatform } from "./platform/model-platform.ts";
import type { Act, Wanted } from "./script.ts";
import type { ModelTables } from "./store/model-tables.ts";

/** A violation that must never occur. */
export interface Problem {
  readonly kind: "lost" | "doubled" | "out of order" | "muted" | "uncalled";
  /** Description in one sentence. */
  readonly text: string;
  /** Person whose conversation is affected. */
  readonly person?: string;
}

/** State at the end of a simulation. */
export interface Outcome {
  readonly deliveries: Deliveries;
  readonly platform: ModelPlatform;
  readonly tables: ModelTables;
  readonly faults: FaultPlan;
  readonly refusing: ReadonlySet<string>;
  /** Actions that people performed, with the key of the event and the answers that the rules call for. */
  readonly done: readonly DoneAct[];
}

export interface DoneAct {
  readonly act: Act;
  readonly key: string;
  readonly wanted: readonly Wanted[];
}

/** Finds all problems at the end, long after the last fault. */
export function problemsOf(outcome: Outcome): readonly Problem[] {
  return [
    ...undecided(outcome),
    ...unsettled(outcome),
    ...wrongReplies(outcome),
    ...wrongOrder(outcome),
    ...claimedTwice(outcome),
    ...tooEarly(outcome),
  ];
}

/** Finds acknowledged events that are missing in the journal or not decided. */
function undecided({ deliveries, tables }: Outcome): Problem[] {
  const { journal, decided } = tables.inbox;
  const states = new Map(
    [...journal.values()].map(({ key, seq }) => [key, decided.get(seq)?.state]),
  );
  return deliveries.all.flatMap(({ key, person, acknowledged }): Problem[] => {
    if (!acknowledged) return [{ kind: "muted", text: `${key} was never acknowledged`, person }];
    if (!states.has(key))
      return [{ kind: "lost", text: `${key} was acknowledged and is not in the journal`, person }];
    const state = states.get(key);
    if (state === "done") return [];
    return [{ kind: "lost", text: `${key} was not decided: ${state ?? "open"}`, person }];
  });
}

/** Finds work that is still open at the end. */
function unsettled({ tables }: Outcome): Problem[] {
  const items = [...tables.outbox.open.values()].map(
    ({ id, status, lane, reason = "" }): Problem => ({
      kind: "muted",
      text: `item ${id} is still ${status} in the end (${reason})`,
      person: personOf(lane),
    }),
  );
  const runs = tables.runs.open().map(({ run }): Problem => ({
    kind: "muted",
    text: `the run ${run.id} still waits for ${run.waitsFor ?? "its effect"}`,
    person: personOf(run.lane),
  }));
  return [...items, ...runs];
}

/** Checks that each reply was sent as often as the rules call for, and that no other reply was sent. */
function wrongReplies({ done, platform, refusing }: Outcome): Problem[] {
  const wanted = new Map<string, Wanted>();
  for (const one of done.flatMap((act) => act.wanted)) {
    const times = one.once ? 1 : (wanted.get(one.what)?.times ?? 0) + one.times;
    wanted.set(one.what, { ...one, times });
  }
  const there = countsOf(platform);
  const problems: Problem[] = [];
  for (const { what, times, person } of wanted.values()) {
    const count = there.get(what) ?? 0;
    there.delete(what);
    const mayFail =
      refusing.has(person) || (what.startsWith(ANYBODY) && anyRefusingAsked(done, refusing));
    const least = mayFail && what.startsWith("message") ? 0 : times;
    if (count < least) {
      const text = `“${what}” is there ${count} times, and was called for ${times} times`;
      problems.push({ kind: "lost", text, person });
    } else if (count > times) {
      const text = `“${what}” is there ${count} times, and was called for ${times} times`;
      problems.push({ kind: "doubled", text, person });
    }
  }
  for (const what of there.keys()) {
    problems.push({ kind: "uncalled", text: `nobody called for “${what}”` });
  }
  return problems;
}

const ANYBODY = "message to anybody: ";

function anyRefusingAsked(done: readonly DoneAct[], refusing: ReadonlySet<string>): boolean {
  return done.some(({ act }) => act.kind === "news" && refusing.has(act.person));
}

function countsOf({ content, likes, follows }: ModelPlatform): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const one of content) {
    if (one.kind === "post") add(`post ${one.inReplyTo ?? ""}: ${one.text}`);
    else if (one.text === "You are the first.") add(`${ANYBODY}${one.text}`);
    else add(`message ${one.to}: ${one.text}`);
  }
  for (const id of likes) add(`like ${id}`);
  for (const id of follows) add(`follow ${id}`);
  return counts;
}

/** Finds conversations whose first replies are not in the journal's order of the answered events. */
function wrongOrder({ done, platform, tables }: Outcome): Problem[] {
  const places = new Map(platform.content.map((one, place) => [textOf(one), place]));
  const entries = [...tables.inbox.journal.values()];
  const replies = entries.flatMap(({ key, lane }) => {
    const act = done.find((one) => one.key === key);
    const first = act?.wanted[0];
    const ordered = act?.act.kind === "ask" || act?.act.kind === "later";
    const place = first && places.get(first.what);
    return ordered && place !== undefined ? [{ lane, place, what: first?.what ?? "" }] : [];
  });
  const last = new Map<string, { readonly place: number; readonly what: string }>();
  return replies.flatMap(({ lane, place, what }): Problem[] => {
    const before = last.get(lane);
    last.set(lane, { place, what });
    if (before === undefined || before.place < place) return [];
    const text = `“${what}” came before “${before.what}”, though it was asked for after it`;
    return [{ kind: "out of order", text, person: personOf(lane) }];
  });
}

function textOf({ kind, to, text }: Made): string {
  return `${kind} ${to}: ${text}`;
}

/** Finds messages and posts that two outbox items count as theirs. */
function claimedTwice({ tables, platform }: Outcome): Problem[] {
  const claims = new Map<string, number>();
  const ids = new Set(platform.content.map(({ id }) => id));
  return [...tables.outbox.items.values()].flatMap(
    ({ id, platformId, lane, status }): Problem[] => {
      if (!isSettled(status) || platformId === undefined || !ids.has(platformId)) return [];
      const first = claims.get(platformId);
      claims.set(platformId, id);
      if (first === undefined) return [];
      const text = `items ${first} and ${id} both take ${platformId} for theirs`;
      return [{ kind: "lost", text, person: personOf(lane) }];
    },
  );
}

const DELAY_MS = 20_000;

/** Finds answers that came before the end of their rule's delay. */
function tooEarly({ platform, faults }: Outcome): Problem[] {
  if (faults.jumps.some(({ ms }) => ms < 0)) return [];
  return platform.content.flatMap((one): Problem[] => {
    if (!one.text.startsWith("Done: ")) return [];
    const before = platform.content.find(
      ({ to, text }) => to === one.to && text === one.text.replace("Done:", "Looking into"),
    );
    if (before !== undefined && one.at - before.at >= DELAY_MS) return [];
    return [{ kind: "out of order", text: `“${one.text}” came too early`, person: one.to }];
  });
}

function personOf(lane: string): string {
  return lane.slice(lane.indexOf("/") + 1);
}
