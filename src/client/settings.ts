import { Agent, type Dispatcher } from "undici";
import { ADS_VERSION } from "../protocol/ads.ts";
import type { Dialect } from "../protocol/dialects.ts";
import { UsageError } from "../errors.ts";
import { type ClientClock, type LearntTime, PlatformClock, SYSTEM_CLOCK } from "./clock.ts";
import { parseBaseUrl } from "./http/base-url.ts";
import { DEFAULT_RETRY, type RetryPolicy } from "./http/retry.ts";
import { randomNonce } from "./auth/sign.ts";

/** Where requests go, their timeouts and retries; shared by clients and log-ins. */
export interface ConnectionOptions {
  /** Main interface host, such as `https://api.example.com`. Plain http only on this machine. */
  readonly baseUrl: string;
  /** Advertising host. Without it, advertising calls throw. */
  readonly adsBaseUrl?: string | undefined;
  /** Version segment of advertising paths; default `12`. */
  readonly adsVersion?: string | undefined;
  /** Words that go over the wire; default `post`. Code and answers keep the post dialect's in either. */
  readonly dialect?: Dialect | undefined;
  /** Limit of one try in milliseconds, from queueing to the last byte; default 10 000. */
  readonly timeoutMs?: number | undefined;
  /** `false` turns retries off. */
  readonly retry?: Partial<RetryPolicy> | false | undefined;
  /** Default: this machine's clock. */
  readonly clock?: ClientClock | undefined;
  /** The platform's time; default `clock`, corrected by the `Date` headers of answers. */
  readonly platformTime?: LearntTime | undefined;
  /** Numbers from 0 up to 1 for the jitter between tries; default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Nonces of signatures; default 32 random hexadecimal digits. */
  readonly nonce?: (() => string) | undefined;
  /** Told of each try that is over, to measure requests; nobody unless given. */
  readonly onAttempt?: ((tried: TriedRequest) => void) | undefined;
  /** Connections to use, such as a proxy agent of undici; the client does not close one it was given. */
  readonly dispatcher?: Dispatcher | undefined;
}

/** One try of a call, when it is over. */
export interface TriedRequest {
  /** Such as `POST /2/posts`. */
  readonly endpoint: string;
  /** Of the answer; absent where there was none. */
  readonly status?: number;
  /** From queueing to the last byte. */
  readonly ms: number;
}

/** The options with every default in place. */
export interface ClientSettings {
  readonly baseUrl: URL;
  readonly adsBaseUrl: URL | undefined;
  readonly adsVersion: string;
  readonly dialect: Dialect;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy | false;
  readonly clock: ClientClock;
  readonly platformTime: LearntTime;
  readonly random: () => number;
  readonly nonce: () => string;
  readonly dispatcher: Dispatcher;
  readonly onAttempt: ((tried: TriedRequest) => void) | undefined;
  /** Aborted when the client is closed: streams end then. */
  readonly closing: AbortSignal;
  /** Ends the streams, and closes the connections unless they are the caller's. */
  readonly close: () => Promise<void>;
}

/**
 * Checks the options and puts the defaults in place.
 *
 * @throws UsageError for a base URL that can't be used, or a timeout that is not a positive number.
 */
export function resolveSettings(options: ConnectionOptions): ClientSettings {
  const timeoutMs = options.timeoutMs ?? 10_000;
  if (!(timeoutMs > 0) || timeoutMs > 2 ** 31 - 1) {
    throw new UsageError(`timeoutMs is ${timeoutMs}; it is a number of milliseconds above 0`);
  }
  const { dispatcher = new Agent({ connections: 64 }), clock = SYSTEM_CLOCK } = options;
  const closing = new AbortController();
  return {
    baseUrl: parseBaseUrl("baseUrl", options.baseUrl),
    adsBaseUrl:
      options.adsBaseUrl === undefined ? undefined : parseBaseUrl("adsBaseUrl", options.adsBaseUrl),
    adsVersion: options.adsVersion ?? ADS_VERSION,
    dialect: options.dialect ?? "post",
    timeoutMs,
    retry: options.retry === false ? false : { ...DEFAULT_RETRY, ...options.retry },
    clock,
    platformTime: options.platformTime ?? new PlatformClock(() => clock.now()),
    random: options.random ?? Math.random,
    nonce: options.nonce ?? randomNonce,
    dispatcher,
    onAttempt: options.onAttempt,
    closing: closing.signal,
    close: async () => {
      closing.abort();
      if (options.dispatcher === undefined) await dispatcher.close();
    },
  };
}
