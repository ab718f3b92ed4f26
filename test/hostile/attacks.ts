import { exchange, FORGED, type Held, HEADER, requestOf, type Victim } from "./wire.ts";

/** Draws whole numbers from 0 to `below - 1`. */
export type Draw = (below: number) => number;

/** A stranger's resources: connections, keys and random draws. */
export interface Stranger {
  readonly victim: Victim;
  readonly draw: Draw;
  readonly held: Held;
}

/** Kind of attack by strangers. Returns the number of requests that it made. */
export type Attack = (stranger: Stranger) => Promise<number>;

const FLOOD = 30;
const KIB = 1024;

const asks =
  (
    method: string,
    headers: Readonly<Record<string, string>>,
    bodyOf: (draw: Draw) => string = () => "",
    pathOf: (path: string, draw: Draw) => string = (path) => path,
  ): Attack =>
  async ({ victim, draw }) => {
    const path = pathOf(victim.path, draw);
    // Sends sequential requests on one connection, until the server closes it.
    const requests = Array.from({ length: FLOOD }, () =>
      requestOf({ path }, method, headers, bodyOf(draw)),
    );
    await exchange(victim, requests.join(""), FLOOD);
    return FLOOD;
  };

const small = (draw: Draw): string =>
  JSON.stringify({ for_user_id: "100", direct_message_events: [{ id: String(draw(1e9)) }] });
const large = (draw: Draw): string => " ".repeat(draw(200 * KIB));
const token = (draw: Draw): string => encodeURIComponent(`token ${draw(1e9)}`);

/** Makes the bot sign a text that is not JSON, as a webhook challenge; then delivers the text with this signature. */
const signedText: Attack = async ({ victim, draw }) => {
  const text = `text ${draw(1e9)}`;
  const path = `${victim.path}?crc_token=${encodeURIComponent(text)}`;
  const answer = await exchange(victim, requestOf({ path }, "GET", {}));
  const [, signature = ""] = /"response_token":"([^"]+)"/.exec(answer) ?? [];
  const requests = requestOf(victim, "POST", { [HEADER]: signature }, text).repeat(FLOOD);
  await exchange(victim, requests, FLOOD);
  return FLOOD + 1;
};

const sends =
  (bytesOf: (stranger: Stranger) => string): Attack =>
  async (stranger) => {
    await exchange(stranger.victim, bytesOf(stranger));
    return 1;
  };

const holds =
  (bytesOf: (stranger: Stranger) => string | Buffer): Attack =>
  async (stranger) => {
    await stranger.held.hold(stranger.victim, bytesOf(stranger));
    return 1;
  };

/** A body of 4 MiB that arrives only in part, with a signature that can be verified only over the whole body. */
const halfLarge = holds(({ victim, draw }) =>
  Buffer.concat([
    Buffer.from(requestOf(victim, "POST", { [HEADER]: FORGED }, "", 4 * KIB * KIB)),
    Buffer.alloc(draw(2 * KIB * KIB), 0x20),
  ]),
);

/** Sends a body byte by byte, until the server ends the connection. */
const drips: Attack = async ({ victim, held }) => {
  const head = requestOf(victim, "POST", { [HEADER]: FORGED }, "", 10_000);
  const socket = await held.hold(victim, head);
  const drip = setInterval(() => {
    if (socket.destroyed) clearInterval(drip);
    else socket.write(" ");
  }, 50);
  return 1;
};

/** Sends chunks of one byte each, which hold far more memory than their bytes. */
const crumbs = holds(
  ({ victim, draw }) =>
    `POST ${victim.path} HTTP/1.1\r\nhost: bot\r\n${HEADER}: ${FORGED}\r\ntransfer-encoding: chunked\r\n\r\n` +
    "1\r\nx\r\n".repeat(draw(5_000)),
);

/** All kinds of attack, each with its share of the draws. */
export const ATTACKS: Readonly<Record<string, { readonly share: number; readonly run: Attack }>> = {
  unsigned: { share: 8, run: asks("POST", {}, small) },
  malformed: { share: 6, run: asks("POST", { [HEADER]: "sha256=short" }, small) },
  forged: { share: 12, run: asks("POST", { [HEADER]: FORGED }, small) },
  forgedLarge: { share: 1, run: asks("POST", { [HEADER]: FORGED }, large) },
  signedText: { share: 6, run: signedText },
  challenge: {
    share: 6,
    run: asks("GET", {}, undefined, (path, draw) => `${path}?crc_token=${token(draw)}`),
  },
  emptyChallenge: { share: 2, run: asks("GET", {}) },
  oracle: {
    share: 2,
    run: asks("GET", {}, undefined, (path) => `${path}?crc_token=%7B%22a%22%3A1%7D`),
  },
  method: { share: 2, run: asks("PATCH", { [HEADER]: FORGED }, small) },
  elsewhere: { share: 4, run: asks("GET", {}, undefined, (_, draw) => `/${draw(1e6)}%ff`) },
  ready: { share: 1, run: asks("GET", {}, undefined, () => "/readyz") },
  noRequest: { share: 3, run: sends(() => "BANANA\r\n\r\n") },
  smuggled: {
    share: 3,
    run: sends(({ victim }) => requestOf(victim, "POST", { "transfer-encoding": "chunked" }, "0")),
  },
  longHeader: { share: 2, run: sends(({ victim }) => withHeaders(victim, 1, 20_000)) },
  manyHeaders: { share: 2, run: sends(({ victim }) => withHeaders(victim, 3_000, 1)) },
  notUnicode: {
    share: 1,
    run: sends(({ victim }) => requestOf(victim, "POST", { [HEADER]: FORGED }, "\u0000\uD800")),
  },
  halfHeader: { share: 8, run: holds(({ victim }) => `POST ${victim.path} HTTP/1.1\r\nhost: b`) },
  silent: { share: 8, run: holds(() => "") },
  half: {
    share: 12,
    run: holds(({ victim }) => requestOf(victim, "POST", { [HEADER]: FORGED }, '{"half', 5_000)),
  },
  halfUnsigned: { share: 8, run: holds(({ victim }) => requestOf(victim, "POST", {}, "{", 5e6)) },
  halfLarge: { share: 1, run: halfLarge },
  drips: { share: 4, run: drips },
  crumbs: { share: 2, run: crumbs },
};

function withHeaders({ path }: Victim, count: number, length: number): string {
  const header = (n: number): string => `x-${n}: ${"x".repeat(length)}\r\n`;
  const headers = Array.from({ length: count }, (_, n) => header(n)).join("");
  return `POST ${path} HTTP/1.1\r\nhost: bot\r\n${headers}\r\n`;
}

/** Draws a kind of attack by the shares of all. */
export function drawnAttack(draw: Draw): { readonly name: string; readonly run: Attack } {
  const all = Object.entries(ATTACKS);
  let remaining = draw(all.reduce((sum, [, { share }]) => sum + share, 0));
  for (const [name, { share, run }] of all) {
    remaining -= share;
    if (remaining < 0) return { name, run };
  }
  throw new Error("the shares are all nothing");
}
