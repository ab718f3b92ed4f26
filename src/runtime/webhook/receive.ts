import type { IncomingMessage, ServerResponse } from "node:http";
import { SIGNATURE_HEADERS } from "../../protocol/dialects.ts";
import type { Log } from "../log.ts";
import { throttle, LOG_EVERY_MS } from "../loop/throttle.ts";
import { type Admission, admission } from "./admission.ts";
import { answerChallenge } from "./challenge.ts";
import { byteBudget, type ByteBudget, type ByteReservation } from "./byte-budget.ts";
import { readBody } from "./read-body.ts";
import { isSigned } from "./signature.ts";

export interface ReceiverNeeds {
  /** Signs challenges and deliveries. */
  readonly consumerSecret: string;
  readonly maxBodyBytes: number;
  /** Bytes of all requests that are being read or stored, together. {@link MAX_BYTES_IN_MEMORY} unless said. */
  readonly maxBytesInMemory?: number;
  /** Events on disk that nobody has decided on: where there are too many, deliveries are shed. None unless said. */
  readonly undecided?: () => number;
  readonly log: Log;
  /** Called for each challenge, with whether it could be answered. */
  readonly onChallenge?: (answered: boolean) => void;
  /** Resolves once every event of the delivery is on disk, or known to be there already. */
  append(delivery: object, raw: string): Promise<void>;
}

/** Answers one request to the webhook's path: the platform's challenge or a delivery. */
export interface Receiver {
  (request: IncomingMessage, response: ServerResponse): void;
  /** What was turned away for want of room. */
  readonly status: Admission["status"];
}

/**
 * Takes what the platform sends to the webhook.
 *
 * A delivery is answered 200 only after its events are on disk; 401 without the right signature over
 * its raw bytes, 413 above `maxBodyBytes`, 400 when it is not a JSON object, 503 when the disk refused or
 * is behind, or too much is still to be decided on: the platform comes again. A challenge is answered
 * whatever waits.
 */
export function receiver(needs: ReceiverNeeds): Receiver {
  const state = receiverState(needs);
  const receiveOne = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method === "POST") {
      if (!state.admission.admits()) return comeAgain(response, "too much waits to be answered");
      const reservation = state.budget.reserve();
      void receive(request, response, state, reservation).finally(reservation.release);
    } else if (request.method === "GET") challenge(request, response, needs);
    else refuse(response, 405, "the webhook takes GET challenges and POST deliveries");
  };
  return Object.assign(receiveOne, { status: () => state.admission.status() });
}

function challenge(request: IncomingMessage, response: ServerResponse, needs: ReceiverNeeds): void {
  const query = new URLSearchParams(request.url?.split("?", 2)[1] ?? "");
  const answer = answerChallenge(query.get("crc_token"), needs.consumerSecret);
  needs.onChallenge?.(answer.ok);
  if (answer.ok) {
    needs.log.debug("challenge answered");
    send(response, 200, answer.body);
  } else refuse(response, 400, answer.message);
}

/** Anybody can send unsigned bytes, and a stalled disk keeps signed ones waiting: memory has an end. */
const MAX_BYTES_IN_MEMORY = 64 * 1024 * 1024;

/** A receiver at work. What anybody can cause any number of times is logged at intervals. */
interface ReceiverState extends ReceiverNeeds {
  readonly budget: ByteBudget;
  readonly admission: Admission;
  /** Bytes of signed deliveries that wait for the disk; nobody else's, or anybody could have all shed. */
  storing: number;
  readonly logUnsigned: (bytes: number) => void;
  readonly logOverBudget: (bytes: number) => void;
  readonly logNotStored: (error: unknown) => void;
}

function receiverState(needs: ReceiverNeeds): ReceiverState {
  const { log, undecided = () => 0 } = needs;
  const state: ReceiverState = {
    ...needs,
    storing: 0,
    admission: admission({
      backlog: () => ({ undecided: undecided(), storing: state.storing }),
      log,
    }),
    budget: byteBudget(needs.maxBytesInMemory ?? MAX_BYTES_IN_MEMORY),
    logUnsigned: throttle(LOG_EVERY_MS, (bytes, times) =>
      log.warn({ bytes, times }, "delivery refused: its signature is missing or wrong"),
    ),
    logOverBudget: throttle(LOG_EVERY_MS, (bytes, times) =>
      log.warn({ bytes, times }, "delivery refused: too much is waiting to be stored"),
    ),
    logNotStored: throttle(LOG_EVERY_MS, (error, times) =>
      log.error({ err: error, times }, "delivery not stored: the store refused it"),
    ),
  };
  return state;
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  state: ReceiverState,
  reservation: ByteReservation,
): Promise<void> {
  const raw = await readBody(request, { maxBytes: state.maxBodyBytes, reserve: reservation.grow });
  if (raw === "aborted") return;
  if (raw === "too-large" || raw === "over-budget") {
    response.setHeader("connection", "close");
    if (raw === "too-large") {
      refuse(response, 413, `a delivery has at most ${state.maxBodyBytes} bytes`);
    } else {
      state.logOverBudget(reservation.bytes());
      comeAgain(response, "too much is waiting to be stored");
    }
    request.resume();
    return;
  }
  if (!isSigned(raw, signatureHeader(request), state.consumerSecret)) {
    state.logUnsigned(raw.length);
    refuse(response, 401, "the signature header is missing or does not match the body");
    return;
  }
  const text = raw.toString("utf8");
  const delivery = parse(text);
  if (delivery === undefined) {
    state.log.warn({ bytes: raw.length }, "delivery refused: signed, but not a JSON object");
    refuse(response, 400, "the body is not a JSON object");
    return;
  }
  state.storing += raw.length;
  try {
    await state.append(delivery, text);
    response.writeHead(200, OK_HEADERS).end("{}");
  } catch (error) {
    state.logNotStored(error);
    comeAgain(response, "the delivery could not be stored");
  } finally {
    state.storing -= raw.length;
  }
}

const OK_HEADERS = { "content-type": "application/json", "content-length": "2" };

function signatureHeader(request: IncomingMessage): string | undefined {
  const value = request.headers[SIGNATURE_HEADERS.post] ?? request.headers[SIGNATURE_HEADERS.tweet];
  return typeof value === "string" ? value : undefined;
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The platform's first repeat comes after three seconds; others may ask how long to wait. */
const RETRY_AFTER_S = 5;

function comeAgain(response: ServerResponse, why: string): void {
  response.setHeader("retry-after", String(RETRY_AFTER_S));
  refuse(response, 503, `${why}; send it again`);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  send(response, status, { error: message });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
