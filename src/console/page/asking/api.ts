import type {
  CommandAnswers,
  CommandRequests,
  QuestionAnswers,
  QuestionRequests,
} from "../../operations/operations.ts";
import type { SessionAnswer } from "../../operations/session.ts";
import type { SessionTokens } from "../../sign-in/session-tokens.ts";
import { connection } from "../live/live.ts";
import { isOwnServer } from "../session/is-own-server.ts";
import { leave, sessionHeaders, storedSession, storeSession } from "../session/stored-session.ts";

/** Error for a request that the server refused, with the server's message. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "Refused";
    this.status = status;
    this.code = code;
  }
}

/**
 * Maximum length of a request in a query string, encoded: a Japanese letter has nine characters. A longer request is
 * sent as a body, because the server refuses requests with headers of more than 16 KB.
 */
const LONGEST_QUERY = 2_000;

/** Requests the session, and the parts that this console has (runtime, sandbox). Called once, before other requests. */
export function openSession(): Promise<SessionAnswer> {
  return sent<SessionAnswer>("GET", "/_console/session");
}

/** Sends a read-only operation to the console's server, and returns its result. @throws {Refused} */
export function ask<Name extends keyof QuestionRequests>(
  name: Name,
  request: QuestionRequests[Name],
  signal?: AbortSignal,
): Promise<QuestionAnswers[Name]> {
  const query = encodeURIComponent(JSON.stringify(request));
  if (query.length > LONGEST_QUERY) return sent("POST", `/_console/ask/${name}`, request, signal);
  return sent("GET", `/_console/ask/${name}?with=${query}`, undefined, signal);
}

/** Runs a changing operation on the console's server, and returns its result. @throws {Refused} */
export function command<Name extends keyof CommandRequests>(
  name: Name,
  request: CommandRequests[Name],
): Promise<CommandAnswers[Name]> {
  return sent("POST", `/_console/do/${name}`, request);
}

/** Makes this browser an operator, who may make changes on the live platform. @throws {Refused} for a wrong token. */
export async function unlock(token: string): Promise<void> {
  storeSession(await sent<SessionTokens>("POST", "/_console/unlock", { token }));
  location.reload();
}

/** Ends this browser's session. */
export async function signOut(): Promise<void> {
  await sent("POST", "/_console/sign-out", {});
  leave();
}

/**
 * Access to the sandbox's control interface by path: `sandbox.get("/users")`. Responses are not validated.
 *
 * The shapes of responses are those of `ControlClient`.
 */
export const sandbox = {
  get: <T>(path: string, signal?: AbortSignal): Promise<T> =>
    sent("GET", `/_console/sandbox${path}`, undefined, signal),
  post: <T>(path: string, body: unknown = {}): Promise<T> =>
    sent("POST", `/_console/sandbox${path}`, body),
  put: <T>(path: string, body: unknown): Promise<T> =>
    sent("PUT", `/_console/sandbox${path}`, body),
  patch: <T>(path: string, body: unknown): Promise<T> =>
    sent("PATCH", `/_console/sandbox${path}`, body),
  delete: <T>(path: string): Promise<T> => sent("DELETE", `/_console/sandbox${path}`),
} as const;

async function sent<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const session = storedSession();
  if (session !== undefined && connection.value.state === "away") {
    if (!(await isOwnServer(session, signal))) {
      throw new Refused(503, "away", "another program answers at the console's address");
    }
  }
  const answer = await fetch(path, {
    method,
    ...(signal && { signal }),
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...sessionHeaders(session),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    // Each browser has its own message for this, such as "Failed to fetch" or "Load failed".
    const advice = method === "GET" ? "" : ". Look whether it was done before you repeat it";
    throw new Refused(503, "away", `the bot's process does not answer${advice}`);
  });
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text === "" ? "null" : text);
  if (answer.status === 401) leave(session?.token);
  throw refusalIn(answer.status, text);
}

function refusalIn(status: number, text: string): Refused {
  try {
    const { error }: { error?: { code?: string; message?: string } } = JSON.parse(text);
    return new Refused(status, error?.code ?? "unknown", error?.message ?? text);
  } catch {
    return new Refused(status, "unknown", text === "" ? `status ${status}` : text);
  }
}
