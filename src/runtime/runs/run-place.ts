import type { AccountEvent } from "../../events/event.ts";
import type { CompiledRule } from "../../rules/ruleset.ts";
import { type StoredRun, whose, runId, type RunStatus, type RunWrite } from "../store/run.ts";
import type { Action, ActionOf } from "../../actions/actions.ts";
import { partsOf, thirdPartyReason } from "../../actions/parts.ts";
import type { Posting } from "../../protocol/public-text/posting.ts";
import { laneOf } from "../../events/lane.ts";
import type { StepTurn } from "../../rules/run.ts";
import type { Entry } from "../store/entry.ts";
import type { NewItem } from "../store/item.ts";

/** Where a run is kept, and the entry that started it. */
export interface RunPlace {
  readonly id: string;
  readonly owner: string;
  readonly revision: string;
  /** The version that was read; 0 for a new run. */
  readonly version: number;
  readonly entry: Entry;
  /** What it shares with other runs of its rule; kept from its first write on. */
  readonly slot?: string | undefined;
}

/** An answer that could not be sent for so long would come out of the blue: it is given up. */
const ANSWER_LIFE_MS = 24 * 60 * 60_000;

/** Kinds of events by which a person says something, and waits for an answer. */
const ASKS: ReadonlySet<string> = new Set(["message", "post"]);
/** The priority of what nobody waits for: a welcome, a like in return. */
const UNASKED = 1;

/** The place of a run that `entry` starts. */
export function newPlace(entry: Entry, owner: string, revision: string, slot?: string): RunPlace {
  return { id: runId(entry.seq, owner), owner, revision, version: 0, entry, slot };
}

/** The place of a run that is kept already. */
export function placeOf(run: StoredRun, entry: Entry): RunPlace {
  const { id, owner, revision, version, slot } = run;
  return { id, owner, revision, version, entry, slot };
}

/** What the store is to keep of the run. */
export function writeAt(
  { id, owner, revision, version, entry, slot }: RunPlace,
  status: RunStatus,
  body: string,
  { waitsFor, listens = false, queues = false }: Waits = {},
): RunWrite {
  const { seq, account, lane } = entry;
  const write = { id, seq, owner, account, lane, revision, status, body, version };
  return {
    ...write,
    ...(waitsFor === undefined ? {} : { waitsFor }),
    ...(listens ? { listens } : {}),
    ...(slot === undefined ? {} : { slot }),
    ...(queues ? { queues } : {}),
  };
}

/** What a run waits for, as the store has to know it. */
interface Waits {
  /** Key of an item or id of a timer. */
  readonly waitsFor?: string | undefined;
  /** It takes events of its lane. */
  readonly listens?: boolean;
  /** It waits for its turn in its slot. */
  readonly queues?: boolean;
}

/** The run as the store will have it once `write` is kept. */
export function storedAs(write: RunWrite, { entry }: RunPlace): StoredRun {
  return { ...write, partition: entry.partition, version: write.version + 1 };
}

/**
 * Key of what a run does in one step: run, step label and iteration. The same when the step is gone
 * through again, so that what it queues is queued once.
 *
 * @param turn Which time the run comes to this step, and which attempt it is.
 */
export function stepKey(
  { id }: Pick<RunPlace, "id">,
  label: string,
  { round, iteration = 1, attempt = 1 }: StepTurn = {},
): string {
  return `${id}/${label}${round === undefined ? "" : `@${round}`}#${iteration}${attempt === 1 ? "" : `.${attempt}`}`;
}

/** Label of the step that queued an item: its key without run, round, iteration, attempt and part. */
export function stepLabel({ key, run }: Pick<NewItem, "key" | "run">): string {
  return key.slice(run.length + 1).replace(/(@\d+)?#[^#]*$/, "");
}

/** Id of the timer that is due when a run is to be over. */
export function deadlineKey(run: Pick<RunPlace, "id">): string {
  return stepKey(run, "timeout");
}

/** Which time a run comes to a step, and when the person last said something to it. */
interface ItemTurn extends StepTurn {
  /** By the platform's clock; what started the run, where absent. */
  readonly heardAt?: number;
}

/** The outbox item with which a run does `action` in the step `label`. */
export function itemAt(
  place: RunPlace,
  label: string,
  action: Action,
  now: number,
  turn: ItemTurn = {},
): NewItem {
  const { seq, account, kind, at } = place.entry;
  const asks = ASKS.has(kind);
  const heardAt = turn.heardAt ?? (asks ? at : undefined);
  return {
    key: stepKey(place, label, turn),
    run: place.id,
    seq,
    account,
    lane: laneOf(account, action.to),
    action,
    notBefore: now,
    expiresAt: now + (turn.timeoutMs ?? ANSWER_LIFE_MS),
    ...(asks ? {} : { priority: UNASKED }),
    ...(heardAt === undefined ? {} : { heardAt }),
  };
}

/**
 * Splits an item whose text is too long for one message or post into items for its parts. They go one after the other;
 * the last one has the item's key, so that whoever waits for the item waits for all of them. A further post of a thread
 * names the item before it.
 */
export function itemParts(item: NewItem, posting: Posting): readonly NewItem[] {
  const parts = partsOf(item.action, posting);
  const keyOf = (index: number): string =>
    index === parts.length - 1 ? item.key : `${item.key}.part[${index}]`;
  return parts.map((action, index) => {
    const holdReason = thirdPartyReason(action);
    return {
      ...item,
      ...(holdReason === undefined ? {} : { holdReason }),
      key: keyOf(index),
      action: index > 0 && canFollow(action) ? { ...action, after: keyOf(index - 1) } : action,
    };
  });
}

function canFollow(action: Action): action is ActionOf<"reply_post" | "create_post"> {
  return action.type === "reply_post" || action.type === "create_post";
}

const OWNER = "rule:";

/** The owner of a rule's runs. */
export function ownerOf(ruleId: string): string {
  return `${OWNER}${ruleId}`;
}

/** The owner of a run that `event` starts: one event may make a rule run by several counts, once by each. */
export function ownerOfRun({ id, triggers }: CompiledRule, event: AccountEvent): string {
  const isOnlyOne = event.kind !== "count" || triggers.length === 1;
  return isOnlyOne ? ownerOf(id) : `${ownerOf(id)}#${event.count.name}@${event.count.value}`;
}

/** The rule of `owner`. */
export function ruleIdOf(owner: string): string {
  return whose(owner).slice(OWNER.length);
}

/** Whether a rule owns the run; else a bot does. */
export function isRuleRun({ owner }: Pick<StoredRun, "owner">): boolean {
  return owner.startsWith(OWNER);
}
