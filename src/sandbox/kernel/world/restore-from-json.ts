import { ApiError } from "../http/api-error.ts";
import type { WorldRestore } from "./world-restore.ts";

/** Number of bytes that are parsed before other requests get a turn. */
const CHUNK_BYTES = 128 * 1024;

/**
 * Restores a world row by row from JSON text, which may exceed the maximum length of a string.
 *
 * @throws {ApiError} 400 if the text is not JSON or not a saved world.
 */
export async function restoreFromJson(raw: Buffer, restore: WorldRestore): Promise<void> {
  const { JSONParser } = await import("@streamparser/json");
  const header: Record<string, unknown> = {};
  const parser = new JSONParser({ paths: ["$.*", "$.tables.*", "$.tables.*.*"], keepStack: false });
  const errors: unknown[] = [];
  parser.onValue = ({ value, key, stack }) => {
    const table = stack[2]?.key;
    try {
      if (stack.length === 1 && key !== "tables") header[String(key)] = value;
      else if (stack.length === 2) restore.requireTable(String(key));
      else if (stack.length === 3) restore.add(String(table), value);
    } catch (error) {
      errors.push(error);
    }
  };
  try {
    for (let at = 0; at < raw.length && errors.length === 0; at += CHUNK_BYTES) {
      parser.write(raw.subarray(at, at + CHUNK_BYTES));
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (!parser.isEnded && errors.length === 0) parser.end();
  } catch {
    throw ApiError.control(400, "invalid_json", "The request body is not valid JSON.");
  }
  if (errors.length > 0) throw errors[0];
  restore.commit(header);
}
