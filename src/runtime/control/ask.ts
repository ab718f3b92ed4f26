import { fetch } from "undici";
import { AnswerbackError } from "../../errors.ts";
import { readRunFile } from "./run-file.ts";

/** The running runtime refused what was asked of it. */
export class ControlRefusedError extends AnswerbackError {
  override readonly name = "ControlRefusedError";
  readonly code = "E_CONTROL_REFUSED";
  readonly retryable = false;
}

/** A change that is asked for; without one, the runtime is only asked to tell. */
export interface ControlRequest {
  readonly method: "PUT" | "DELETE";
  readonly body?: object;
}

/**
 * Asks the runtime that runs on `folder`.
 *
 * @returns Its answer, or undefined when none runs there.
 * @throws {ControlRefusedError} when it refuses.
 */
export async function askRuntime<T>(
  folder: string,
  path: string,
  request?: ControlRequest,
): Promise<T | undefined> {
  const file = await readRunFile(folder);
  if (file === undefined) return undefined;
  const answer = await fetch(file.url + path, {
    method: request?.method ?? "GET",
    headers: { authorization: `Bearer ${file.token}`, "content-type": "application/json" },
    ...(request?.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  }).catch(() => undefined);
  if (answer === undefined) return undefined;
  const told: unknown = await answer.json();
  if (!answer.ok)
    throw new ControlRefusedError(`the runtime refused ${path}: ${JSON.stringify(told)}`);
  return told as T;
}
