import busboy from "busboy";
import { parse } from "lossless-json";
import { ApiError } from "../kernel/http/api-error.ts";

/** A file part of a multipart body. */
export interface FilePart {
  readonly field: string;
  readonly filename: string;
  readonly type: string;
  readonly data: Buffer;
}

/**
 * A request body, parsed according to its content type. An empty body is `empty` for any content type. Integers beyond
 * JavaScript's safe range are bigints.
 */
export type RequestBody =
  | { readonly kind: "empty" }
  | {
      readonly kind: "json";
      readonly value: unknown;
      /** The value with the keys that the caller wrote; set if the keys of `value` were translated. */
      readonly sent?: unknown;
    }
  | { readonly kind: "form"; readonly fields: URLSearchParams }
  | {
      readonly kind: "multipart";
      readonly fields: URLSearchParams;
      readonly files: readonly FilePart[];
    }
  /** Long JSON of a control request, which the handler parses. */
  | { readonly kind: "unparsed"; readonly raw: Buffer }
  | { readonly kind: "other"; readonly raw: Buffer };

/**
 * Size in bytes above which JSON stays unparsed for routes without a limit of values: they parse it in parts. A saved
 * world may exceed the maximum length of a string, and other requests must be served meanwhile.
 */
const UNPARSED_BYTES = 4 * 1024 * 1024;

const MAX_DEPTH = 200;

/** Maximum number of values of a JSON body. Checking a value takes time in which no other request is served. */
const MAX_VALUES = 10_000;
/** Maximum number of fields of a form. */
const MAX_FIELDS = 1_000;

/** Limits of a multipart body; the size of its parts is limited by the size of the body. */
const MULTIPART_LIMITS = { parts: 100, fieldNameSize: 100, headerPairs: 20 };

/** Returns whether a content type is that of a form, whose fields an OAuth 1.0a signature covers. */
export function isForm(contentType: string): boolean {
  return mediaType(contentType) === "application/x-www-form-urlencoded";
}

/**
 * Reads a body by its content type.
 *
 * @param maxValues Maximum number of values in a JSON body.
 * @throws {ApiError} 400 if the bytes do not match the content type, 413 for too many values.
 */
export async function parseBody(
  raw: Buffer,
  contentType: string,
  maxValues = MAX_VALUES,
): Promise<RequestBody> {
  if (raw.length === 0) return { kind: "empty" };
  const type = mediaType(contentType);
  if (isForm(contentType)) return parseForm(raw);
  if (type === "multipart/form-data") return parseMultipart(raw, contentType);
  if (type === "application/json" || type === "" || type.endsWith("+json"))
    return parseJson(raw, maxValues);
  return { kind: "other", raw };
}

function mediaType(contentType: string): string {
  return contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function parseForm(raw: Buffer): RequestBody {
  let fields = 1;
  for (let at = raw.indexOf("&"); at !== -1; at = raw.indexOf("&", at + 1)) {
    fields += 1;
    if (fields > MAX_FIELDS) throw tooMuch(`has more than ${MAX_FIELDS} fields`);
  }
  return { kind: "form", fields: new URLSearchParams(raw.toString("utf8")) };
}

function tooMuch(what: string): ApiError {
  return new ApiError({
    status: 413,
    code: "payload_too_large",
    title: "Payload Too Large",
    message: `The request body ${what}.`,
  });
}

/** Returns a field of a form or of a JSON object; `undefined` if the body has no such field. */
export function bodyField(body: RequestBody, name: string): unknown {
  if (body.kind === "form") return body.fields.get(name) ?? undefined;
  const value: unknown = body.kind === "json" ? body.value : undefined;
  return typeof value === "object" && value !== null
    ? new Map(Object.entries(value)).get(name)
    : undefined;
}

function parseJson(raw: Buffer, maxValues: number): RequestBody {
  if (maxValues === Infinity && raw.length > UNPARSED_BYTES) return { kind: "unparsed", raw };
  const text = raw.toString("utf8");
  if (text.trim() === "") return { kind: "empty" };
  const { depth, values } = measure(text);
  if (depth > MAX_DEPTH) {
    const message = `The request body nests deeper than ${MAX_DEPTH} levels.`;
    throw ApiError.invalid([{ message }], "too_deep");
  }
  if (values > maxValues) throw tooMuch(`holds more than ${maxValues} values`);
  try {
    const value: unknown = LONG_NUMBER.test(text)
      ? parse(text, undefined, { parseNumber })
      : JSON.parse(text);
    return { kind: "json", value };
  } catch {
    throw ApiError.invalid([{ message: "The request body is not valid JSON." }], "invalid_json");
  }
}

/** Matches numbers that may exceed JavaScript's precision, such as ids that clients write as numbers. */
const LONG_NUMBER = /[[:,\s]-?\d{16}/;

/** Parses a number; an integer keeps all its digits, as a bigint if necessary. */
function parseNumber(text: string): number | bigint {
  const value = Number(text);
  return !/^-?\d+$/.test(text) || Number.isSafeInteger(value) ? value : BigInt(text);
}

/** Measures the nesting and number of values of a JSON text before it is parsed. */
function measure(text: string): { depth: number; values: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (quoted && character === BACKSLASH) at += 1;
    else if (character === QUOTE) quoted = !quoted;
    else if (quoted) continue;
    else if (character === OPEN_ARRAY || character === OPEN_OBJECT) depth += 1;
    else if (character === CLOSE_ARRAY || character === CLOSE_OBJECT) depth -= 1;
    else if (character === COMMA) values += 1;
    if (depth > deepest) deepest = depth;
  }
  return { depth: deepest, values };
}

const [BACKSLASH, QUOTE, COMMA] = [0x5c, 0x22, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

function parseMultipart(raw: Buffer, contentType: string): Promise<RequestBody> {
  return new Promise((resolve, reject) => {
    const rejectMalformed = (): void =>
      reject(ApiError.invalid([{ message: "The multipart body is not well formed." }]));
    try {
      const headers = { "content-type": contentType };
      const parser = busboy({ headers, limits: { ...MULTIPART_LIMITS, fieldSize: raw.length } });
      const fields = new URLSearchParams();
      const files: FilePart[] = [];
      parser.on("field", (name, value) => fields.append(name, value));
      parser.on("file", (field, stream, info) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("error", rejectMalformed);
        stream.on("end", () =>
          files.push({
            field,
            filename: info.filename ?? "",
            type: info.mimeType,
            data: Buffer.concat(chunks),
          }),
        );
      });
      parser.on("error", rejectMalformed);
      parser.on("partsLimit", () =>
        reject(tooMuch(`has more than ${MULTIPART_LIMITS.parts} parts`)),
      );
      parser.on("close", () => resolve({ kind: "multipart", fields, files }));
      parser.end(raw);
    } catch {
      rejectMalformed();
    }
  });
}
