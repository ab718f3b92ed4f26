import type {
  ModuleCall,
  ModuleCallOutcome,
  Handling,
  HandlerOutcome,
} from "../../bots/messages.ts";
import type { RunAndEntry } from "../store/run.ts";

/** Something slow that a run needs from outside; it is performed after the commit that recorded it. */
export type RunEffect = RunAndEntry &
  (
    | { readonly kind: "call"; readonly call: ModuleCall }
    | { readonly kind: "handle"; readonly handling: Handling }
  );

/** What an effect came to. */
export type EffectOutcome =
  | { readonly kind: "called"; readonly result: ModuleCallOutcome }
  | { readonly kind: "handled"; readonly result: HandlerOutcome };

/** What performs effects: the bots' thread. */
export interface EffectPerformer {
  handle(handling: Handling): Promise<HandlerOutcome>;
  call(step: ModuleCall): Promise<ModuleCallOutcome>;
}

/**
 * Performs one effect.
 *
 * @throws when nobody can say what came of it: it is to be performed again.
 */
export async function perform(
  effect: RunEffect,
  performer: EffectPerformer,
): Promise<EffectOutcome> {
  if (effect.kind === "call") {
    return { kind: "called", result: await performer.call(effect.call) };
  }
  return { kind: "handled", result: await performer.handle(effect.handling) };
}

/** What an effect comes to that could not be performed, however often it was tried. */
export function givenUp(effect: RunEffect, error: string): EffectOutcome {
  return effect.kind === "call"
    ? { kind: "called", result: { ok: false, error } }
    : { kind: "handled", result: { actions: [], error } };
}
