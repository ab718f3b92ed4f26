import type { RunningSandbox } from "../../src/sandbox/index.ts";

/** Resolves once the platform has tried to deliver all events so far, which it does before it moves its clock. */
export async function allDelivered({ control }: Pick<RunningSandbox, "control">): Promise<void> {
  await control.advance(0);
}
