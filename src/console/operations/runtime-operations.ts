import * as z from "zod";
import { OPERATIONS } from "../../runtime/control.ts";
import type { Answers, RecentLine, Requests } from "../../runtime/vocabulary.ts";
import { type ConsoleNeeds, type ShownRuntime } from "../console-needs.ts";
import { operation, OperationError } from "./operation.ts";

/**
 * Returns the runtime of a console.
 *
 * @throws {OperationError} if the console shows only a sandbox.
 */
export function runtimeOf({ runtime }: ConsoleNeeds): ShownRuntime {
  if (runtime !== undefined) return runtime;
  throw new OperationError("no bot runs here: the sandbox runs alone", 404);
}

/** Read-only operations of the control interface that the page may use. */
export const RUNTIME_QUESTIONS = {
  status: passedOn("status"),
  journal: passedOn("journal"),
  outbox: passedOn("outbox"),
  escalations: passedOn("escalations"),
  coverage: passedOn("coverage"),
  replays: passedOn("replays"),
  limits: passedOn("limits"),
} as const;

/** Returns the latest lines of the bot's log, oldest first. */
export const logLines = operation(z.strictObject({}), (needs): readonly RecentLine[] =>
  runtimeOf(needs).recent.lines(),
);

/**
 * Commands of the control interface that the page may use. Backups, linking accounts and forgetting people need the
 * command line.
 */
export const RUNTIME_COMMANDS = {
  retryItem: passedOn("retryItem"),
  settleItem: passedOn("settleItem"),
  dropItem: passedOn("dropItem"),
  resolveEscalation: passedOn("resolveEscalation"),
  answerByHand: passedOn("answerByHand"),
  pause: passedOn("pause"),
  resume: passedOn("resume"),
  reload: passedOn("reload"),
  replay: passedOn("replay"),
} as const;

function passedOn<Name extends PassedOn>(name: Name) {
  const { request } = OPERATIONS[name];
  return operation(request, (needs, checked): Promise<Answers[Name]> =>
    runtimeOf(needs).handlers[name](checked as never),
  );
}

type PassedOn = Exclude<keyof Requests, `${string}Backup` | "forget" | `${string}Account`>;
