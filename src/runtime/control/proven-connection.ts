import { randomBytes } from "node:crypto";
import { buildConnector, Client } from "undici";
import * as z from "zod";
import { constantTimeEqual } from "../../system/constant-time-equal.ts";
import { IDENTITY, proofOf } from "./proof.ts";
import type { RunFile } from "./run-file.ts";

/** What became of reaching a control server: one that has proven itself, another program, or nobody. */
export type Reached = Client | "stranger" | "nobody";

/** A server on this machine proves itself at once; a stranger may never answer. */
const PROOF_MS = 5_000;
const PROOF_BYTES = 1_000;

const identity = z.object({ proof: z.string() });

/**
 * Connects to the control server of `run.json`, and has it prove that it knows the token before it is told
 * anything: after the runtime was killed, another program may listen where it did.
 *
 * The connection is the one over which the proof came. Once it is lost the client makes no other.
 */
export async function provenConnection({ url, token }: RunFile): Promise<Reached> {
  const connect = buildConnector({ timeout: PROOF_MS });
  let connections = 0;
  const client = new Client(url, {
    connect(options, done) {
      connections += 1;
      if (connections === 1) connect(options, done);
      else done(new Error("the connection was lost"), null);
    },
  });
  let isConnected = false;
  client.once("connect", () => (isConnected = true));
  const isProven = await proves(client, token).catch(() => false);
  if (isProven) return client;
  await client.destroy();
  return isConnected ? "stranger" : "nobody";
}

async function proves(client: Client, token: string): Promise<boolean> {
  const nonce = randomBytes(16).toString("hex");
  const { statusCode, body } = await client.request({
    method: "GET",
    path: `${IDENTITY.path}?nonce=${nonce}`,
    headersTimeout: PROOF_MS,
    bodyTimeout: PROOF_MS,
    signal: AbortSignal.timeout(PROOF_MS),
  });
  let text = "";
  for await (const chunk of body.setEncoding("utf8")) {
    text += String(chunk);
    if (text.length > PROOF_BYTES) return false;
  }
  if (statusCode !== 200) return false;
  return constantTimeEqual(identity.parse(JSON.parse(text)).proof, proofOf(token, nonce));
}
