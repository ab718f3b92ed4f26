import type { Command } from "commander";
import { dev } from "./dev.ts";
import type { Io } from "./io.ts";
import { run } from "./run.ts";
import { sandbox } from "./sandbox.ts";
import { send } from "./send.ts";
import { status } from "./status.ts";

/** Every command, in the order in which help lists them. What a command runs is loaded when it runs. */
export const COMMANDS: readonly ((io: Io) => Command)[] = [dev, run, send, status, sandbox];
