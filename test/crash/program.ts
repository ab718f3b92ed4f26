import { bundled } from "../support/bundle.ts";

/** A program that runs a bot. */
export interface Program {
  /** With the flags that Node needs for it. */
  readonly command: readonly string[];
  /** Path of its bot module. */
  readonly bot: string;
  remove(): Promise<void>;
}

const MAIN = "test/crash/child-main";
const BOT = "test/crash/bots/striking";

/** The runtime that kills itself, bundled: a run starts it a thousand times. */
export async function builtProgram(): Promise<Program> {
  const bundle = await bundled([MAIN], [BOT]);
  return {
    command: bundle.command(MAIN),
    bot: bundle.path(BOT),
    remove: () => bundle.remove(),
  };
}
