import { type Agent, type IncomingMessage, request } from "node:http";

export interface LocalRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly agent?: Agent;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request to a server on this machine, with Node's own client: other clients take longer to load than such a
 * server takes to respond. Redirects are not followed.
 *
 * @returns The response once its headers have arrived; its body is still to be read.
 */
export async function localRequest(
  url: string,
  options: LocalRequest = {},
): Promise<IncomingMessage> {
  const sent = await attempt(url, options);
  // The server may have just closed the kept-alive connection. It has then not read the request, so a repeat is safe.
  return sent === "closed" ? lastAttempt(url, options) : sent;
}

/** Reads the whole body of a response as text. @param maxBytes A longer body is an error. */
export async function bodyText(answer: IncomingMessage, maxBytes = Infinity): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    const read = Buffer.from(chunk);
    bytes += read.length;
    if (bytes > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    chunks.push(read);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function lastAttempt(url: string, options: LocalRequest): Promise<IncomingMessage> {
  const sent = await attempt(url, options);
  if (sent === "closed") throw new Error(`${url} closes its connections`);
  return sent;
}

function attempt(
  url: string,
  { method = "GET", headers = {}, body, agent, signal }: LocalRequest,
): Promise<IncomingMessage | "closed"> {
  return new Promise((resolve, reject) => {
    const sending = request(url, {
      method,
      headers,
      ...(agent === undefined ? {} : { agent }),
      ...(signal === undefined ? {} : { signal }),
    });
    sending.once("response", resolve);
    sending.once("error", (error: NodeJS.ErrnoException) => {
      if (sending.reusedSocket && error.code === "ECONNRESET") resolve("closed");
      else reject(error);
    });
    sending.end(body);
  });
}
