import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Agent, type Client, type ProxyAgent, request } from "undici";
import {
  type HttpAnswer,
  type HttpOutcome,
  type HttpRequest,
  outcomeOfAnswer,
} from "../../rules/run/http-request.ts";
import { MAX_TIMER_MS } from "../../client/clock.ts";
import { endingWith } from "../../system/ending.ts";
import { messageOf } from "../../system/error-message.ts";
import { type AllowedHosts, portOf } from "./allowed-hosts.ts";
import { canonicalAddress } from "../../system/global-unicast.ts";
import { proxyFor, throughProxy } from "../../system/proxy-for.ts";
import { packageVersion } from "../../system/package-version.ts";
import { MAX_BYTES, readAnswer } from "./read-answer.ts";
import type { Log } from "../log.ts";

export interface SendingOptions {
  readonly allowed: AllowedHosts;
  /** Time limit of the request with all its redirects; by default 10 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Resolves a name to its addresses; by default with the system's resolver. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  /** Opens connections to the addresses of `lookup`; by default with the operating system. */
  readonly connector?: (lookup: LookupFunction) => Connector;
}

type Connector = NonNullable<Client.Options["connect"]>;

/** Options of a request that stay the same through its redirects. */
interface Sending extends Required<Omit<SendingOptions, "timeoutMs">> {
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 5;

/** Pattern for names of headers with credentials. After a redirect they are not sent to another origin. */
const FOR_ONE_ORIGIN =
  /auth|cookie|token|secret|password|credential|session|signature|(?:^|-)(?:api|access)?-?keys?$/;
/** Header that matches {@link FOR_ONE_ORIGIN} but holds no credential, so it is also sent after a redirect. */
const REPEATED = "idempotency-key";

/** Sends the request of an `http` step and reads the response. Never rejects: an error is part of the outcome. */
export async function sendRequest(
  call: HttpRequest,
  {
    allowed,
    timeoutMs = TIMEOUT_MS,
    resolve = addressesOf,
    connector = (resolver) => ({ lookup: resolver, timeout: Math.min(timeoutMs, MAX_TIMER_MS) }),
  }: SendingOptions,
): Promise<HttpOutcome> {
  const outcome = await sent(call, { allowed, timeoutMs, resolve, connector });
  if (outcome.ok || call.secret?.url === undefined || outcome.code === "http-status") {
    return outcome;
  }
  // The error may quote the host or the URL, which are secret: the rule's own text replaces them.
  return { ...outcome, error: withoutValue(outcome.code, call.secret.url) };
}

async function sent(
  call: HttpRequest,
  {
    allowed,
    timeoutMs,
    resolve,
    connector,
  }: Required<Omit<SendingOptions, "timeoutMs">> & {
    readonly timeoutMs: number;
  },
): Promise<HttpOutcome> {
  const ending = endingWith([], timeoutMs);
  const { signal } = ending;
  const sending: Sending = { allowed, resolve, connector, signal };
  try {
    let next: Hop = { request: call, url: urlOf(call.url) };
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await exchange(next, sending);
      const location = REDIRECTS.has(answer.status) ? answer.location : undefined;
      if (location === undefined || call.expectStatus?.includes(answer.status) === true) {
        return outcomeOf(call, answer);
      }
      next = redirected(next, answer.status, location);
    }
    return failure("http-redirects", `redirected more than ${MAX_REDIRECTS} times`);
  } catch (error) {
    if (error instanceof Refused) return failure(error.code, error.message);
    if (signal.aborted) return failure("http-timeout", `no answer within ${timeoutMs} ms`);
    return failure("http-failed", reasonOf(error));
  } finally {
    ending.release();
  }
}

function withoutValue(code: string, written: string): string {
  if (code === "http-url") return `${written} gives no address of a service`;
  if (code === "http-not-allowed") {
    return `the host of ${written} is not in the settings: add it to  http: {allow: […]}`;
  }
  return code === "http-timeout"
    ? `no answer from ${written} in time`
    : `the request to ${written} has failed`;
}

/** Request of a chain of redirects, with its URL. */
interface Hop {
  readonly request: HttpRequest;
  readonly url: URL;
}

class Refused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

type Answered = HttpAnswer & { readonly location: string | undefined };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function exchange(
  { request: { method, headers, body }, url }: Hop,
  sending: Sending,
): Promise<Answered> {
  const { signal } = sending;
  const agent = await agentFor(url, sending);
  try {
    const sent = request(url, {
      method,
      headers: { "user-agent": userAgent(), ...headers },
      body: body ?? null,
      dispatcher: agent,
      // `signal` is the only time limit: the limits of undici may be shorter than the step's.
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // undici heeds `signal` only after the connection is open.
    const received = await Promise.race([sent, aborted(signal)]);
    const answer = readAnswer(received.statusCode, await bytesOf(received.body), received.headers);
    if (answer === undefined) throw tooLong();
    const { location } = received.headers;
    return { ...answer, location: typeof location === "string" ? location : undefined };
  } finally {
    // Not awaited: `destroy` waits for a connection that is being opened.
    void agent.destroy().catch(() => undefined);
  }
}

/**
 * Creates the connection of a request, which goes only to the addresses that were allowed now, so that a later DNS answer
 * can't lead to another address. A proxy resolves the host itself, so there all addresses that this machine knows must be
 * allowed. If this machine can't resolve the host, the proxy alone decides.
 */
async function agentFor(url: URL, sending: Sending): Promise<Agent | ProxyAgent> {
  const { allowed, signal, connector } = sending;
  const refusal = allowed.refusal(url);
  if (refusal !== undefined) throw new Refused("http-not-allowed", refusal);
  const proxy = proxyFor(url);
  const all = await addressesAt(url, sending).catch((error: unknown) => {
    if (proxy === undefined || signal.aborted) throw error;
    return undefined;
  });
  const open = all?.filter((address) => allowed.isOpen(address, portOf(url))) ?? [];
  if (proxy === undefined ? open.length === 0 : open.length < (all?.length ?? 0)) {
    const why = `${url.hostname} stands for an address of this machine or of a private network`;
    const help = "list the address or its network, such as 10.96.0.0/12, in  http: {allow: […]}";
    throw new Refused("http-not-allowed", `${why}: ${help}  if that is meant`);
  }
  if (proxy === undefined) return new Agent({ connect: connector(pinned(open)), pipelining: 0 });
  return throughProxy(proxy);
}

async function addressesAt(url: URL, { resolve, signal }: Sending): Promise<readonly string[]> {
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const all = isIP(name) === 0 ? await Promise.race([resolve(name), aborted(signal)]) : [name];
  return all.map((address) => canonicalAddress(address) ?? address);
}

/** Returns the resolver of a connection, which returns `open` for each name. */
function pinned(open: readonly string[]): LookupFunction {
  const addresses = open.map((address) => ({ address, family: isIP(address) }));
  const [first = ""] = open;
  return (_name, { all }, callback) => {
    if (all === true) callback(null, addresses);
    else callback(null, first, isIP(first));
  };
}

/** Rejects when `signal` is aborted: the system's resolver has no time limit of its own. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Some services refuse requests without a user agent: GitHub's API, and sites behind a firewall. */
function userAgent(): string {
  return `answerback/${packageVersion()}`;
}

async function addressesOf(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

function urlOf(written: string): URL {
  const url = URL.parse(written);
  if (url === null) throw new Refused("http-url", `"${written.slice(0, 100)}" is not an address`);
  if (url.username !== "" || url.password !== "") {
    throw new Refused("http-url", "the address has a password in it: write a header authorization");
  }
  return url;
}

function redirected({ request: before, url: from }: Hop, status: number, location: string): Hop {
  const to = URL.parse(location, from.href);
  if (to === null) throw new Refused("http-redirects", "redirected to something that is no URL");
  const url = urlOf(to.href);
  const isElsewhere = from.origin !== url.origin;
  const asGet = status === 303 || ((status === 301 || status === 302) && before.method === "POST");
  const { body, ...rest } = before;
  const { secret } = before;
  if (isElsewhere && secret?.body === true && !asGet) {
    throw new Refused("http-redirects", "redirected to another origin, and the body has a secret");
  }
  const staysHere = (name: string): boolean =>
    isElsewhere &&
    (name === "host" ||
      secret?.headers.includes(name) === true ||
      (name !== REPEATED && FOR_ONE_ORIGIN.test(name)));
  const headers = Object.fromEntries(
    Object.entries(before.headers).filter(
      ([name]) => !staysHere(name) && !(asGet && name.startsWith("content-")),
    ),
  );
  if (asGet && before.method !== "HEAD")
    return { url, request: { ...rest, headers, method: "GET" } };
  return { url, request: { ...before, headers } };
}

async function bytesOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLong(): Refused {
  return new Refused("http-too-long", `the answer is longer than ${MAX_BYTES} bytes`);
}

function outcomeOf(call: HttpRequest, { location, ...answer }: Answered): HttpOutcome {
  const outcome = outcomeOfAnswer(call, answer);
  if (outcome.ok || location === undefined) return outcome;
  return { ...outcome, error: `${outcome.error}, a redirect` };
}

function failure(code: string, error: string): HttpOutcome {
  return { ok: false, code, error };
}

/**
 * Returns the message of an error. If a connection failed at several addresses, it is the message of the first failure.
 */
function reasonOf(error: unknown): string {
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  return messageOf(inner);
}

type SendRequest = (request: HttpRequest, timeoutMs: number | undefined) => Promise<HttpOutcome>;

/**
 * Wraps `send` for a dry run: sends GET and HEAD requests only. For other methods, it logs the request and returns a
 * 204.
 */
export function dryRequests(send: SendRequest, log: Log): SendRequest {
  return async (request, timeoutMs) => {
    const { method, secret } = request;
    if (method === "GET" || method === "HEAD") return send(request, timeoutMs);
    const url = secret?.url ?? request.url;
    log.info({ method, host: URL.parse(url)?.host }, `would request: ${method} ${url}`);
    return { ok: true, status: 204, text: "" };
  };
}
