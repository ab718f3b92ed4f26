import type { HandlerSupport } from "../../bots/durable/record.ts";
import type {
  ModuleCall,
  ModuleCallOutcome,
  Handling,
  HandlerOutcome,
} from "../../bots/messages.ts";
import type { PlatformAnswer, PlatformRequest } from "../../bots/platform-request.ts";
import type { HttpOutcome, HttpRequest } from "../../rules/run/http-request.ts";
import type { RunAndEntry } from "../store/run.ts";
import { type HiddenValue, withoutRuns } from "../../system/secrets/secret-runs.ts";

/** Something slow that a run needs from outside; it is performed after the commit that recorded it. */
export type RunEffect = RunAndEntry &
  (
    | { readonly kind: "call"; readonly call: ModuleCall }
    | {
        readonly kind: "http";
        readonly request: HttpRequest;
        readonly secrets: readonly HiddenValue[];
        readonly timeoutMs?: number;
        /** It is not to be made twice: its key, which its run keeps before it is sent. */
        readonly once?: string;
      }
    | { readonly kind: "handle"; readonly handling: Handling }
  );

/** A request to a service. */
export type RequestEffect = Extract<RunEffect, { readonly kind: "http" }>;

/** A bot's handlers that are to be called. */
export type HandlerEffect = Extract<RunEffect, { readonly kind: "handle" }>;

/** What an effect came to. */
export type EffectOutcome =
  | { readonly kind: "called"; readonly result: ModuleCallOutcome }
  | { readonly kind: "requested"; readonly result: HttpOutcome }
  | { readonly kind: "handled"; readonly result: HandlerOutcome };

/** What came of a request of which nobody knows whether it has arrived. */
export const LEFT_UNDER_WAY = {
  ok: false,
  code: "unknown",
  error: "the process ended while the request was under way: it may have arrived, or not",
} as const satisfies HttpOutcome;

/** What an effect under way may have kept or read. */
export interface EffectSupport extends HandlerSupport {
  /** Aborted once nobody waits for it any more. */
  readonly signal: AbortSignal;
  /** @returns `false` where it was begun before: it is not to be made twice. */
  beginOnce(): Promise<boolean>;
}

/** What performs effects: the bots' thread, and what sends requests to services. */
export interface EffectPerformer {
  handle(handling: Handling, support: HandlerSupport): Promise<HandlerOutcome>;
  /** @param signal Aborted once nobody waits for it any more. */
  call(step: ModuleCall, signal: AbortSignal): Promise<ModuleCallOutcome>;
  request(request: HttpRequest, timeoutMs: number | undefined): Promise<HttpOutcome>;
  /**
   * Asks the platform for a handler under way, in the name of its account; nobody can unless given.
   *
   * @param signal Aborted once nobody waits for it any more.
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
 * @param support What an effect under way may ask for.
 * @throws when nobody can say what came of it: it is to be performed again.
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
    const result = await performer.request(request, timeoutMs);
    return { kind: "requested", result: withoutRuns(result, effect.secrets) };
  }
  return { kind: "handled", result: await performer.handle(effect.handling, support) };
}

/** What an effect comes to that could not be performed, however often it was tried. */
export function givenUp(effect: RunEffect, error: string): EffectOutcome {
  if (effect.kind === "http") {
    return { kind: "requested", result: { ok: false, code: "http-failed", error } };
  }
  return effect.kind === "call"
    ? { kind: "called", result: { ok: false, error } }
    : { kind: "handled", result: { actions: [], error } };
}
