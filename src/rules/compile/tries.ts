import type { Path } from "../../config/yaml-document.ts";
import { durationMs } from "../../system/duration.ts";
import type { Step, StepBody } from "../run/step.ts";
import type { StepMap } from "../file-schema/rule-file.ts";
import type { StepKind } from "../steps/step-kind.ts";
import type { CompileContext } from "./compile-context.ts";

/** Compiles `timeout` and `retry` of a step. Reports these keys on a step where they have no meaning. */
export function compileTries(
  context: CompileContext,
  path: Path,
  { verb, kind, value, body }: TriedStep,
): Pick<Step, "timeoutMs" | "retry"> {
  const writtenKeys = (["timeout", "retry"] as const).filter((key) => value[key] !== undefined);
  if (writtenKeys.length === 0) return {};
  const stray = writtenKeys.find(
    (key) => !isTried(kind, body) && !(key === "timeout" && kind.takesTime),
  );
  if (stray !== undefined) {
    const message = `"${stray}" has no meaning beside "${verb}"${WHY_NOT[stray]}`;
    const help = HELP[verb] ?? `remove "${stray}"`;
    context.report([...path, stray], { code: "unknown-key", message, help }, "key");
    return {};
  }
  const { timeout, retry } = value;
  return {
    ...(timeout === undefined ? {} : { timeoutMs: durationMs(timeout) }),
    ...(retry === undefined ? {} : { retry: compileRetry(retry) }),
  };
}

interface TriedStep {
  readonly verb: string;
  readonly kind: StepKind;
  readonly value: StepMap;
  readonly body: StepBody;
}

const WHY_NOT = {
  timeout: ": nothing from outside is waited for",
  retry: ": it does not fail for a reason that passes",
} as const;

/** Help for `timeout` on verbs that have another key for the time to wait. */
const HELP: Readonly<Record<string, string>> = {
  ask: "write  within: 15m  inside ask",
  wait_for: "write  within: 15m  inside wait_for",
};

function isTried({ triesAnew }: StepKind, { action, listens }: StepBody): boolean {
  return triesAnew === true || (action !== undefined && listens === undefined);
}

function compileRetry(written: NonNullable<StepMap["retry"]>): NonNullable<Step["retry"]> {
  const { attempts, backoff, give_up_after: giveUp } = written;
  return {
    attempts,
    ...(backoff === "exponential" ? {} : { everyMs: durationMs(backoff) }),
    ...(giveUp === undefined ? {} : { giveUpMs: durationMs(giveUp) }),
  };
}
