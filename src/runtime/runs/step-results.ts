import type { ActionResult } from "../../actions/action-result.ts";
import { knownResult } from "../../actions/actions.ts";
import type { HttpOutcome } from "../../rules/run/http-request.ts";
import type { LookupOutcome } from "../../actions/lookup.ts";
import type { StepResult } from "../../rules/run.ts";
import type { Item } from "../store/item.ts";
import type { EffectOutcome } from "./effect.ts";

/** Converts outcomes of effects (sent items, module calls, requests, lookups) to the results of their steps. */

/**
 * Returns the result of the step that sent an item. An item held for the operator does not stop its run.
 *
 * @param ids Ids of the parts that are sent, in their order: posts of a thread, or messages.
 */
export function resultOfItem(item: Item, ids: readonly string[] = []): StepResult {
  const { status, reason } = item;
  if (status === "held") return { ok: true, result: null, held: reason ?? "held back" };
  const sent = ids.length > 0 && { ids };
  if (status === "sent") return { ok: true, result: resultOfSent(item), ...sent };
  const refusal = REFUSAL.exec(reason ?? "");
  if (refusal === null) {
    const message = reason ?? "the platform did not take it";
    return { ok: false, error: { code: `send-${status}`, message }, ...sent };
  }
  const [, code = "", why = ""] = refusal;
  const part = IN_PARTS.exec(reason ?? "")?.[1];
  const message = part === undefined ? why : `${part} was refused: ${why}`;
  return { ok: false, error: { code: `refused-${code}`, message }, status: Number(code), ...sent };
}

/** Returns the result of a sent item's action: the stored result, or else the result that follows from the action. */
export function resultOfSent({
  action,
  account,
  platformId,
  result,
}: Pick<Item, "action" | "account" | "platformId" | "result">): ActionResult {
  return result ?? knownResult(action, { account, platformId });
}

/** Matches the stored reason of the parts after a failed part, and captures which: `post 2 of the thread`. */
const IN_PARTS = /^not sent: ((?:post|part) \d+ of the (?:thread|message)) /;

/** Matches the stored reason of a refused item: captures the HTTP status and the message, without the request path. */
const REFUSAL = /was refused with (\d{3}): (.+)$/s;

/** Returns the result of the step that called a module. */
export function resultOfCall({ result }: Extract<EffectOutcome, { kind: "called" }>): StepResult {
  if (result.ok) return { ok: true, result: result.value };
  return { ok: false, error: { code: "call-failed", message: result.error } };
}

/** Returns the result of the step that sent a request to a service. */
export function resultOfRequest(outcome: HttpOutcome): StepResult {
  if (outcome.ok) return { ...outcome, result: outcome.json ?? outcome.text };
  const { code, error: message, ...answer } = outcome;
  return { ...answer, error: { code, message } };
}

/** Returns the result of a lookup step, which reads data from the platform. */
export function resultOfLookup(outcome: LookupOutcome): StepResult {
  if (outcome.ok) return { ok: true, result: outcome.result, status: 200 };
  const { code, error: message, status } = outcome;
  return { ok: false, error: { code, message }, ...(status !== undefined && { status }) };
}
