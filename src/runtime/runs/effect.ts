import type { HandlerSupport } from "../../bots/durable/record.ts";
import type {
  ModuleCall,
  ModuleCallOutcome,
  Handling,
  HandlerOutcome,
} from "../../bots/messages.ts";
import type { PlatformAnswer, PlatformRequest } from "../../bots/platform-request.ts";
import type { HttpOutcome, HttpRequest } from "../../rules/run/http-request.ts";
import type { Lookup, LookupOutcome } from "../../actions/lookup.ts";
import type { RunAndEntry } from "../store/run.ts";
import { type HiddenValue, withoutRuns } from "../../system/secrets/secret-runs.ts";

/** Slow external work that a run needs. It is performed after the commit that recorded it. */
export type RunEffect = RunAndEntry &
  (
    | { readonly kind: "call"; readonly call: ModuleCall }
    | {
        readonly kind: "http";
        readonly request: HttpRequest;
        readonly secrets: readonly HiddenValue[];
        readonly timeoutMs?: number;
        /** Key that the run stores before the request is sent, if the request must not be sent twice. */
        readonly once?: string;
      }
    | { readonly kind: "lookup"; readonly lookup: Lookup; readonly timeoutMs?: number }
    | { readonly kind: "handle"; readonly handling: Handling }
  );

/** HTTP request of a rule's step to a service outside the platform. */
export type RequestEffect = Extract<RunEffect, { readonly kind: "http" }>;

/** A look-up of a user, a post or an attribution. */
export type LookupEffect = Extract<RunEffect, { readonly kind: "lookup" }>;

/** Call of a bot's handlers. */
export type HandlerEffect = Extract<RunEffect, { readonly kind: "handle" }>;

/** Outcome of an effect: the result of a module call, an HTTP request, a look-up or a call of handlers. */
export type EffectOutcome =
  | { readonly kind: "called"; readonly result: ModuleCallOutcome }
  | { readonly kind: "requested"; readonly result: HttpOutcome }
  | { readonly kind: "looked-up"; readonly result: LookupOutcome }
  | { readonly kind: "handled"; readonly result: HandlerOutcome };

/** Outcome of a request that may have arrived or not, because the process ended while it was under way. */
export const LEFT_UNDER_WAY = {
  ok: false,
  code: "unknown",
  error: "the process ended while the request was under way: it may have arrived, or not",
} as const satisfies HttpOutcome;

/** Operations available to an effect under way. */
export interface EffectSupport extends HandlerSupport {
  /** Aborted once the outcome is no longer needed. */
  readonly signal: AbortSignal;
  /**
   * Stores that the request is about to be sent.
   *
   * @returns `false` if it was begun before, so that it must not be sent again.
   */
  beginOnce(): Promise<boolean>;
}

/**
 * Performs effects: calls modules and handlers in the bots' worker thread, and sends requests to services and the
 * platform.
 */
export interface EffectPerformer {
  handle(handling: Handling, support: HandlerSupport): Promise<HandlerOutcome>;
  /** @param signal Aborted once the outcome is no longer needed. */
  call(step: ModuleCall, signal: AbortSignal): Promise<ModuleCallOutcome>;
  request(request: HttpRequest, timeoutMs: number | undefined): Promise<HttpOutcome>;
  /**
   * Performs a look-up in the name of the account of the run. Absent: there is no platform.
   *
   * @param signal Aborted once the outcome is no longer needed.
   * @throws {TooEarly} while a rate limit is exhausted.
   */
  lookUp?(effect: LookupEffect, signal: AbortSignal): Promise<LookupOutcome>;
  /**
   * Sends a platform request for a handler under way, in the name of its account. Absent: there is no platform.
   *
   * @param signal Aborted once the outcome is no longer needed.
   */
  ask?(
    effect: HandlerEffect,
    request: PlatformRequest,
    signal: AbortSignal,
  ): Promise<PlatformAnswer>;
}

/**
 * Performs one effect.
 *
 * @param support Operations available to the effect.
 * @throws {TooEarly} when the effect has to wait.
 * @throws when the outcome is unknown: the effect is to be performed again.
 */
export async function perform(
  effect: RunEffect,
  performer: EffectPerformer,
  support: EffectSupport,
): Promise<EffectOutcome> {
  if (effect.kind === "call") {
    return { kind: "called", result: await performer.call(effect.call, support.signal) };
  }
  if (effect.kind === "http") {
    const { request, timeoutMs, once } = effect;
    if (once !== undefined && !(await support.beginOnce())) {
      return { kind: "requested", result: LEFT_UNDER_WAY };
    }
    const { retryAfterMs, ...answer } = await performer.request(request, timeoutMs);
    const result = withoutRuns(answer, effect.secrets);
    return {
      kind: "requested",
      result: retryAfterMs === undefined ? result : { ...result, retryAfterMs },
    };
  }
  if (effect.kind === "lookup") {
    const result = await (performer.lookUp?.(effect, support.signal) ?? NO_PLATFORM);
    return { kind: "looked-up", result };
  }
  return { kind: "handled", result: await performer.handle(effect.handling, support) };
}

const NO_PLATFORM: LookupOutcome = {
  ok: false,
  code: "lookup-failed",
  error: "nothing can be looked up here: there is no platform",
};

/** Returns the outcome with which the run continues after an effect has failed in every attempt. */
export function givenUp(effect: RunEffect, error: string): EffectOutcome {
  if (effect.kind === "http") {
    return { kind: "requested", result: { ok: false, code: "http-failed", error } };
  }
  if (effect.kind === "lookup") {
    return { kind: "looked-up", result: { ok: false, code: "lookup-failed", error } };
  }
  return effect.kind === "call"
    ? { kind: "called", result: { ok: false, error } }
    : { kind: "handled", result: { actions: [], error } };
}
