import type { ApiResponse, Caller, CallInput, CallOptions } from "../../client/client.ts";
import { type Endpoint, isSafe, nameOf } from "../../client/http/endpoint.ts";
import { CredentialError, UnreachableError } from "../../client/errors.ts";
import { errorOfFault } from "../../client/fault.ts";
import { checkTimeout, PlatformClock, SYSTEM_CLOCK } from "../../client/clock.ts";
import { UsageError } from "../../errors.ts";
import type { Dialect } from "../../protocol/dialects.ts";
import type { Json } from "../../protocol/json.ts";
import type { Recorder } from "../durable/recorder.ts";
import { errorOf, MAX_RESULT_CHARACTERS } from "../durable/step-end.ts";
import type { PlatformAnswer, PlatformRequest } from "../platform-request.ts";
import { requestOf } from "./request-of.ts";

export interface RecordedCallerNeeds {
  readonly recorder: Recorder;
  readonly dialect: Dialect;
  /** Asks the host to send a request. Resolves with undefined if `signal` aborts. */
  readonly ask: (
    request: PlatformRequest,
    signal: AbortSignal | undefined,
  ) => Promise<PlatformAnswer | undefined>;
}

/** Maximum length of a look-up's name in the record: an author's endpoint may have any length. */
const MAX_NAME_CHARACTERS = 200;

/**
 * Creates a caller that calls the platform from a handler. Outside steps, only calls that read are allowed, and their
 * results are recorded. Calls that change something are allowed only in a step, because the handler may run again.
 */
export function recordedCaller({ recorder, dialect, ask }: RecordedCallerNeeds): Caller {
  const callPlatform = async (
    endpoint: Endpoint,
    input: CallInput,
    { signal, timeoutMs }: CallOptions,
  ): Promise<Json> => {
    if (timeoutMs !== undefined) checkTimeout(timeoutMs);
    const answer = await ask(requestOf(endpoint, input, timeoutMs), signal);
    if (answer === undefined) throw calledOff(endpoint, signal);
    if (answer.ok) return { status: answer.status, body: answer.body };
    throw errorOfFault(answer.fault);
  };
  return {
    settings: {
      dialect,
      clock: SYSTEM_CLOCK,
      platformTime: new PlatformClock(() => SYSTEM_CLOCK.now()),
    },
    async call(endpoint, input, options = {}) {
      const here = new Error("called here");
      const name = nameOf(endpoint);
      try {
        const isInStep = recorder.isInStep("ctx.client");
        mayBeCalled(endpoint, name, options, isInStep);
        if (isInStep) return answerOf(name, await callPlatform(endpoint, input, options));
        const { value = null, error } = await recorder.look(
          "ctx.client",
          name.slice(0, MAX_NAME_CHARACTERS),
          async () => keepable(name, await callPlatform(endpoint, input, options)),
        );
        if (error !== undefined) throw errorOf(error);
        // a copy, because the handler may change the answer in place, and the record needs the answer that came
        return answerOf(name, structuredClone(value));
      } catch (error) {
        throw placed(error, here);
      }
    },
  };
}

/**
 * Checks whether a handler may make this call at this point.
 *
 * @throws {CredentialError} if the endpoint does not accept OAuth 1.0a, the account's kind of credentials.
 * @throws {UsageError} if the call has the option `beforeWrite`, or changes something outside a step.
 */
function mayBeCalled(
  endpoint: Endpoint,
  name: string,
  { beforeWrite }: CallOptions,
  isInStep: boolean,
): void {
  if (!endpoint.takes.includes("oauth1")) {
    throw new CredentialError(
      `${name} takes ${endpoint.takes.join(" or ")} credentials; ctx.client has the account's own, oauth1`,
      { takes: endpoint.takes },
    );
  }
  if (beforeWrite !== undefined) {
    throw new UsageError(`ctx.client takes no beforeWrite: the request leaves another thread`);
  }
  if (endpoint.method === "GET" || isInStep) return;
  throw new UsageError(
    `${name} changes something, and a handler may be run again: wrap it in ctx.step("name", () => ctx.client…), which does it once, or use ctx.reply, ctx.post or ctx.send`,
  );
}

function answerOf(endpoint: string, recordedAnswer: Json): ApiResponse {
  const { status, body } = fieldsOf(recordedAnswer);
  return { endpoint, status: typeof status === "number" ? status : 0, body: fieldsOf(body) };
}

function fieldsOf(value: Json | undefined): { readonly [key: string]: Json } {
  const isFields = typeof value === "object" && value !== null && !isListOf(value);
  return isFields ? value : {};
}

function isListOf(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function calledOff(endpoint: Endpoint, signal: AbortSignal | undefined): UnreachableError {
  const name = nameOf(endpoint);
  return new UnreachableError(`${name}: the handler stopped it`, {
    endpoint: name,
    sent: "maybe",
    ended: "caller",
    safe: isSafe(endpoint),
    cause: signal?.reason,
  });
}

/** Returns a platform response unchanged if its JSON is short enough to be recorded. @throws {TypeError} if not. */
function keepable(name: string, answer: Json): Json {
  const { length } = JSON.stringify(answer);
  if (length <= MAX_RESULT_CHARACTERS) return answer;
  throw new TypeError(
    `the answer of ${name} has ${length} characters, and ${MAX_RESULT_CHARACTERS} can be kept: ask in a ctx.step("name", …) that gives what is needed of it`,
  );
}

/** Replaces an error's stack by the stack of the handler's call, since the error was created in the host. */
function placed(error: unknown, here: Error): unknown {
  if (!(error instanceof Error)) return error;
  const [, ...lines] = (here.stack ?? "").split("\n");
  error.stack = [String(error), ...lines].join("\n");
  return error;
}
