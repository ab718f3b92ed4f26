import type { IncomingMessage } from "node:http";
import busboy from "busboy";
import { Refusal } from "./refusal.ts";

/** A file part of a multipart body. */
export interface Upload {
  readonly field: string;
  readonly filename: string;
  readonly type: string;
  readonly data: Buffer;
}

/** A request body by its content type. An empty body is `empty` whatever the type says. */
export type Body =
  | { readonly kind: "empty" }
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "form"; readonly fields: URLSearchParams }
  | {
      readonly kind: "multipart";
      readonly fields: URLSearchParams;
      readonly files: readonly Upload[];
    }
  /** JSON, not parsed yet: only control requests may be so long. */
  | { readonly kind: "long"; readonly raw: Buffer }
  | { readonly kind: "other"; readonly raw: Buffer };

const MOST_BYTES = 16 * 1024 * 1024;
/** A whole world comes in one control request. */
const MOST_CONTROL_BYTES = 4 * 1024 * 1024 * 1024;
/** Longer JSON is left to its handler, to be read part by part: a whole world passes the longest string. */
const LONG_BYTES = 64 * 1024 * 1024;

const MOST_LEVELS = 200;

/** @throws {Refusal} 413 past the size limit. */
export async function readRaw(request: IncomingMessage, control: boolean): Promise<Buffer> {
  const most = control ? MOST_CONTROL_BYTES : MOST_BYTES;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    if (size > most) {
      throw new Refusal({
        status: 413,
        code: "payload_too_large",
        title: "Payload Too Large",
        message: `The request body is larger than ${most} bytes.`,
        headers: { connection: "close" },
      });
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** @throws {Refusal} 400 where the bytes are not what the content type says. */
export async function parseBody(raw: Buffer, contentType: string): Promise<Body> {
  if (raw.length === 0) return { kind: "empty" };
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/x-www-form-urlencoded") {
    return { kind: "form", fields: new URLSearchParams(raw.toString("utf8")) };
  }
  if (type === "multipart/form-data") return parseMultipart(raw, contentType);
  if (type === "application/json" || type === "" || type.endsWith("+json")) return parseJson(raw);
  return { kind: "other", raw };
}

function parseJson(raw: Buffer): Body {
  if (raw.length > LONG_BYTES) return { kind: "long", raw };
  const text = raw.toString("utf8");
  if (text.trim() === "") return { kind: "empty" };
  if (isDeep(text)) {
    const message = `The request body nests deeper than ${MOST_LEVELS} levels.`;
    throw Refusal.invalid([{ message }], "too_deep");
  }
  try {
    const value: unknown = JSON.parse(text);
    return { kind: "json", value };
  } catch {
    throw Refusal.invalid([{ message: "The request body is not valid JSON." }], "invalid_json");
  }
}

/** Whether arrays and objects stand in each other deeper than any reader here would follow. */
function isDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted && letter === "\\") at += 1;
    else if (letter === '"') quoted = !quoted;
    else if (!quoted && (letter === "[" || letter === "{")) depth += 1;
    else if (!quoted && (letter === "]" || letter === "}")) depth -= 1;
    if (depth > MOST_LEVELS) return true;
  }
  return false;
}

function parseMultipart(raw: Buffer, contentType: string): Promise<Body> {
  return new Promise((resolve, reject) => {
    const refuse = (): void =>
      reject(Refusal.invalid([{ message: "The multipart body is not well formed." }]));
    try {
      const parser = busboy({ headers: { "content-type": contentType } });
      const fields = new URLSearchParams();
      const files: Upload[] = [];
      parser.on("field", (name, value) => fields.append(name, value));
      parser.on("file", (field, stream, info) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("error", refuse);
        stream.on("end", () =>
          files.push({
            field,
            filename: info.filename ?? "",
            type: info.mimeType,
            data: Buffer.concat(chunks),
          }),
        );
      });
      parser.on("error", refuse);
      parser.on("close", () => resolve({ kind: "multipart", fields, files }));
      parser.end(raw);
    } catch {
      refuse();
    }
  });
}
