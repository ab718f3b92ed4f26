import * as z from "zod";
import { AnswerbackError } from "../../errors.ts";
import {
  type Answers,
  OPERATIONS,
  type OperationName,
  pathNames,
  type Requests,
} from "./contract.ts";
import { provenConnection } from "./proven-connection.ts";
import { readRunFile, type RunFile } from "./run-file.ts";

/** The running runtime refused what was asked of it, or answered in another version's words. */
export class ControlRefusedError extends AnswerbackError {
  override readonly name = "ControlRefusedError";
  readonly code = "control-refused";
  readonly retryable = false;
}

/** What listens where the runtime is said to listen is another program. Nothing was told to it. */
export class ControlUnprovenError extends AnswerbackError {
  override readonly name = "ControlUnprovenError";
  readonly code = "control-unproven";
  readonly retryable = false;
}

type AnswerSchemas = { readonly [Name in OperationName]: z.ZodType<Answers[Name]> };
const ANSWERS: { readonly [Name in OperationName]: { readonly answer: AnswerSchemas[Name] } } =
  OPERATIONS;

/**
 * Asks the runtime that runs on `folder`, once it has proven that it is that one.
 *
 * @returns Its answer, or undefined when none runs there.
 * @throws {ControlRefusedError} when it refuses.
 * @throws {ControlUnprovenError} when another program listens in its place.
 */
export async function callRuntime<Name extends OperationName>(
  folder: string,
  name: Name,
  request: Requests[Name],
): Promise<Answers[Name] | undefined> {
  const file = await readRunFile(folder);
  if (file === undefined) return undefined;
  const reached = await provenConnection(file);
  if (reached === "nobody") return undefined;
  if (reached === "stranger") throw unproven(folder, file);
  const { path, method, body } = requestOf(name, request);
  const answer = await reached
    .request({
      path,
      method,
      headers: { authorization: `Bearer ${file.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    .then(async (came) => ({ status: came.statusCode, text: await came.body.text() }))
    .catch(() => undefined);
  await reached.destroy();
  if (answer === undefined) return undefined;
  const { status, text } = answer;
  if (status !== 200) {
    throw new ControlRefusedError(`the runtime refused ${method} ${path}: ${refusalIn(text)}`);
  }
  const read = ANSWERS[name].answer.safeParse(JSON.parse(text));
  if (read.success) return read.data;
  throw new ControlRefusedError(
    `the runtime's answer to ${method} ${path} could not be read: ${z.prettifyError(read.error)}`,
    { hint: "restart the runtime, so that it has the version of this command" },
  );
}

function unproven(folder: string, { url }: RunFile): ControlUnprovenError {
  return new ControlUnprovenError(
    `what listens at ${url} is not the bot of ${folder}: it does not know the token of run.json, and nothing was told to it`,
    {
      hint: "where the bot was killed, another program may have its port: start it again (answerback run), then repeat this",
    },
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
