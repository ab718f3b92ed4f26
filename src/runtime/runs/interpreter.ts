import { actionKind } from "../../actions/actions.ts";
import { USUAL_POSTING } from "../../protocol/public-text/posting.ts";
import { timeUp, type StepResult } from "../../rules/run.ts";
import type { Entry } from "../store/entry.ts";
import type { Item } from "../store/item.ts";
import { isFurtherPart, MAX_ITEMS_OF_EVENT, idsOfParts } from "../store/thread.ts";
import { handlerGoesOn } from "./handlers/handler-run.ts";
import { isByHand } from "./hand-over/answered-by-hand.ts";
import { type InterpreterNeeds, type Needs, readEvent } from "./needs.ts";
import { onEvent } from "./interpret/on-event.ts";
import { resultOfCall, resultOfItem, resultOfLookup, resultOfRequest } from "./step-results.ts";
import {
  requestBegins,
  ruleChanged,
  ruleGoesOn,
  runOverdue,
  settledBy,
} from "./interpret/take-on.ts";
import { type Interpretation, type LaneEvent, NOTHING, type RunHappened } from "./lane-event.ts";
import { notLinked } from "./not-linked.ts";
import { optOutOf } from "./restraints/opt-out.ts";
import { afterQuietHours } from "./restraints/quiet-hours.ts";
import { withLimits } from "./restraints/reply-limits.ts";
import { isRuleRun, deadlineKey, itemParts } from "./run-place.ts";

/** Returns what follows from a lane event: writes, effects and log lines. Makes no change itself. */
export type Interpret = (happened: LaneEvent) => Promise<Interpretation>;

/**
 * Creates the interpreter of lanes: rules decide on events and start runs, and a run continues when what it waits for
 * has happened. Everything that follows from one lane event is returned at once, to be committed in one transaction.
 */
export function interpreter(needs: InterpreterNeeds): Interpret {
  return async (happened) => {
    // Events of the webhook itself, such as the end of a replay job, belong to no account.
    const { account } = happened.entry;
    if (account !== "" && !needs.isLinked(account)) return notLinked(happened, needs.store);
    const now = { ...needs, ruleset: needs.ruleset() };
    return restrained(await followed(happened, now), happened.entry, now);
  };
}

async function followed(happened: LaneEvent, needs: Needs): Promise<Interpretation> {
  if (happened.kind === "event") return onEvent(happened, needs);
  return isRuleRun(happened.run) ? ruleFollows(happened, needs) : handlerGoesOn(happened, needs);
}

async function ruleFollows(happened: RunHappened, needs: Needs): Promise<Interpretation> {
  switch (happened.kind) {
    case "item-settled":
      // The run waits for something else now: the answer came before the question's item was settled.
      if (happened.run.waitsFor !== happened.item.key) return NOTHING;
      return ruleGoesOn(happened, needs, settledBy(await resultOf(happened.item, needs.store)));
    case "timer-due":
      if (happened.timer.id === deadlineKey(happened.run)) return runOverdue(happened, needs);
      if (happened.run.waitsFor !== happened.timer.id) return NOTHING;
      return ruleGoesOn(happened, needs, timeUp);
    case "rule-changed":
      return ruleChanged(happened, needs);
    case "request-begins":
      return requestBegins(happened);
    case "run-ready":
      return ruleGoesOn(happened, needs);
    case "effect-settled": {
      // A person may have taken over the conversation while the effect was under way. So the silences are read again,
      // and a late outcome sends nothing.
      const silences = await needs.store.silences(happened.run.lane);
      return onEffect({ ...happened, silences }, needs);
    }
    case "handler-progress":
      return NOTHING;
  }
}

/** Returns the result of a step that sent something, with the ids of all its posts or messages. */
async function resultOf(item: Item, store: Needs["store"]): Promise<StepResult> {
  const { action } = item;
  const others = isFurtherPart(action)
    ? await store.items({ seq: item.seq, limit: MAX_ITEMS_OF_EVENT })
    : [];
  return resultOfItem(item, idsOfParts(item, others));
}

function onEffect(
  happened: Extract<LaneEvent, { readonly kind: "effect-settled" }>,
  needs: Needs,
): Promise<Interpretation> | Interpretation {
  const { outcome } = happened;
  if (outcome.kind === "called") {
    return ruleGoesOn(happened, needs, settledBy(resultOfCall(outcome)));
  }
  if (outcome.kind === "requested") {
    return ruleGoesOn(happened, needs, settledBy(resultOfRequest(outcome.result)));
  }
  if (outcome.kind === "looked-up") {
    return ruleGoesOn(happened, needs, settledBy(resultOfLookup(outcome.result)));
  }
  return NOTHING;
}

/**
 * Splits items with long texts into parts, and applies reply limits, quiet hours and opt-outs. An answer counts once:
 * its further parts are held together with the first. An operator's answer
 * ignores quiet hours and reply limits, but is not sent to a person who has opted out.
 */
function restrained(interpretation: Interpretation, entry: Entry, needs: Needs): Interpretation {
  const { limitsOf, isLinked, optOut, quietHoursOf, posting = USUAL_POSTING, now } = needs;
  if (interpretation.items.length === 0) return interpretation;
  const byHand = isByHand(entry);
  const limits = byHand ? undefined : limitsOf?.(entry.account);
  const quiet = byHand ? undefined : quietHoursOf?.(entry.account);
  const event = readEvent(entry, needs);
  const parts = interpretation.items.flatMap((item) => itemParts(item, posting));
  const items = parts.map((one) => {
    const counted =
      limits === undefined || isFurtherPart(one.action)
        ? one
        : withLimits(one, entry, { limits, isOwn: isLinked(one.action.to), event });
    if (!actionKind(one.action.type).noticed) return counted;
    const isHeld = counted.holdReason !== undefined;
    const later = quiet === undefined || isHeld ? counted : afterQuietHours(counted, quiet, now());
    const unless = optOut && optOutOf(later);
    return unless === undefined ? later : { ...later, unless };
  });
  return { ...interpretation, items };
}
