import type { Dispatcher } from "undici";
import { ADS_VERSION } from "../protocol/ads.ts";
import type { Dialect } from "../protocol/dialects.ts";
import { connections } from "../system/proxy-for.ts";
import {
  checkTimeout,
  type ClientClock,
  type LearntTime,
  PlatformClock,
  SYSTEM_CLOCK,
} from "./clock.ts";
import { parseBaseUrl } from "./http/base-url.ts";
import { DEFAULT_RETRY, type RetryPolicy } from "./http/retry.ts";
import { randomNonce } from "./auth/sign.ts";

/** Hosts, timeouts, retries and connections of clients and log-ins. */
export interface ConnectionOptions {
  /** Main API host, such as `https://api.example.com`. Plain http is accepted only for this machine. */
  readonly baseUrl: string;
  /** Advertising host. Advertising calls throw without it. */
  readonly adsBaseUrl?: string | undefined;
  /** Version segment of advertising paths; default `12`. */
  readonly adsVersion?: string | undefined;
  /** Dialect of the requests; default `post`. Parameters and results are always in the post dialect. */
  readonly dialect?: Dialect | undefined;
  /** Time limit of one attempt in milliseconds, from queueing to the last byte; default 10 000. */
  readonly timeoutMs?: number | undefined;
  /** Retry policy; `false` disables retries. */
  readonly retry?: Partial<RetryPolicy> | false | undefined;
  /** Source of time; default this machine's clock. */
  readonly clock?: ClientClock | undefined;
  /** The platform's time; default `clock`, corrected by the `Date` headers of responses. */
  readonly platformTime?: LearntTime | undefined;
  /** Random numbers from 0 (inclusive) to 1 (exclusive) for the retry jitter; default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Nonces of signatures; default 32 random hexadecimal digits. */
  readonly nonce?: (() => string) | undefined;
  /** Called at the end of each attempt, to measure requests. An error that it throws becomes a warning of the process. */
  readonly onAttempt?: ((tried: TriedRequest) => void) | undefined;
  /**
   * Connections to use, such as an agent of undici; by default direct ones, or through the proxy that the environment
   * variables `HTTPS_PROXY` and `NO_PROXY` name. The client does not close a passed dispatcher.
   */
  readonly dispatcher?: Dispatcher | undefined;
}

/** A completed attempt of a call. */
export interface TriedRequest {
  /** Endpoint such as `POST /2/posts`. */
  readonly endpoint: string;
  /** HTTP status; absent if no response came. */
  readonly status?: number;
  /** Duration in milliseconds, from queueing to the last byte. */
  readonly ms: number;
}

/** Sources of time and randomness; tests pass their own. */
interface ClientSources {
  readonly clock: ClientClock;
  readonly platformTime: LearntTime;
  readonly random: () => number;
  readonly nonce: () => string;
}

/** The options of a client with defaults applied. */
export interface ClientSettings extends ClientSources {
  readonly baseUrl: URL;
  readonly adsBaseUrl: URL | undefined;
  readonly adsVersion: string;
  readonly dialect: Dialect;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy | false;
  readonly dispatcher: Dispatcher;
  readonly onAttempt: ((tried: TriedRequest) => void) | undefined;
  /** Aborts when the client closes, which ends the streams. */
  readonly closing: AbortSignal;
  /** Ends the streams, and closes the connections unless the caller passed the dispatcher. */
  readonly close: () => Promise<void>;
}

/**
 * Checks the options and applies the defaults.
 *
 * @throws UsageError if a base URL is invalid, or the timeout is not a positive number.
 */
export function resolveSettings(options: ConnectionOptions): ClientSettings {
  const timeoutMs = options.timeoutMs ?? 10_000;
  checkTimeout(timeoutMs);
  const { dispatcher = connections({ connections: 64 }), clock = SYSTEM_CLOCK } = options;
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
