import { fetch } from "undici";
import { AnswerbackError } from "../../errors.ts";
import { readRunFile } from "./run-file.ts";

/** The running runtime refused what was asked of it. */
export class ControlRefusedError extends AnswerbackError {
  override readonly name = "ControlRefusedError";
  readonly code = "E_CONTROL_REFUSED";
  readonly retryable = false;
}

/**
 * Asks the runtime that runs on `folder`.
 *
 * @returns Its answer, or undefined when none runs there.
 * @throws {ControlRefusedError} when it refuses.
 */
export async function askRuntime<T>(folder: string, path: string): Promise<T | undefined> {
  const file = await readRunFile(folder);
  if (file === undefined) return undefined;
  const headers = { authorization: `Bearer ${file.token}` };
  const answer = await fetch(file.url + path, { headers }).catch(() => undefined);
  if (answer === undefined) return undefined;
  const told: unknown = await answer.json();
  if (!answer.ok)
    throw new ControlRefusedError(`the runtime refused ${path}: ${JSON.stringify(told)}`);
  return told as T;
}
