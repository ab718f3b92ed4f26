import * as z from "zod";
import type { RecentLine } from "../../runtime/control/recent-log.ts";
import { operation } from "./operation.ts";
import { runtimeOf } from "./runtime-operations.ts";

/** The latest lines of the bot's log, oldest first. */
export const logLines = operation(z.strictObject({}), (needs): readonly RecentLine[] =>
  runtimeOf(needs).recent.lines(),
);
