import { standInAnswer, pathAsked } from "../../bots/platform/stand-in-answer.ts";
import type { PlatformAnswer, PlatformRequest } from "../../bots/platform-request.ts";
import type { HttpOutcome, HttpRequest } from "../../rules/run/http-request.ts";

/** A bot's request to the platform as mocks and expectations see it: its path stands for the address. */
export function asHttp(request: PlatformRequest): HttpRequest {
  const { method, json } = request;
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  return { method, url: pathAsked(request), headers: {}, ...body };
}

/** What a mock says, as the platform's answer. */
export function asPlatform(request: PlatformRequest, outcome: HttpOutcome): PlatformAnswer {
  if (outcome.status === undefined) {
    const isLate = !outcome.ok && outcome.code === "http-timeout";
    return standInAnswer(request, isLate ? "timeout" : "none");
  }
  const { status, json = {} } = outcome;
  return standInAnswer(request, { status, body: json });
}
