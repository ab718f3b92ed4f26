import type { ApiResponse } from "../http/api-caller.ts";
import { isFields } from "../http/problem.ts";
import { protocolError } from "../reading/response.ts";
import type { StreamLine } from "./follow.ts";

/** Problems after which an immediate reconnect is allowed. */
const AT_ONCE = /operational-disconnect|client-disconnected/;

/** Reads a line without data: the platform's reason for the stream's end. @throws ProtocolError */
export function streamEnding(answer: ApiResponse): StreamLine<never> {
  const { errors } = answer.body;
  const problem: unknown = Array.isArray(errors) ? errors[0] : undefined;
  if (!isFields(problem)) throw protocolError(answer, "a line has neither data nor errors");
  const { title, detail, type, disconnect_type: kind } = problem;
  return {
    kind: "ended",
    why: String(detail ?? title),
    disconnectType: typeof kind === "string" ? kind : undefined,
    again: AT_ONCE.test(String(type)),
  };
}
