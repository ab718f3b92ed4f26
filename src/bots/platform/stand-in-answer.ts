import { PlatformError, UnreachableError } from "../../client/errors.ts";
import { type ClientFault, faultOfClient } from "../../client/fault.ts";
import { refusalOf } from "../../client/http/problem.ts";
import type { Json } from "../../protocol/json.ts";
import type { PlatformAnswer, PlatformRequest } from "../platform-request.ts";

/** Returns the path of a request, such as `/2/users/42`. Tests match requests by it. */
export function pathAsked({ endpoint, path = {} }: PlatformRequest): string {
  return endpoint.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
}

/** Response that a test defines for a platform request: a status with a body, or no response. */
export type StandInAnswer = { readonly status: number; readonly body: Json } | "timeout" | "none";

/** Converts a test's response to the form in which the platform client returns it. */
export function standInAnswer(request: PlatformRequest, standIn: StandInAnswer): PlatformAnswer {
  const endpoint = `${request.method} ${request.endpoint}`;
  const safe = request.method !== "POST";
  if (typeof standIn === "string") {
    const [ended, why] =
      standIn === "timeout"
        ? (["timeout", "no answer in time"] as const)
        : (["connection", "the connection failed"] as const);
    const sent = standIn === "timeout" ? "maybe" : "no";
    const error = new UnreachableError(`${endpoint}: ${why}`, { endpoint, sent, ended, safe });
    return { ok: false, fault: asFault(error) };
  }
  const { status, body } = standIn;
  if (status >= 200 && status < 300) return { ok: true, status, body };
  const refusalContext = { endpoint, status, headers: {}, safe, afterUnknown: false };
  return {
    ok: false,
    fault: asFault(refusalOf(body, { ...refusalContext, redact: (text) => text })),
  };
}

function asFault(error: PlatformError | UnreachableError): ClientFault {
  return faultOfClient(error) ?? { kind: "usage", message: error.message };
}
