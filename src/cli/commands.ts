import type { Command } from "commander";
import { dev } from "./commands/dev.ts";
import { run } from "./commands/run.ts";
import { sandbox } from "./commands/sandbox.ts";
import { send } from "./commands/send.ts";
import { status } from "./commands/status.ts";
import type { Io } from "./io.ts";

/** Every command, in the order in which help lists them. What a command runs is loaded when it runs. */
export const COMMANDS: readonly ((io: Io) => Command)[] = [dev, run, send, status, sandbox];
