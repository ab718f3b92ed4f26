import { standInAnswer, pathAsked } from "../../bots/platform/stand-in-answer.ts";
import type { PlatformAnswer, PlatformRequest } from "../../bots/platform-request.ts";
import type { Evaluation } from "../../rules/evaluate.ts";
import {
  type HttpOutcome,
  type HttpRequest,
  outcomeOfAnswer,
} from "../../rules/run/http-request.ts";
import type { Mocks } from "./mocks.ts";
import type { HttpMock } from "./rule-test.ts";

/** Returns the response of the first mock that matches a request and is not used up; undefined if there is none. */
export function answerOf(
  mocks: Mocks<HttpMock>,
  request: HttpRequest,
  evaluation: Evaluation,
): HttpOutcome | undefined {
  const mock = mocks.take((one) => fits(one, request, evaluation));
  if (mock === undefined) return undefined;
  const { respond } = mock;
  return "fails" in respond ? FAILURES[respond.fails] : outcomeOfAnswer(request, respond);
}

/** Returns the error message for a request that no mock matches. It includes a mock to paste into the test. */
export function unmocked({ method, url }: HttpRequest): string {
  const more = method === "GET" ? "" : `, method: ${method}`;
  const match = `{url: ${JSON.stringify(url)}${more}}`;
  return (
    `no mock answers ${method} ${url}: write in the test  ` +
    `http: [{match: ${match}, respond: {status: 200, json: {}}}]`
  );
}

/** Returns the fields of a request that expectations and mocks can match, such as `method` and `url`. */
export function requestFields({
  method,
  url,
  body,
}: HttpRequest): Readonly<Record<string, string>> {
  return { method, url, ...(body !== undefined && { body }) };
}

/** Failures that a mock can simulate instead of a response. */
const FAILURES = {
  timeout: { ok: false, code: "http-timeout", error: "no answer in time" },
  connection: { ok: false, code: "http-failed", error: "the service can't be reached" },
} as const satisfies Record<string, HttpOutcome>;

function fits({ match }: HttpMock, request: HttpRequest, evaluation: Evaluation): boolean {
  const fields = requestFields(request);
  return match.every(({ name, holds }) => holds(fields[name], evaluation));
}

/** Converts a bot's request to the platform to the form that mocks match: the path replaces the URL. */
export function asHttp(request: PlatformRequest): HttpRequest {
  const { method, json } = request;
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  return { method, url: pathAsked(request), headers: {}, ...body };
}

/** Converts a mock's response to a response of the platform. */
export function asPlatform(request: PlatformRequest, outcome: HttpOutcome): PlatformAnswer {
  if (outcome.status === undefined) {
    const isLate = !outcome.ok && outcome.code === "http-timeout";
    return standInAnswer(request, isLate ? "timeout" : "none");
  }
  const { status, json = {} } = outcome;
  return standInAnswer(request, { status, body: json });
}
