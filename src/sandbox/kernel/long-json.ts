/** Bytes read before other requests get a turn. */
const TURN_BYTES = 4 * 1024 * 1024;

/**
 * The value of a JSON text that may be longer than the longest string.
 *
 * @throws {Error} where it is not JSON.
 */
export async function parseLongJson(raw: Buffer): Promise<unknown> {
  const { JSONParser } = await import("@streamparser/json");
  const parser = new JSONParser({ paths: ["$"] });
  let value: unknown;
  parser.onValue = (parsed) => {
    value = parsed.value;
  };
  for (let at = 0; at < raw.length; at += TURN_BYTES) {
    parser.write(raw.subarray(at, at + TURN_BYTES));
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (!parser.isEnded) parser.end();
  return value;
}
