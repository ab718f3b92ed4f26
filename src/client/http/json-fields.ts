import { ProtocolError } from "../errors.ts";
import { isFields } from "./problem.ts";

/**
 * Parses the JSON object in the body of a response.
 *
 * @throws ProtocolError if the body is not a JSON object.
 */
export function jsonFields(
  text: string,
  endpoint: string,
  status: number,
): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ProtocolError(`${endpoint} answered with a body that is not JSON`, {
      endpoint,
      status,
      cause,
    });
  }
  if (!isFields(value)) {
    throw new ProtocolError(`${endpoint} answered with JSON that is not an object`, {
      endpoint,
      status,
    });
  }
  return value;
}
