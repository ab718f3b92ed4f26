import { TextDecoder } from "node:util";
import { brotliDecompressSync, unzipSync } from "node:zlib";
import type { Json } from "../../protocol/json.ts";
import type { HttpAnswer } from "../../rules/run/http-request.ts";
import { isNestedDeeper } from "../../text/json-depth.ts";

/** Limit of a response's body in bytes. A longer response is refused, because it would be stored with the run. */
export const MAX_BYTES = 256 * 1024;
/** Maximum depth of a response's JSON. A deeper value would overflow the stack when the run is stored. */
const MAX_DEPTH = 100;

/** Returns the header `name`; the values of a repeated header are joined by commas. */
type HeaderOf = (name: string) => string;

/**
 * Reads the response of a service.
 *
 * @returns undefined if the decompressed body is longer than {@link MAX_BYTES}.
 * @throws if the compressed data is damaged.
 */
export function readAnswer(
  status: number,
  body: Buffer,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): HttpAnswer | undefined {
  const header: HeaderOf = (name) => String(headers[name] ?? "");
  const bytes = decompressed(body, header("content-encoding"));
  if (bytes === undefined) return undefined;
  const type = header("content-type");
  const text = decoderOf(/;\s*charset="?([^\s";]+)/i.exec(type)?.[1]).decode(bytes);
  const json = jsonIn(text, type);
  const retryAfterMs = pauseIn(header);
  return {
    status,
    text,
    ...(json !== undefined && { json }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Decompresses a body. The last coding was applied last. An answer to HEAD names codings, but has no body. */
function decompressed(body: Buffer, codings: string): Buffer | undefined {
  let bytes = body;
  try {
    for (const coding of codings.toLowerCase().split(",").toReversed()) {
      if (bytes.length > 0) bytes = without(coding.trim(), bytes);
    }
    return bytes;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Services often compress without being asked: the API of Stack Exchange always does. */
function without(coding: string, bytes: Buffer): Buffer {
  const most = { maxOutputLength: MAX_BYTES };
  switch (coding) {
    case "gzip":
    case "x-gzip":
    case "deflate":
      return unzipSync(bytes, most);
    case "br":
      return brotliDecompressSync(bytes, most);
    default:
      return bytes;
  }
}

function decoderOf(charset = "utf-8"): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // Not the name of a charset.
    return new TextDecoder();
  }
}

/** Strings, and whole numbers of 16 digits or more, in valid JSON. A part of a longer number does not match. */
const STRINGS_AND_LONG_NUMBERS = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * Returns the JSON of a response; `undefined` if its type is not JSON, or its text is broken or nested too deeply.
 * Whole numbers beyond 2^53 become text, because ids would lose digits as numbers.
 */
function jsonIn(text: string, type: string): Json | undefined {
  if (!/\bjson\b/i.test(type) || isNestedDeeper(text, MAX_DEPTH)) return undefined;
  try {
    const json: Json = JSON.parse(text);
    if (!/\d{16}/.test(text)) return json;
    const exact: Json = JSON.parse(
      text.replaceAll(STRINGS_AND_LONG_NUMBERS, (part) =>
        part.startsWith('"') || Number.isSafeInteger(Number(part)) ? part : `"${part}"`,
      ),
    );
    return exact;
  } catch {
    // The service declares JSON but sends something else: the text is still available.
    return undefined;
  }
}

/** Returns the pause of the header `retry-after`, which has seconds or a date by the clock of the service. */
function pauseIn(header: HeaderOf): number | undefined {
  const after = header("retry-after");
  const ms = /^\d+$/.test(after)
    ? Number(after) * 1_000
    : Date.parse(after) - Date.parse(header("date"));
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
