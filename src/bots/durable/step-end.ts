import { errorOfFault, faultOfClient } from "../../client/fault.ts";
import { describeThrown } from "../thrown.ts";
import { plainValue } from "./plain-value.ts";
import type { StepEnd, ThrownError } from "./record.ts";

/**
 * Maximum characters of a step's result as JSON. Results are limited, because the whole record is read for each event
 * of the conversation, and is posted to the thread each time the handler runs.
 */
export const MAX_RESULT_CHARACTERS = 100_000;

/** Runs a step's function. Returns its result or error in the stored form, and the original thrown value, if any. */
export async function endOfStep(
  name: string,
  work: () => unknown,
): Promise<{ readonly storedEnd: StepEnd; readonly thrown: unknown }> {
  const what = `the result of ctx.step(${JSON.stringify(name)})`;
  try {
    const value = plainValue(await work(), what, MAX_RESULT_CHARACTERS);
    return { storedEnd: value === undefined ? {} : { value }, thrown: undefined };
  } catch (thrown) {
    return { storedEnd: { error: keptError(thrown) }, thrown };
  }
}

const MAX_MESSAGE_CHARACTERS = 2_000;
/** Maximum number of inner errors of an `AggregateError`. Their own inner errors are not stored. */
const MAX_INNER_ERRORS = 20;

/** Returns the stored form of a thrown value. */
export function keptError(thrown: unknown): ThrownError {
  const stored = withoutInnerErrors(thrown);
  if (!(thrown instanceof AggregateError) || !Array.isArray(thrown.errors)) return stored;
  return { ...stored, errors: thrown.errors.slice(0, MAX_INNER_ERRORS).map(withoutInnerErrors) };
}

function withoutInnerErrors(thrown: unknown): ThrownError {
  if (!(thrown instanceof Error))
    return { name: "Error", message: describeThrown(thrown).slice(0, MAX_MESSAGE_CHARACTERS) };
  const fault = faultOfClient(thrown);
  return {
    // name and message may be of any type, because the author's code can set them
    name: describeThrown(thrown.name).slice(0, 100),
    message: describeThrown(thrown.message).slice(0, MAX_MESSAGE_CHARACTERS),
    ...(fault && { fault }),
  };
}

/** Error for an at-most-once step that a crash interrupted. It is unknown whether the step's work was done. */
export class StepCutOffError extends Error {
  override readonly name = "StepCutOffError";
}

/** Returns the stored result for an at-most-once step that was running when its process or thread ended. */
export function cutOff(name: string): StepEnd {
  const message = `ctx.step(${JSON.stringify(name)}) was cut off, and is done at most once: it may have been done, or not`;
  return { error: { name: CUT_OFF, message } };
}

const CUT_OFF = "StepCutOffError";

/** Rebuilds an error from its stored form. */
export function errorOf({ name, message, fault, errors }: ThrownError): Error {
  if (name === CUT_OFF) return new StepCutOffError(message);
  if (fault !== undefined) return errorOfFault(fault);
  const error = errors ? new AggregateError(errors.map(errorOf), message) : new Error(message);
  return Object.assign(error, { name });
}
