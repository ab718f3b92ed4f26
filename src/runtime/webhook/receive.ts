import type { IncomingMessage, ServerResponse } from "node:http";
import { deliveryAccounts } from "../../events/read/delivery-accounts.ts";
import type { Log } from "../log.ts";
import { ComeAgain } from "../source.ts";
import { type Admission, admission } from "./admission.ts";
import { answerChallenge, isFromPlatform } from "./challenge.ts";
import { type Body, readBody } from "./read-body.ts";
import { type ReceiverLog, receiverLog } from "./receiver-log.ts";
import { comeAgain, refuse, send } from "./responses.ts";
import { isSigned, signatureIn } from "./signature.ts";
import { MACHINE_TIME, type MonotonicTime, UnfinishedBodies } from "./unfinished-bodies.ts";
import { isNestedDeeper } from "../../text/json-depth.ts";

export interface ReceiverNeeds {
  /** Secret that signs challenges and deliveries. */
  readonly consumerSecret: string;
  /** Previous secret: deliveries signed with it are accepted, too. */
  readonly previousConsumerSecret?: string;
  readonly maxBodyBytes: number;
  /** Limit of the total bytes of signed deliveries that wait for the disk; by default {@link MAX_BYTES_WAITING}. */
  readonly maxBytesWaiting?: number;
  /** Limit of the total bytes of bodies that are being received; by default the limit of `UnfinishedBodies`. */
  readonly roomBytes?: number;
  /** Clock for the time limits of bodies; by default the machine's. */
  readonly time?: MonotonicTime;
  /** Number of undecided events on disk: if it is too large, deliveries are rejected. By default 0. */
  readonly undecided?: () => number;
  readonly log: Log;
  /** Called for each challenge: whether it was answered, and whether the platform surely sent it. */
  readonly onChallenge?: (answered: boolean, isFromPlatform: boolean) => void;
  /** Called for each signed delivery, before it is stored. */
  readonly onSigned?: (request: IncomingMessage) => void;
  /**
   * Called for each delivery that is rejected with 503, once for each account that the delivery is for. `account` is a
   * user id, or "" if the request was rejected unread or names no account.
   */
  readonly onRefused?: (account: string) => void;
  /**
   * Stores a delivery's events. Resolves once all of them are on disk, including events that an earlier delivery has
   * stored.
   */
  append(delivery: object, raw: string): Promise<void>;
}

/** Answers a request to the webhook's path: a challenge of the platform, or a delivery. */
export interface Receiver {
  (request: IncomingMessage, response: ServerResponse): void;
  /** Status of the load shedding. */
  readonly status: Admission["status"];
}

/**
 * Receives the platform's requests to the webhook.
 *
 * A delivery gets 200 only after its events are on disk. Other statuses:
 * - 400: the body is not a JSON object, or nested too deeply
 * - 401: no valid signature over the raw bytes; the body is not read if the signature is malformed
 * - 408: the body arrives too slowly
 * - 413: the body has more than `maxBodyBytes`
 * - 503: the disk fails, the backlog is too large, or older events have to be read first; the platform repeats the
 *   delivery
 *
 * A challenge is answered regardless of the backlog.
 */
export function receiver(needs: ReceiverNeeds): Receiver {
  const state = receiverState(needs);
  const receiveOne = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method === "POST") {
      const signature = signatureIn(request);
      if (signature === undefined) return unsigned(request, response, state);
      if (!state.admission.admits()) {
        state.onRefused?.("");
        return comeAgain(response, "too much waits to be answered");
      }
      void receive(request, response, signature, state);
    } else if (request.method === "GET") challenge(request, response, state);
    else refuse(response, 405, "the webhook takes GET challenges and POST deliveries");
  };
  return Object.assign(receiveOne, { status: () => state.admission.status() });
}

function challenge(
  request: IncomingMessage,
  response: ServerResponse,
  { consumerSecret, secrets, tell, onChallenge }: ReceiverState,
): void {
  const { url = "" } = request;
  // The query begins after the first question mark: the token may contain further ones.
  const query = url.includes("?") ? url.slice(url.indexOf("?") + 1) : "";
  const token = new URLSearchParams(query).get("crc_token");
  const answer = answerChallenge(token, consumerSecret);
  tell.challenged(answer.ok);
  onChallenge?.(answer.ok, isFromPlatform(query, signatureIn(request), secrets));
  if (answer.ok) send(response, 200, answer.body);
  else refuse(response, 400, answer.message);
}

/** Limit of nested lists and objects in a delivery's body. The platform's deliveries have about ten levels. */
const MAX_DEPTH = 100;

/**
 * Default limit of the bytes of signed deliveries that wait for the disk: they accumulate in memory while it stalls.
 */
const MAX_BYTES_WAITING = 64 * 1024 * 1024;

/** State of a receiver. */
interface ReceiverState extends ReceiverNeeds {
  /** Secrets with which a delivery may be signed, the current one first. */
  readonly secrets: readonly string[];
  readonly bodies: UnfinishedBodies;
  readonly maxBytesWaiting: number;
  readonly admission: Admission;
  readonly tell: ReceiverLog;
  /**
   * Bytes of signed deliveries that wait for the disk. Unsigned ones do not count: else strangers could cause load
   * shedding.
   */
  storing: number;
}

function receiverState(needs: ReceiverNeeds): ReceiverState {
  const { log, consumerSecret, previousConsumerSecret, undecided = () => 0 } = needs;
  const { time = MACHINE_TIME, roomBytes, maxBytesWaiting = MAX_BYTES_WAITING } = needs;
  const previous = previousConsumerSecret === undefined ? [] : [previousConsumerSecret];
  const state: ReceiverState = {
    ...needs,
    secrets: [consumerSecret, ...previous],
    bodies: new UnfinishedBodies({ time, ...(roomBytes === undefined ? {} : { roomBytes }) }),
    maxBytesWaiting,
    storing: 0,
    admission: admission({
      backlog: () => ({ undecided: undecided(), storing: state.storing }),
      log,
    }),
    tell: receiverLog(log),
  };
  return state;
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  signature: string,
  state: ReceiverState,
): Promise<void> {
  const raw = await readBody(request, { maxBytes: state.maxBodyBytes, bodies: state.bodies });
  if (typeof raw === "string") return notWhole(raw, request, response, state);
  if (!isSigned(raw, signature, state.secrets)) {
    state.tell.forged(raw.length);
    refuse(response, 401, "the signature does not match the body");
    return;
  }
  state.onSigned?.(request);
  // Unlike `toString`, it drops a byte order mark, which is no JSON.
  const text = new TextDecoder().decode(raw);
  if (isNestedDeeper(text, MAX_DEPTH)) {
    state.tell.tooDeep(raw.length);
    refuse(response, 400, `the body is nested deeper than ${MAX_DEPTH}`);
    return;
  }
  const delivery = parse(text);
  if (delivery === undefined) {
    state.tell.notJson(raw.length);
    refuse(response, 400, "the body is not a JSON object");
    return;
  }
  if (state.storing + raw.length > state.maxBytesWaiting) {
    state.tell.behind(state.storing);
    reportRefused(delivery, state.onRefused);
    comeAgain(response, "too much is waiting to be stored");
    return;
  }
  state.storing += raw.length;
  try {
    await state.append(delivery, text);
    response.writeHead(200, OK_HEADERS).end("{}");
  } catch (error) {
    const isEarly = error instanceof ComeAgain;
    if (!isEarly) state.tell.notStored(error);
    reportRefused(delivery, state.onRefused);
    comeAgain(response, isEarly ? error.message : "the delivery could not be stored");
  } finally {
    state.storing -= raw.length;
  }
}

/** Reports a delivery that was read and then rejected, once for each account that it is for. */
function reportRefused(delivery: object, onRefused: ReceiverNeeds["onRefused"]): void {
  const accounts = deliveryAccounts(delivery);
  for (const account of accounts.length === 0 ? [""] : accounts) onRefused?.(account);
}

const OK_HEADERS = { "content-type": "application/json", "content-length": "2" };

/** Answers a request whose body was not read completely, and closes the connection. */
function notWhole(
  what: Exclude<Body, Buffer>,
  request: IncomingMessage,
  response: ServerResponse,
  { tell, maxBodyBytes }: ReceiverState,
): void {
  if (what === "aborted") return;
  response.setHeader("connection", "close");
  if (what === "too-large") {
    tell.tooLarge();
    refuse(response, 413, `a delivery has at most ${maxBodyBytes} bytes`);
  } else {
    tell.givenUp(what);
    if (what === "too-slow") refuse(response, 408, "the body took too long; send it again");
    else comeAgain(response, "too much is coming in");
  }
  request.resume();
}

function unsigned(
  request: IncomingMessage,
  response: ServerResponse,
  { tell }: ReceiverState,
): void {
  tell.unsigned();
  response.setHeader("connection", "close");
  refuse(response, 401, "the signature header is missing or malformed");
  request.resume();
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
