/**
 * Error for a call that is made after its handler or step has ended, and for a step that then still runs: an `await` is
 * missing.
 */
export class LateCallError extends Error {
  override readonly name = "LateCallError";
}

/** Returns the error for a call after its handler has ended. @param call Name of the call, such as `ctx.reply`. */
export function calledTooLate(call: string): LateCallError {
  return new LateCallError(
    `${call} was called after the handler had returned, so it does nothing: put "await" before what it is called in`,
  );
}

/** Returns the error for a call after its step has ended. @param step Name of the step. */
export function stepEndedBefore(call: string, step: string): LateCallError {
  return new LateCallError(
    `${call} was called after ctx.step(${JSON.stringify(step)}) had ended, in which it stands, so it does nothing: put "await" before what it is called in`,
  );
}

/**
 * Returns the error for a step that outlasts its handler or enclosing step. It is created when the step begins, so that
 * its stack points at the step.
 *
 * @param outer Name of the enclosing step.
 */
export function endsTooLate(name: string, outer?: string): LateCallError {
  const over =
    outer === undefined ? "the handler returned" : `ctx.step(${JSON.stringify(outer)}) ended`;
  return new LateCallError(
    `ctx.step(${JSON.stringify(name)}) was under way when ${over}, so its result is not kept: put "await" before it`,
  );
}

/** Whether the bot's author has already got a report of the error. */
export function wasTold(error: unknown): boolean {
  return error instanceof LateCallError;
}
