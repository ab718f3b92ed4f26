import type { AccountEvent } from "../../events/event.ts";
import type { CompiledRule } from "../../rules/ruleset.ts";
import { type StoredRun, ruleOrBotOf, runId, type RunStatus, type RunWrite } from "../store/run.ts";
import type { Action, ActionOf } from "../../actions/actions.ts";
import { partsOf, thirdPartyReason } from "../../actions/parts.ts";
import type { Posting } from "../../protocol/public-text/posting.ts";
import { groupLaneOf, laneOf } from "../../events/lane.ts";
import type { StepTurn } from "../../rules/run.ts";
import type { Entry } from "../store/entry.ts";
import type { NewItem } from "../store/item.ts";

/** Id, owner, revision and version of a run, with the entry that started it. */
export interface RunPlace {
  readonly id: string;
  readonly owner: string;
  readonly revision: string;
  /** The version that was read; 0 for a new run. */
  readonly version: number;
  readonly entry: Entry;
  /** Slot that the run shares with other runs of its rule; stored from the first write on. */
  readonly slot?: string | undefined;
}

/** Time after which an unsent answer is given up: a later answer would surprise its receiver. */
const ANSWER_LIFE_MS = 24 * 60 * 60_000;

/** Kinds of events by which a person writes something and expects an answer. */
const ASKS: ReadonlySet<string> = new Set(["message", "post"]);
/** Priority of items that no person waits for: a welcome, a like in return. */
const UNASKED = 1;

/** Returns the {@link RunPlace} of a new run that `entry` starts. */
export function newPlace(entry: Entry, owner: string, revision: string, slot?: string): RunPlace {
  return { id: runId(entry.seq, owner), owner, revision, version: 0, entry, slot };
}

/** Returns the {@link RunPlace} of a stored run. */
export function placeOf(run: StoredRun, entry: Entry): RunPlace {
  const { id, owner, revision, version, slot } = run;
  return { id, owner, revision, version, entry, slot };
}

/** Returns the write that stores a run in the state `status` with the content `body`. */
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

/** Fields of a stored run that record what the run waits for. */
interface Waits {
  /** Key of an item or id of a timer. */
  readonly waitsFor?: string | undefined;
  /** Whether events of the lane are offered to the run, because it waits for an event. */
  readonly listens?: boolean;
  /** Whether the run waits for a place in its concurrency slot. */
  readonly queues?: boolean;
}

/** Returns the run as the store has it once `write` is committed. */
export function storedAs(write: RunWrite, { entry }: RunPlace): StoredRun {
  return { ...write, partition: entry.partition, version: write.version + 1 };
}

/**
 * Returns the key of a run's action in one step: run, step label, round, iteration and attempt. If the same step is
 * executed again after a crash, the key is the same, so that its item is queued only once.
 *
 * @param turn Round, iteration and attempt of the step.
 */
export function stepKey(
  { id }: Pick<RunPlace, "id">,
  label: string,
  { round, iteration = 1, attempt = 1 }: StepTurn = {},
): string {
  return `${id}/${label}${round === undefined ? "" : `@${round}`}#${iteration}${attempt === 1 ? "" : `.${attempt}`}`;
}

/** Returns the label of the step that queued an item: its key without run, round, iteration, attempt and part. */
export function stepLabel({ key, run }: Pick<NewItem, "key" | "run">): string {
  return key.slice(run.length + 1).replace(/(@[\d.]+)?#[^#]*$/, "");
}

/** Returns the id of the timer that is due at the run's deadline. */
export function deadlineKey(run: Pick<RunPlace, "id">): string {
  return stepKey(run, "timeout");
}

/** Round, iteration and attempt of a step, which become part of the item's key. */
interface ItemTurn extends StepTurn {
  /** Time of the person's last message to the run. Absent: the starting event's time, if it is a message or post. */
  readonly heardAt?: number;
}

/** Returns the outbox item with which a run performs `action` in the step `label`. */
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
    lane: laneOfAction(account, action),
    action,
    notBefore: now,
    expiresAt: now + (turn.timeoutMs ?? ANSWER_LIFE_MS),
    ...(asks ? {} : { priority: UNASKED }),
    ...(heardAt === undefined ? {} : { heardAt }),
  };
}

/** Returns the lane (ordering key) of an action: that of its group conversation, or else that of its receiver. */
function laneOfAction(account: string, action: Action): string {
  const group = action.type === "reply_dm" ? action.conversation : undefined;
  return group === undefined ? laneOf(account, action.to) : groupLaneOf(account, group);
}

/**
 * Splits an item whose text is too long for one message or post into one item per part, sent in order. The last part
 * has the item's key, so that a run waiting for the item waits for all parts. Each further part names the item before
 * it, without which it is not sent.
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

function canFollow(action: Action): action is ActionOf<"reply_post" | "create_post" | "reply_dm"> {
  const { type } = action;
  return type === "reply_post" || type === "create_post" || type === "reply_dm";
}

const OWNER = "rule:";

/** Returns the owner of a rule's runs, such as `rule:welcome`. */
export function ownerOf(ruleId: string): string {
  return `${OWNER}${ruleId}`;
}

/**
 * Returns the owner of the run of a rule that `event` starts. A rule with several triggers may be started once for each
 * count that one event raises. The owner of such a run therefore contains the count.
 */
export function ownerOfRun({ id, triggers }: CompiledRule, event: AccountEvent): string {
  const isOnlyOne = event.kind !== "count" || triggers.length === 1;
  return isOnlyOne ? ownerOf(id) : `${ownerOf(id)}#${event.count.name}@${event.count.value}`;
}

/** Returns the id of the rule that `owner` names. */
export function ruleIdOf(owner: string): string {
  return ruleOrBotOf(owner).slice(OWNER.length);
}

/** Whether a rule, rather than a bot, owns the run. */
export function isRuleRun({ owner }: Pick<StoredRun, "owner">): boolean {
  return owner.startsWith(OWNER);
}
