import { bundled } from "../support/bundle.ts";

/** A program that runs a bot. */
export interface Program {
  /** Program with the flags that Node needs. */
  readonly command: readonly string[];
  /** Path of the bot's module. */
  readonly bot: string;
  remove(): Promise<void>;
}

const MAIN = "test/crash/child-main";
const BOT = "test/crash/bots/striking";

/** Bundles the bot program once, because a run starts it a thousand times. */
export async function builtProgram(): Promise<Program> {
  const bundle = await bundled([MAIN], [BOT]);
  return {
    command: bundle.command(MAIN),
    bot: bundle.path(BOT),
    remove: () => bundle.remove(),
  };
}
