/** A handler had returned before something in it was done: an `await` is missing. It is told where it happens. */
export class LateCallError extends Error {
  override readonly name = "LateCallError";
}

/** @param call Such as `ctx.reply`. */
export function calledTooLate(call: string): LateCallError {
  return new LateCallError(
    `${call} was called after the handler had returned, so it does nothing: put "await" before what it is called in`,
  );
}

/** To be made where the step begins: the place that is told is that of its call. */
export function endsTooLate(name: string): LateCallError {
  return new LateCallError(
    `ctx.step(${JSON.stringify(name)}) was under way when the handler returned, so its result is not kept: put "await" before it`,
  );
}

/** Whether the author has been told of it already. */
export function wasTold(error: unknown): boolean {
  return error instanceof LateCallError;
}
