import type { IncomingMessage } from "node:http";
import busboy from "busboy";
import { ApiError } from "./api-error.ts";

/** A file part of a multipart body. */
export interface FilePart {
  readonly field: string;
  readonly filename: string;
  readonly type: string;
  readonly data: Buffer;
}

/** A request body by its content type. An empty body is `empty` whatever the type says. */
export type RequestBody =
  | { readonly kind: "empty" }
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "form"; readonly fields: URLSearchParams }
  | {
      readonly kind: "multipart";
      readonly fields: URLSearchParams;
      readonly files: readonly FilePart[];
    }
  /** JSON that is not parsed yet: only control requests may be so long. */
  | { readonly kind: "unparsed"; readonly raw: Buffer }
  | { readonly kind: "other"; readonly raw: Buffer };

const MAX_BYTES = 16 * 1024 * 1024;
/** A whole world comes in one control request. */
const MAX_CONTROL_BYTES = 4 * 1024 * 1024 * 1024;
/** Longer JSON is left to its handler, to be read part by part: a whole world may be longer than the longest string. */
const UNPARSED_BYTES = 64 * 1024 * 1024;

const MAX_DEPTH = 200;

/** @throws {ApiError} 413 past the size limit. */
export async function readRaw(request: IncomingMessage, control: boolean): Promise<Buffer> {
  const max = control ? MAX_CONTROL_BYTES : MAX_BYTES;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    if (size > max) {
      throw new ApiError({
        status: 413,
        code: "payload_too_large",
        title: "Payload Too Large",
        message: `The request body is larger than ${max} bytes.`,
        headers: { connection: "close" },
      });
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** @throws {ApiError} 400 where the bytes are not what the content type says. */
export async function parseBody(raw: Buffer, contentType: string): Promise<RequestBody> {
  if (raw.length === 0) return { kind: "empty" };
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/x-www-form-urlencoded") {
    return { kind: "form", fields: new URLSearchParams(raw.toString("utf8")) };
  }
  if (type === "multipart/form-data") return parseMultipart(raw, contentType);
  if (type === "application/json" || type === "" || type.endsWith("+json")) return parseJson(raw);
  return { kind: "other", raw };
}

/** A field of a form or of a JSON object; `undefined` where the body has none of that name. */
export function bodyField(body: RequestBody, name: string): unknown {
  if (body.kind === "form") return body.fields.get(name) ?? undefined;
  const value: unknown = body.kind === "json" ? body.value : undefined;
  return typeof value === "object" && value !== null
    ? new Map(Object.entries(value)).get(name)
    : undefined;
}

function parseJson(raw: Buffer): RequestBody {
  if (raw.length > UNPARSED_BYTES) return { kind: "unparsed", raw };
  const text = raw.toString("utf8");
  if (text.trim() === "") return { kind: "empty" };
  if (isTooDeep(text)) {
    const message = `The request body nests deeper than ${MAX_DEPTH} levels.`;
    throw ApiError.invalid([{ message }], "too_deep");
  }
  try {
    const value: unknown = JSON.parse(text);
    return { kind: "json", value };
  } catch {
    throw ApiError.invalid([{ message: "The request body is not valid JSON." }], "invalid_json");
  }
}

/** Whether arrays and objects are nested deeper than the code here can follow. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === "\\") at += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && (character === "[" || character === "{")) depth += 1;
    else if (!quoted && (character === "]" || character === "}")) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function parseMultipart(raw: Buffer, contentType: string): Promise<RequestBody> {
  return new Promise((resolve, reject) => {
    const rejectMalformed = (): void =>
      reject(ApiError.invalid([{ message: "The multipart body is not well formed." }]));
    try {
      const parser = busboy({ headers: { "content-type": contentType } });
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
      parser.on("close", () => resolve({ kind: "multipart", fields, files }));
      parser.end(raw);
    } catch {
      rejectMalformed();
    }
  });
}
