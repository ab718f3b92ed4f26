import type { HttpOutcome } from "../../rules/run/http-request.ts";
import type { StepResult } from "../../rules/run.ts";
import type { Item } from "../store/item.ts";
import type { EffectOutcome } from "./effect.ts";

/** How steps ended, by what came of what they asked for. */

/**
 * Result of the step that sent an item. One that is held back for the operator does not stop its run.
 *
 * @param ids Ids of the posts of its thread, the first one first, or of its message.
 */
export function resultOfItem(
  { status, platformId, reason }: Item,
  ids: readonly string[] = [],
): StepResult {
  if (status === "held") return { ok: true, result: null, held: reason ?? "held back" };
  if (status === "sent") {
    return { ok: true, result: platformId ?? null, ...(ids.length > 0 && { ids }) };
  }
  const refusal = REFUSAL.exec(reason ?? "");
  if (refusal === null) {
    const message = reason ?? "the platform did not take it";
    return { ok: false, error: { code: `send-${status}`, message } };
  }
  const [, code = "", why = ""] = refusal;
  const post = IN_THREAD.exec(reason ?? "")?.[1];
  const message = post === undefined ? why : `${post} was refused: ${why}`;
  return { ok: false, error: { code: `refused-${code}`, message }, status: Number(code) };
}

/** The post of a thread that failed, in the reason of those behind it. */
const IN_THREAD = /^not sent: (post \d+ of the thread) /;

/** Before it stands the request's path, which says nothing to a person. */
const REFUSAL = /was refused with (\d{3}): (.+)$/s;

/** How the step ended that called a module. */
export function resultOfCall({ result }: Extract<EffectOutcome, { kind: "called" }>): StepResult {
  if (result.ok) return { ok: true, result: result.value };
  return { ok: false, error: { code: "call-failed", message: result.error } };
}

/** How the step ended that asked a service. */
export function resultOfRequest(outcome: HttpOutcome): StepResult {
  if (outcome.ok) return { ...outcome, result: outcome.json ?? outcome.text };
  const { code, error: message, ...answer } = outcome;
  return { ...answer, error: { code, message } };
}
