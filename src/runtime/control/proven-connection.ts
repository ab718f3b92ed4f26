import { randomBytes } from "node:crypto";
import { Agent, type ClientRequestArgs, type IncomingMessage } from "node:http";
import { constantTimeEqual } from "../../system/constant-time-equal.ts";
import { endingWith } from "../../system/ending.ts";
import { bodyText, type LocalRequest, localRequest } from "../../system/local-request.ts";
import { IDENTITY, proofOf } from "./proof.ts";
import type { RunFile } from "./run-file.ts";

/** Result of connecting to a control server: a proven connection, another program (`stranger`), or no listener (`nobody`). */
export type Reached = ProvenConnection | "stranger" | "nobody";

/** Connection to a control server that has proven its identity. */
export interface ProvenConnection {
  request(path: string, options: LocalRequest): Promise<IncomingMessage>;
  close(): void;
}

/** Time limit of the proof: a server on this machine answers at once, another program may never answer. */
const PROOF_MS = 5_000;
const PROOF_BYTES = 1_000;

/**
 * Connects to the control server of `run.json`. The server has to prove that it knows the token before it receives any
 * request: after the runtime was killed, another program may listen on its port. All requests use the connection on
 * which the server gave the proof. Once it is lost, requests fail.
 */
export async function provenConnection({ url, token }: RunFile): Promise<Reached> {
  const agent = new OneConnection();
  const connection: ProvenConnection = {
    request: (path, options) => localRequest(`${url}${path}`, { ...options, agent }),
    close: () => agent.destroy(),
  };
  const isProven = await proves(connection, token).catch(() => false);
  if (isProven) return connection;
  connection.close();
  return agent.isConnected ? "stranger" : "nobody";
}

/** Agent that opens a single connection. */
class OneConnection extends Agent {
  isConnected = false;
  #isMade = false;

  constructor() {
    super({ keepAlive: true, maxSockets: 1 });
  }

  override createConnection(
    options: ClientRequestArgs,
    done?: Parameters<Agent["createConnection"]>[1],
  ): ReturnType<Agent["createConnection"]> {
    if (this.#isMade) {
      // Calls back: a thrown error would end the process if the agent connects within a socket's event.
      const lost = new Error("the connection was lost");
      if (done !== undefined) process.nextTick(done, lost);
      return undefined;
    }
    this.#isMade = true;
    const socket = super.createConnection(options, done);
    socket?.once("connect", () => (this.isConnected = true));
    return socket;
  }
}

async function proves(connection: ProvenConnection, token: string): Promise<boolean> {
  const nonce = randomBytes(16).toString("hex");
  const end = endingWith([], PROOF_MS);
  try {
    const answer = await connection.request(`${IDENTITY.path}?nonce=${nonce}`, {
      signal: end.signal,
    });
    const text = await bodyText(answer, PROOF_BYTES);
    if (answer.statusCode !== 200) return false;
    const { proof }: { readonly proof?: unknown } = Object(JSON.parse(text));
    return typeof proof === "string" && constantTimeEqual(proof, proofOf(token, nonce));
  } finally {
    end.release();
  }
}
