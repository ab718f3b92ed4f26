import { once } from "node:events";
import { readFile } from "node:fs/promises";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Answer of the stand-in: the name of a recording in this folder, a recording that stalls in its middle, a text of any
 * length, or an error status.
 */
export type Playing =
  | string
  | { readonly stallsIn: string }
  | { readonly text: string }
  | { readonly status: number; readonly retryAfter?: string };

/** Request that the stand-in received. */
export interface ModelRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly stream: boolean;
    readonly max_tokens: number;
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    readonly tools: readonly { readonly function: { readonly name: string } }[];
  };
}

/** Stand-in for a chat-completions endpoint, on this machine. */
export interface RecordedModel {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Sets the answers to the next requests, in order, and empties `requests`. */
  plays(...next: readonly Playing[]): void;
  /** Resolves when `count` requests have arrived since the last call of `plays`. */
  received(count: number): Promise<void>;
  close(): void;
}

/** Starts a server that answers each request with the next recording, in the wire format of chat completions. */
export async function startRecordedModel(): Promise<RecordedModel> {
  const requests: ModelRequest[] = [];
  let queue: Playing[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
    const playing = queue.shift() ?? { status: 501 };
    server.emit("played");
    await play(playing, response);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    plays(...next) {
      queue = [...next];
      requests.length = 0;
    },
    async received(count) {
      while (requests.length < count) await once(server, "played");
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function play(playing: Playing, response: ServerResponse): Promise<void> {
  if (typeof playing === "object" && "status" in playing) return refuse(playing, response);
  const stream = Buffer.from(await streamOf(playing));
  const isStalling = typeof playing === "object" && "stallsIn" in playing;
  const sent = isStalling ? stream.subarray(0, stream.length / 2) : stream;
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  // Pieces of odd sizes end within lines and within characters, as on a network.
  for (let at = 0; at < sent.length; at += 61) response.write(sent.subarray(at, at + 61));
  if (!isStalling) response.end();
}

function refuse(
  { status, retryAfter }: Extract<Playing, { status: number }>,
  response: ServerResponse,
): void {
  response.writeHead(status, {
    "content-type": "application/json",
    ...(retryAfter !== undefined && { "retry-after": retryAfter }),
  });
  const error = { message: `The stand-in answers with ${status}.`, type: "error", param: null };
  response.end(JSON.stringify({ error: { ...error, code: null } }));
}

async function streamOf(playing: Exclude<Playing, { status: number }>): Promise<string> {
  if (typeof playing === "object" && "text" in playing) return streamSaying(playing.text);
  const name = typeof playing === "string" ? playing : playing.stallsIn;
  return await readFile(new URL(`${name}.sse`, import.meta.url), "utf8");
}

/** Returns the stream of a text, with a chunk for each thousand characters. */
function streamSaying(text: string): string {
  const frame = { id: "chatcmpl-0", object: "chat.completion.chunk", created: 0, model: "small" };
  const choice = (delta: object, reason: string | null) =>
    line({ ...frame, choices: [{ index: 0, delta, finish_reason: reason }] });
  const deltas = text.match(/[^]{1,1000}/g) ?? [];
  const usage = { prompt_tokens: 400, completion_tokens: 100, total_tokens: 500 };
  return [
    choice({ role: "assistant", content: "" }, null),
    ...deltas.map((content) => choice({ content }, null)),
    choice({}, "stop"),
    line({ ...frame, choices: [], usage }),
    "data: [DONE]\n\n",
  ].join("");
}

function line(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
