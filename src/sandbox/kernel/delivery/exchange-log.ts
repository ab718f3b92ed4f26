import type { MetFault } from "./faults.ts";

/** Headers as they were sent. */
export type ExchangeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Request or response of an exchange, with the raw body. Bodies are converted to text only for display. */
export interface ExchangeSide {
  readonly headers: ExchangeHeaders;
  readonly body: string | Buffer;
}

/** A request and its response: a call of the sandbox, an attempt to reach a webhook, or a faulty stream line. */
export interface Exchange {
  /** Sequence number, from 1. */
  readonly seq: number;
  /** Time at which the exchange ended by the sandbox's clock, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly direction: "request" | "delivery" | "challenge" | "stream";
  readonly method: string;
  /** Path for requests (`/ads…` on the ads host) and streams, the webhook's URL for deliveries and challenges. */
  readonly url: string;
  /** Query without the question mark. */
  readonly query: string;
  /** HTTP status; 0 if no response was sent or came. */
  readonly status: number;
  readonly ms: number;
  readonly request: ExchangeSide;
  readonly response: ExchangeSide;
  /** App, user, webhook and event that the exchange belongs to. Unknown fields are absent. */
  readonly about: Readonly<Record<string, string | number | null | undefined>>;
}

/** Returns the id and type of the fault that was applied to an exchange, as fields for the exchange's `about`. */
export function faultMet(fault: MetFault | undefined): Exchange["about"] {
  return fault === undefined ? {} : { fault: fault.id, fault_type: fault.type };
}

/** Placeholder for a request or response that was not sent. */
export const NOTHING_SENT: ExchangeSide = { headers: {}, body: "" };

interface Kept {
  readonly exchange: Exchange;
  /** Sizes in bytes of the whole bodies, of which only the beginning may be stored. */
  readonly lengths: { readonly request: number; readonly response: number };
  readonly bytes: number;
}

/** An exchange, with the lengths of its bodies before they were cut. */
export type KeptExchange = Pick<Kept, "exchange" | "lengths">;

const MAX_EXCHANGES = 1_000;
const MAX_LOG_BYTES = 8 * 1024 * 1024;

/** Maximum number of bytes of a body that are stored. */
export const KEPT_BODY_BYTES = 64 * 1024;

/** Approximate memory of an exchange besides its texts, in bytes. */
const OWN_BYTES = 500;

/** Latest exchanges, oldest first, limited in number and in bytes. They are never saved to disk. */
export class ExchangeLog {
  #kept: Kept[] = [];
  #bytes = 0;
  #last = 0;

  /** Stores an exchange, and returns its number. */
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
    while (this.#kept.length > MAX_EXCHANGES || this.#bytes > MAX_LOG_BYTES) {
      this.#bytes -= this.#kept.shift()?.bytes ?? 0;
    }
    return this.#last;
  }

  get(seq: number): KeptExchange | undefined {
    return this.#kept.find(({ exchange }) => exchange.seq === seq);
  }

  /**
   * Returns the exchanges above `seq`, oldest first.
   *
   * @param about Text to find in the stored paths, queries and bodies. If a delivery contains it, all attempts of that
   * delivery are returned: a fault may have withheld the body of the other attempts.
   */
  after(seq: number, about = ""): readonly KeptExchange[] {
    const later = this.#kept.filter(({ exchange }) => exchange.seq > seq);
    if (about === "") return later;
    const directMatches = new Set(later.filter(({ exchange }) => mentions(exchange, about)));
    const activityIds = new Set([...directMatches].flatMap((one) => activityOf(one) ?? []));
    return later.filter((one) => directMatches.has(one) || activityIds.has(activityOf(one) ?? ""));
  }

  /** Approximate size of the log, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Deletes all exchanges; numbering continues, so that numbers stay unique. */
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

/** Copies the beginning of a body that is too long: a slice would keep the whole body in memory. */
function cut(side: ExchangeSide, length: number): ExchangeSide {
  if (length <= KEPT_BODY_BYTES) return side;
  const bytes = typeof side.body === "string" ? Buffer.from(side.body) : side.body;
  return { headers: side.headers, body: Buffer.from(bytes.subarray(0, KEPT_BODY_BYTES)) };
}

/** Estimates the size with two bytes per character of text. */
function sizeOf({ headers, body }: ExchangeSide, length: number): number {
  let bytes = Math.min(length, KEPT_BODY_BYTES) * (typeof body === "string" ? 2 : 1);
  for (const name in headers) bytes += 2 * (name.length + String(headers[name]).length);
  return bytes;
}
