import { errorOfFault, faultOfClient } from "../../client/fault.ts";
import { plainValue } from "./plain-value.ts";
import type { StepEnd, ThrownError } from "./record.ts";

/** A record is read with each event that its run may take, and sent to the thread with each run of its handler. */
export const MOST_RESULT_CHARACTERS = 100_000;

/** What a step has come to: what is kept of it, and what was thrown itself. */
export async function endOfStep(
  name: string,
  work: () => unknown,
): Promise<{ readonly kept: StepEnd; readonly thrown: unknown }> {
  const what = `the result of ctx.step(${JSON.stringify(name)})`;
  try {
    const value = plainValue(await work(), what, MOST_RESULT_CHARACTERS);
    return { kept: value === undefined ? {} : { value }, thrown: undefined };
  } catch (thrown) {
    return { kept: { error: keptError(thrown) }, thrown };
  }
}

const MOST_MESSAGE = 2_000;

/** What is kept of something that was thrown. */
export function keptError(thrown: unknown): ThrownError {
  if (!(thrown instanceof Error))
    return { name: "Error", message: String(thrown).slice(0, MOST_MESSAGE) };
  const fault = faultOfClient(thrown);
  return {
    name: thrown.name.slice(0, 100),
    message: thrown.message.slice(0, MOST_MESSAGE),
    ...(fault && { fault }),
  };
}

/** A step that is done at most once was cut off: nobody knows how far it came. */
export class StepCutOffError extends Error {
  override readonly name = "StepCutOffError";
}

/** What is kept of a step that was under way when its process or thread ended. */
export function cutOff(name: string): StepEnd {
  const message = `ctx.step(${JSON.stringify(name)}) was cut off, and is done at most once: it may have been done, or not`;
  return { error: { name: CUT_OFF, message } };
}

const CUT_OFF = "StepCutOffError";

/** The error of which that was kept. */
export function errorOf({ name, message, fault }: ThrownError): Error {
  if (name === CUT_OFF) return new StepCutOffError(message);
  if (fault !== undefined) return errorOfFault(fault);
  return Object.assign(new Error(message), { name });
}
