/** A handler or a step had ended before something in it was done: an `await` is missing. It is told where it happens. */
export class LateCallError extends Error {
  override readonly name = "LateCallError";
}

/** @param call Such as `ctx.reply`. */
export function calledTooLate(call: string): LateCallError {
  return new LateCallError(
    `${call} was called after the handler had returned, so it does nothing: put "await" before what it is called in`,
  );
}

/** @param step Name of the step that had ended. */
export function stepEndedBefore(call: string, step: string): LateCallError {
  return new LateCallError(
    `${call} was called after ctx.step(${JSON.stringify(step)}) had ended, in which it stands, so it does nothing: put "await" before what it is called in`,
  );
}

/**
 * To be made where the step begins: the place that is told is that of its call.
 *
 * @param outer Name of the step in which it is done.
 */
export function endsTooLate(name: string, outer?: string): LateCallError {
  const over =
    outer === undefined ? "the handler returned" : `ctx.step(${JSON.stringify(outer)}) ended`;
  return new LateCallError(
    `ctx.step(${JSON.stringify(name)}) was under way when ${over}, so its result is not kept: put "await" before it`,
  );
}

/** Whether the author has been told of it already. */
export function wasTold(error: unknown): boolean {
  return error instanceof LateCallError;
}
