import { Agent, request as send } from "node:http";
import { signed } from "../support/test-sandbox.ts";
import type { Credential, Draft } from "./requests.ts";
import type { FuzzWorld } from "./fuzz-world.ts";

/** Response to a request. `status` 0: the connection broke, or no response came in time. */
export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Milliseconds after which a request counts as unanswered. In this time the sandbox answers some thousand requests. */
const LONGEST_MS = 60_000;

/** Sends generated requests over kept-alive connections. */
export class Sender {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });

  send(draft: Draft, world: FuzzWorld): Promise<Reply> {
    const fill = (text: string): string =>
      text.replace(/#(\d+)#/g, (_, n: string) => world.ids[Number(n)] ?? "0");
    const query = draft.query
      .map(([name, value]) => `${encodeURIComponent(name)}=${encode(fill(value))}`)
      .join("&");
    const path = latin(fill(draft.path) + (query === "" ? "" : `?${query}`));
    const { url } = world.fixture.sandbox;
    const body = draft.body === undefined ? undefined : Buffer.from(fillBytes(draft.body, fill));
    const authorization = authorize(draft.credential, draft.method, url + path, world);
    return this.#exchange(url, {
      method: draft.method,
      path,
      body,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(draft.type === undefined ? {} : { "content-type": draft.type }),
        ...(body === undefined ? {} : { "content-length": String(body.length) }),
        ...draft.headers,
      },
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #exchange(
    url: string,
    out: {
      method: string;
      path: string;
      body: Buffer | undefined;
      headers: Record<string, string | string[]>;
    },
  ): Promise<Reply> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve) => {
      const { method, path, headers, body } = out;
      const call = send({ hostname, port, method, path, headers, agent: this.#agent });
      const fail = (text: string): void => resolve({ status: 0, type: "", text });
      call.setTimeout(LONGEST_MS, () => call.destroy(new Error("no answer in time")));
      call.on("error", (error) => fail(String(error)));
      call.on("response", (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", (error) => fail(String(error)));
        answer.on("end", () =>
          resolve({
            status: answer.statusCode ?? 0,
            type: answer.headers["content-type"] ?? "",
            text: Buffer.concat(chunks).toString(),
          }),
        );
      });
      call.end(body);
    });
  }
}

/** Percent-encodes a text. A text that begins with `%` is encoded already, perhaps wrongly on purpose. */
function encode(value: string): string {
  return value.startsWith("%") ? value : encodeURIComponent(value);
}

/** Removes characters that can't be in a request line. */
function latin(path: string): string {
  return path.replace(/[^\u0021-\u00ff]/g, "_");
}

function fillBytes(bytes: Buffer, fill: (text: string) => string): Buffer {
  return bytes.includes("#") ? Buffer.from(fill(bytes.toString("latin1")), "latin1") : bytes;
}

function authorize(
  credential: Credential,
  method: string,
  url: string,
  { fixture: { app, sandbox }, tokens, oauth2 }: FuzzWorld,
): string | undefined {
  switch (credential) {
    case "none":
      return undefined;
    case "control":
      return `Bearer ${sandbox.control.token}`;
    case "bearer":
      return `Bearer ${app.bearer_token}`;
    case "oauth2":
      return `Bearer ${oauth2}`;
    case "basic":
      return `Basic ${Buffer.from(`${app.consumer_key}:${app.consumer_secret}`).toString("base64")}`;
    case "garbage":
      return GARBAGE[url.length % GARBAGE.length];
    case "oauth1":
      return sign(app, tokens, method, url);
    case "signed":
      return sign(app, { access_token: "", access_token_secret: "" }, method, url);
    case "broken-oauth":
      return BROKEN[url.length % BROKEN.length]?.replace("KEY", app.consumer_key);
  }
}

const GARBAGE = [
  "",
  "Bearer",
  "Bearer %zz",
  "Basic !!!",
  "Basic bm9jb2xvbg==",
  "Basic JXp6OiV6eg==",
  "OAuth",
  "Digest x",
  `Bearer ${"x".repeat(4_000)}`,
  "bearer \u00e9",
];

const BROKEN = [
  "OAuth oauth_consumer_key",
  'OAuth oauth_consumer_key="KEY", oauth_consumer_key="KEY"',
  'OAuth oauth_consumer_key="%zz", oauth_signature="%"',
  'OAuth oauth_consumer_key="KEY", oauth_signature="x", oauth_timestamp="1e9", oauth_nonce=""',
  'OAuth oauth_consumer_key="KEY",,,=,"',
  `OAuth ${'a="b",'.repeat(500)}`,
  'OAuth oauth_consumer_key="KEY", oauth_signature_method="PLAINTEXT", oauth_signature="&"',
];

/** Returns the signature that the OAuth library computes; `undefined` for a URL that the library can't parse. */
function sign(
  app: FuzzWorld["fixture"]["app"],
  tokens: FuzzWorld["tokens"],
  method: string,
  url: string,
): string | undefined {
  try {
    return signed(app, tokens, method, url);
  } catch {
    // A URL with broken percent signs can't be signed.
    return undefined;
  }
}
