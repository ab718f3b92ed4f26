import { ProtocolError } from "./errors.ts";
import { isFields } from "./problem.ts";

/**
 * An answer's JSON object.
 *
 * @throws ProtocolError when it is none.
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
    throw new ProtocolError(`${endpoint} answered no JSON`, { endpoint, status, cause });
  }
  if (!isFields(value)) {
    throw new ProtocolError(`${endpoint} answered JSON that is no object`, { endpoint, status });
  }
  return value;
}
