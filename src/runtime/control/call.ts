import { fetch } from "undici";
import * as z from "zod";
import { AnswerbackError } from "../../errors.ts";
import {
  type Answers,
  OPERATIONS,
  type OperationName,
  pathNames,
  type Requests,
} from "./contract.ts";
import { readRunFile } from "./run-file.ts";

/** The running runtime refused what was asked of it, or answered in another version's words. */
export class ControlRefusedError extends AnswerbackError {
  override readonly name = "ControlRefusedError";
  readonly code = "control-refused";
  readonly retryable = false;
}

type AnswerSchemas = { readonly [Name in OperationName]: z.ZodType<Answers[Name]> };
const ANSWERS: { readonly [Name in OperationName]: { readonly answer: AnswerSchemas[Name] } } =
  OPERATIONS;

/**
 * Asks the runtime that runs on `folder`.
 *
 * @returns Its answer, or undefined when none runs there.
 * @throws {ControlRefusedError} when it refuses.
 */
export async function callRuntime<Name extends OperationName>(
  folder: string,
  name: Name,
  request: Requests[Name],
): Promise<Answers[Name] | undefined> {
  const file = await readRunFile(folder);
  if (file === undefined) return undefined;
  const { path, method, body } = requestOf(name, request);
  const answer = await fetch(file.url + path, {
    method,
    headers: { authorization: `Bearer ${file.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  if (answer === undefined) return undefined;
  const text = await answer.text();
  if (!answer.ok) {
    throw new ControlRefusedError(`the runtime refused ${method} ${path}: ${refusalIn(text)}`);
  }
  const read = ANSWERS[name].answer.safeParse(JSON.parse(text));
  if (read.success) return read.data;
  throw new ControlRefusedError(
    `the runtime's answer to ${method} ${path} could not be read: ${z.prettifyError(read.error)}`,
    { hint: "restart the runtime, so that it has the version of this command" },
  );
}

/** A request's fields in their places: path, then query or body. */
function requestOf(name: OperationName, request: Readonly<Record<string, unknown>>) {
  const { method, path } = OPERATIONS[name];
  const named = pathNames(path);
  const filled = path.replaceAll(/:(\w+)/g, (_, field: string) =>
    encodeURIComponent(String(request[field])),
  );
  const rest = Object.entries(request).filter(
    ([field, value]) => !named.includes(field) && value !== undefined,
  );
  if (method === "PUT" || method === "POST")
    return { method, path: filled, body: Object.fromEntries(rest) };
  const query = new URLSearchParams();
  for (const [field, value] of rest) query.set(field, String(value));
  return { method, path: rest.length === 0 ? filled : `${filled}?${query.toString()}` };
}

const refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

function refusalIn(text: string): string {
  try {
    return refusal.parse(JSON.parse(text)).error.message;
  } catch {
    return text;
  }
}
