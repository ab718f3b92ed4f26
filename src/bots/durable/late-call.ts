/** A call or step outlasted its handler or the enclosing step: an `await` is missing. Reported with its place. */
export class LateCallError extends Error {
  override readonly name = "LateCallError";
}

/** @param call Name of the call, such as `ctx.reply`. */
export function calledTooLate(call: string): LateCallError {
  return new LateCallError(
    `${call} was called after the handler had returned, so it does nothing: put "await" before what it is called in`,
  );
}

/** @param step Name of the ended step. */
export function stepEndedBefore(call: string, step: string): LateCallError {
  return new LateCallError(
    `${call} was called after ctx.step(${JSON.stringify(step)}) had ended, in which it stands, so it does nothing: put "await" before what it is called in`,
  );
}

/**
 * Creates the error at the beginning of the step, so that its stack points at the step's call.
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

/** Whether the error has already been reported to the bot's author. */
export function wasTold(error: unknown): boolean {
  return error instanceof LateCallError;
}
