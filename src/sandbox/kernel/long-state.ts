import { Refusal } from "./refusal.ts";
import type { Restoration } from "./restoration.ts";

/** Bytes read before other requests get a turn. */
const TURN_BYTES = 1024 * 1024;

/**
 * Restores a world from JSON text that may be longer than the longest string, row by row.
 *
 * @throws {Refusal} 400 where the text is not JSON or not a saved world.
 */
export async function restoreLong(raw: Buffer, restoration: Restoration): Promise<void> {
  const { JSONParser } = await import("@streamparser/json");
  const header: Record<string, unknown> = {};
  const parser = new JSONParser({ paths: ["$.*", "$.tables.*", "$.tables.*.*"], keepStack: false });
  const refusals: unknown[] = [];
  parser.onValue = ({ value, key, stack }) => {
    const table = stack[2]?.key;
    try {
      if (stack.length === 1 && key !== "tables") header[String(key)] = value;
      else if (stack.length === 2) restoration.know(String(key));
      else if (stack.length === 3) restoration.add(String(table), value);
    } catch (error) {
      refusals.push(error);
    }
  };
  try {
    for (let at = 0; at < raw.length && refusals.length === 0; at += TURN_BYTES) {
      parser.write(raw.subarray(at, at + TURN_BYTES));
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (!parser.isEnded && refusals.length === 0) parser.end();
  } catch {
    throw Refusal.control(400, "invalid_json", "The request body is not valid JSON.");
  }
  if (refusals.length > 0) throw refusals[0];
  restoration.commit(header);
}
