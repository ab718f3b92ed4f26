import { ProtocolError, UnreachableError } from "../errors.ts";
import { messageOf } from "../../system/error-message.ts";
import { refusalOf } from "./problem.ts";
import { type ExchangeOptions, NoAnswer, type WireRequest } from "./exchange-course.ts";
import { AnswerTooLong, exchange } from "./transport.ts";
import type { CredentialKind } from "./endpoint.ts";
import type { AnswerHeaders } from "./rate-limits.ts";
import { openStreamed, type StreamedAnswer } from "./streamed-answer.ts";
import type { Dispatcher } from "undici";

/** A response with a 2xx status. */
export interface Accepted {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
}

/** Options of one attempt. */
export interface AttemptOptions extends ExchangeOptions {
  /** Name of the endpoint in errors, such as `POST /2/posts`. */
  readonly endpoint: string;
  /** Whether a repeat is safe when the outcome is unknown. */
  readonly safe: boolean;
  readonly afterUnknown: boolean;
  /** Kind of the credentials; undefined for a log-in request. */
  readonly kind?: CredentialKind | undefined;
  /** Returns the platform's time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Texts to redact from error messages. */
  readonly secrets: readonly string[];
  /** Called at the end of the attempt, with its duration and, if a response came, its status. */
  readonly onOver?: ((over: { readonly status?: number; readonly ms: number }) => void) | undefined;
  /** Called with the headers of a response, and the milliseconds from the request's start to the response. */
  readonly onHeaders?: ((headers: AnswerHeaders, ms: number) => void) | undefined;
}

/** Replaces every secret of at least four characters in a text by `[secret]`. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= 4)
    .reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);
}

/**
 * Sends one request once.
 *
 * @throws PlatformError, RateLimitError, UnreachableError, ProtocolError
 */
export async function attempt(
  dispatcher: Dispatcher,
  request: WireRequest,
  options: AttemptOptions,
): Promise<Accepted> {
  const startedAt = performance.now();
  const ms = (): number => performance.now() - startedAt;
  const answer = await exchange(dispatcher, request, options).catch((error: unknown) => {
    options.onOver?.({ ms: ms() });
    throw translate(error, options);
  });
  options.onOver?.({ status: answer.status, ms: ms() });
  options.onHeaders?.(answer.headers, ms());
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw refused(answer, options);
}

/**
 * Sends one request once and returns its streaming response. A refusal is read up to {@link REFUSAL_BYTES} and thrown.
 *
 * @throws PlatformError, RateLimitError, UnreachableError
 */
export async function attemptOpen(
  dispatcher: Dispatcher,
  request: WireRequest,
  options: AttemptOptions & { readonly onArrival: () => void },
): Promise<StreamedAnswer> {
  const startedAt = performance.now();
  const ms = (): number => performance.now() - startedAt;
  const answer = await openStreamed(dispatcher, request, options).catch((error: unknown) => {
    options.onOver?.({ ms: ms() });
    throw translate(error, options);
  });
  const { status, headers } = answer;
  options.onOver?.({ status, ms: ms() });
  options.onHeaders?.(headers, ms());
  if (status >= 200 && status < 300) return answer;
  throw refused({ status, headers, text: await refusalText(answer) }, options);
}

/** Maximum number of bytes read from the body of a refused streaming request. */
const REFUSAL_BYTES = 64 * 1024;

async function refusalText({ chunks }: StreamedAnswer): Promise<string> {
  const read: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      read.push(chunk);
      length += chunk.length;
      if (length > REFUSAL_BYTES) break;
    }
  } catch (error) {
    // If the response body breaks off, the part that was read is enough: the status alone identifies a refusal.
    if (!(error instanceof NoAnswer)) throw error;
  }
  return new TextDecoder().decode(Buffer.concat(read));
}

function refused({ status, headers, text }: Accepted, options: AttemptOptions): Error {
  return refusalOf(parseLoosely(text), {
    endpoint: options.endpoint,
    status,
    headers,
    now: options.now(),
    safe: options.safe,
    afterUnknown: options.afterUnknown,
    kind: options.kind,
    redact: (part) => redact(part, options.secrets),
  });
}

function translate(error: unknown, options: AttemptOptions): Error {
  const { endpoint, safe } = options;
  if (error instanceof AnswerTooLong) {
    return new ProtocolError(`${endpoint} answered more than 32 MiB`, { endpoint, status: 0 });
  }
  if (!(error instanceof NoAnswer)) {
    return error instanceof Error ? error : new Error(String(error));
  }
  const { sent, ended, cause } = error;
  const why = {
    connection: `the connection failed${cause instanceof Error ? ` (${messageOf(cause) || cause.name})` : ""}`,
    timeout: `no answer within ${options.timeoutMs} ms`,
    caller: "the caller stopped it",
  }[ended];
  const outcomeNote =
    sent === "no" ? "nothing was sent" : "it is not known whether the platform carried it out";
  return new UnreachableError(`${endpoint}: ${redact(why, options.secrets)}; ${outcomeNote}`, {
    endpoint,
    sent,
    ended,
    safe,
    cause,
  });
}

function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Refusals of the log-in flow and of proxies are plain text: use the text itself.
    return text;
  }
}
