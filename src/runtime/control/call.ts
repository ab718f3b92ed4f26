import { AnswerbackError } from "../../errors.ts";
import { bodyText } from "../../system/local-request.ts";
import { packageVersion } from "../../system/package-version.ts";
import type { Answers, Requests } from "./contract.ts";
import { type ProvenConnection, provenConnection } from "./proven-connection.ts";
import { type OperationName, pathNames, ROUTES } from "./routes.ts";
import { readRunFile, type RunFile } from "./run-file.ts";

/** Thrown if the running runtime refuses a request, or if its response can't be read. */
export class ControlRefusedError extends AnswerbackError {
  override readonly name = "ControlRefusedError";
  readonly code = "control-refused";
  readonly retryable = false;
}

/** Thrown if another program listens at the runtime's address. No request was sent to that program. */
export class ControlUnprovenError extends AnswerbackError {
  override readonly name = "ControlUnprovenError";
  readonly code = "control-unproven";
  readonly retryable = false;
}

/**
 * Sends a request to the runtime of `folder`, once that runtime has proven its identity.
 *
 * @returns The response; undefined if no runtime runs on this folder.
 * @throws {ControlRefusedError} if the runtime refuses.
 * @throws {ControlUnprovenError} if another program listens in its place.
 */
export async function callRuntime<Name extends OperationName>(
  folder: string,
  name: Name,
  request: Requests[Name],
): Promise<Answers[Name] | undefined> {
  const runtime = new RuntimeConnection(folder);
  try {
    return await runtime.call(name, request);
  } finally {
    runtime.close();
  }
}

interface Proven {
  readonly file: RunFile;
  readonly connection: ProvenConnection;
}

/** Connection to the runtime of a folder, for several requests: the runtime proves its identity only once. */
export class RuntimeConnection {
  readonly #folder: string;
  #proven: Promise<Proven | undefined> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Sends a request, like {@link callRuntime}. After a lost connection, the next call opens a new one. */
  async call<Name extends OperationName>(
    name: Name,
    request: Requests[Name],
  ): Promise<Answers[Name] | undefined> {
    this.#proven ??= reach(this.#folder);
    const proving = this.#proven;
    const proven = await proving.catch((error: unknown) => {
      this.#forget(proving);
      throw error;
    });
    const came = proven === undefined ? undefined : await ask(proven, name, request);
    if (came === undefined) this.#forget(proving);
    return came;
  }

  close(): void {
    void this.#proven?.then(
      (proven) => proven?.connection.close(),
      () => {},
    );
    this.#proven = undefined;
  }

  #forget(proving: Promise<Proven | undefined>): void {
    if (this.#proven === proving) this.close();
  }
}

async function reach(folder: string): Promise<Proven | undefined> {
  const file = await readRunFile(folder);
  if (file === undefined) return undefined;
  const connection = await provenConnection(file);
  if (connection === "nobody") return undefined;
  if (connection === "stranger") throw unproven(folder, file);
  return { file, connection };
}

async function ask<Name extends OperationName>(
  { file, connection }: Proven,
  name: Name,
  request: Requests[Name],
): Promise<Answers[Name] | undefined> {
  const { path, method, body } = requestOf(name, request);
  const answer = await connection
    .request(path, {
      method,
      headers: { authorization: `Bearer ${file.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    .then(async (came) => ({ status: came.statusCode, text: await bodyText(came) }))
    .catch(() => undefined);
  if (answer === undefined) return undefined;
  const { status, text } = answer;
  if (status !== 200) {
    throw new ControlRefusedError(`the runtime refused ${method} ${path}: ${refusalIn(text)}`);
  }
  if (file.version !== packageVersion()) return readAnswer(name, text, `${method} ${path}`);
  const result: Answers[Name] = JSON.parse(text);
  return result;
}

/** Validates the response of a runtime of another version: it may have other fields. */
async function readAnswer<Name extends OperationName>(
  name: Name,
  text: string,
  to: string,
): Promise<Answers[Name]> {
  const { checkedAnswer } = await import("./checked-answer.ts");
  const read = checkedAnswer(name, text);
  if ("answer" in read) return read.answer;
  throw new ControlRefusedError(
    `the runtime's answer to ${to} could not be read: ${read.problem}`,
    { hint: "restart the bot, so that it runs the same version as this command" },
  );
}

function unproven(folder: string, { url }: RunFile): ControlUnprovenError {
  return new ControlUnprovenError(
    `what listens at ${url} is not the bot of ${folder}: it does not have the token from run.json; no command was sent to it`,
    {
      hint: "if the bot was killed, another program may use its port: start the bot again (answerback run), then repeat this command",
    },
  );
}

/** Returns method, path and body for a request. Fields that the path does not name go to the query or to the body. */
function requestOf(name: OperationName, request: Readonly<Record<string, unknown>>) {
  const { method, path } = ROUTES[name];
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

function refusalIn(text: string): string {
  try {
    const { error }: { readonly error?: { readonly message?: unknown } } = Object(JSON.parse(text));
    return typeof error?.message === "string" ? error.message : text;
  } catch {
    return text;
  }
}
