import type { MetFault } from "./faults.ts";

/** Headers as they were sent. */
export type ExchangeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One side of an exchange, as kept: decoded when somebody looks. */
export interface ExchangeSide {
  readonly headers: ExchangeHeaders;
  readonly body: string | Buffer;
}

/** A request that the platform got, its attempt to reach a webhook, or a line of a stream that a fault met. */
export interface Exchange {
  /** 1 for the first, then one more each. */
  readonly seq: number;
  /** Milliseconds by the sandbox's clock. */
  readonly at: number;
  readonly direction: "request" | "delivery" | "challenge" | "stream";
  readonly method: string;
  /** Of requests the path, the ads host's under `/ads`. */
  readonly url: string;
  /** Without the question mark. */
  readonly query: string;
  /** 0 where no response was sent or came. */
  readonly status: number;
  readonly ms: number;
  readonly request: ExchangeSide;
  readonly response: ExchangeSide;
  /** Whose it was, as far as it is known. */
  readonly about: Readonly<Record<string, string | number | null | undefined>>;
}

/** Which fault met an exchange, as it is kept. */
export function faultMet(fault: MetFault | undefined): Exchange["about"] {
  return fault === undefined ? {} : { fault: fault.id, fault_type: fault.type };
}

/** Of an exchange in which nothing was sent. */
export const NOTHING_SENT: ExchangeSide = { headers: {}, body: "" };

interface Kept {
  readonly exchange: Exchange;
  /** Bytes of the whole bodies, of which only the beginning may be kept. */
  readonly lengths: { readonly request: number; readonly response: number };
  readonly bytes: number;
}

/** An exchange, and how long its bodies were before they were cut. */
export type KeptExchange = Pick<Kept, "exchange" | "lengths">;

const MOST = 1_000;
const MOST_BYTES = 8 * 1024 * 1024;

/** Bytes of a body that are kept. */
export const KEPT_BODY_BYTES = 64 * 1024;

/** What an exchange takes besides its texts, roughly. */
const OWN_BYTES = 500;

/** The latest exchanges, oldest first: at most so many, and at most so many bytes. Never saved. */
export class ExchangeLog {
  #kept: Kept[] = [];
  #bytes = 0;
  #last = 0;

  /** Keeps an exchange, and gives its number. */
  add(exchange: Omit<Exchange, "seq">): number {
    this.#last += 1;
    const { request, response } = exchange;
    const lengths = { request: lengthOf(request.body), response: lengthOf(response.body) };
    const one: Exchange = {
      ...exchange,
      seq: this.#last,
      request: cut(request, lengths.request),
      response: cut(response, lengths.response),
    };
    const bytes =
      OWN_BYTES +
      2 * (one.url.length + one.query.length) +
      sizeOf(one.request, lengths.request) +
      sizeOf(one.response, lengths.response);
    this.#kept.push({ exchange: one, lengths, bytes });
    this.#bytes += bytes;
    while (this.#kept.length > MOST || this.#bytes > MOST_BYTES) {
      this.#bytes -= this.#kept.shift()?.bytes ?? 0;
    }
    return this.#last;
  }

  get(seq: number): KeptExchange | undefined {
    return this.#kept.find(({ exchange }) => exchange.seq === seq);
  }

  /**
   * Those above `seq`, oldest first.
   *
   * @param about Text that path, query or a body holds, as far as it is kept; of a delivery that holds it the other
   *   attempts, too, of which a fault may have kept the body back.
   */
  after(seq: number, about = ""): readonly KeptExchange[] {
    const later = this.#kept.filter(({ exchange }) => exchange.seq > seq);
    if (about === "") return later;
    const found = new Set(later.filter(({ exchange }) => mentions(exchange, about)));
    const told = new Set([...found].flatMap((one) => activityOf(one) ?? []));
    return later.filter((one) => found.has(one) || told.has(activityOf(one) ?? ""));
  }

  /** Roughly what is held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Forgets all of them; numbers go on, so that none means two. */
  clear(): void {
    this.#kept = [];
    this.#bytes = 0;
  }
}

function activityOf({ exchange: { about } }: KeptExchange) {
  return about["activity_id"];
}

function mentions({ url, query, request, response }: Exchange, text: string): boolean {
  return [url, query, request.body, response.body].some((part) => part.includes(text));
}

function lengthOf(body: string | Buffer): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.length;
}

/** A copy where it is cut: a part keeps the whole in memory. */
function cut(side: ExchangeSide, length: number): ExchangeSide {
  if (length <= KEPT_BODY_BYTES) return side;
  const bytes = typeof side.body === "string" ? Buffer.from(side.body) : side.body;
  return { headers: side.headers, body: Buffer.from(bytes.subarray(0, KEPT_BODY_BYTES)) };
}

/** A text may take two bytes a character. */
function sizeOf({ headers, body }: ExchangeSide, length: number): number {
  let bytes = Math.min(length, KEPT_BODY_BYTES) * (typeof body === "string" ? 2 : 1);
  for (const name in headers) bytes += 2 * (name.length + String(headers[name]).length);
  return bytes;
}
