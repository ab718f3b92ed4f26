import type { Listen } from "../../../config/settings.ts";
import { type Finding, fail, ok, warn } from "../finding.ts";
import type { PublicAnswer } from "./public-request.ts";

/** A request through the webhook's public address, and its expected receiver. */
export interface PublicQuestion {
  /** URL including the query. */
  readonly url: URL;
  /** Expected body of the response: the signature of the challenge's token. */
  readonly expected: string;
  /** Address at which this machine listens. */
  readonly listen: Listen;
  /** Whether the request arrived at the address `listen`. */
  readonly arrived: boolean;
  /** Whether the bot itself receives; otherwise `doctor` receives in its place. */
  readonly botRuns: boolean;
}

/** Time limit of the live platform for the answer to a challenge, as users report it. Milliseconds. */
const PATIENCE_MS = 3_000;
const NAME = "address";

/** Diagnoses the route through the public address from the response to a request. */
export function judgeAnswer(question: PublicQuestion, answer: PublicAnswer): Finding {
  const { url, listen } = question;
  const way = `${url.origin}${url.pathname}`;
  if (answer.step === "answer") return judgeBody(question, answer, way);
  const { step, reason, addresses } = answer;
  const details = exchange(question, `${step}: ${reason}`);
  switch (step) {
    case "resolve":
      return {
        ...fail(
          NAME,
          `${url.hostname} has no address`,
          `make a DNS record of ${url.hostname} that leads to this machine, or start the tunnel that makes it`,
        ),
        details,
      };
    case "connect":
      return {
        ...fail(
          NAME,
          `nothing answers for ${url.hostname} at ${addresses.join(", ")}`,
          `start what leads ${way} to ${listen.host}:${listen.port}, and open port 443: answerback init --live --proxy caddy`,
        ),
        details,
      };
    case "tls":
      return {
        ...fail(
          NAME,
          `the certificate of ${url.hostname} does not hold`,
          `have the proxy get one for ${url.hostname} that the world trusts, with its whole chain; caddy does so by itself`,
        ),
        details,
      };
  }
}

type Answered = Extract<PublicAnswer, { step: "answer" }>;

function judgeBody(question: PublicQuestion, answer: Answered, way: string): Finding {
  const { ms } = answer;
  const details = exchange(question, answered(answer));
  const fault = faultIn(question, answer, way);
  if (fault !== undefined) return { ...fail(NAME, ...fault), details };
  if (ms > PATIENCE_MS) {
    const slow = `reaches this machine, after ${ms} ms`;
    return {
      ...warn(NAME, slow, "the platform waits about 3 s: look for what is slow on the way"),
      details,
    };
  }
  return ok(NAME, `${way} reaches this machine, ${ms} ms`);
}

/** Problem of a response and its fix; undefined if the response is as expected. */
function faultIn(
  { url, listen, arrived, expected }: PublicQuestion,
  { status, body }: Answered,
  way: string,
): readonly [message: string, fix: string] | undefined {
  const here = `${listen.host}:${listen.port}`;
  if (status >= 300 && status < 400) {
    return [
      `${way} redirects, and the platform follows no redirect`,
      `set webhook.url to where it leads, or have the proxy forward it to ${here} itself`,
    ];
  }
  if (status === 502 || status === 503 || status === 504) {
    return [
      `the proxy of ${url.hostname} does not reach ${here}`,
      `have it forward to http://${here}, which is webhook.listen`,
    ];
  }
  if (arrived && status === 400) {
    return [
      "the proxy leaves out the query of the platform's challenge",
      `have it forward ${url.pathname} with its query to http://${here}`,
    ];
  }
  if (status !== 200) {
    return [
      `${way} answers ${status}, ${arrived ? "though it came in here" : "and not from here"}`,
      `have the proxy forward ${url.pathname} unchanged to http://${here}, without a log-in or a page before it`,
    ];
  }
  if (tokenIn(body) === undefined) {
    return [
      `${way} shows something else than the bot`,
      `have the proxy forward ${url.pathname} to http://${here}, without a page of its own before it`,
    ];
  }
  if (tokenIn(body) !== expected) {
    return [
      `what answers at ${way} signs with another secret`,
      arrived
        ? "start the bot again with the app's current secret"
        : `end the bot that runs elsewhere with another app, or lead ${url.hostname} to ${here}`,
    ];
  }
  if (!arrived) {
    return [
      `another process answers at ${way} for this app: nothing came in here`,
      `end the bot that runs elsewhere, or lead ${url.hostname} to ${here}`,
    ];
  }
  return undefined;
}

/** Lines with the request, the response, and whether the request arrived. */
function exchange(
  { url, arrived, botRuns, listen }: PublicQuestion,
  cameBack: string,
): readonly string[] {
  const who = botRuns ? "the bot" : "doctor, in its place";
  return [
    `asked:      GET ${url.href}`,
    `came back:  ${cameBack}`,
    `seen here:  ${arrived ? "yes" : "no"}, by ${who} at ${listen.host}:${listen.port}`,
  ];
}

const SHOWN = 60;

function answered({ status, type, body, location }: Answered): string {
  const to = location === "" ? "" : ` to ${location}`;
  const text = body.length > SHOWN ? `${body.slice(0, SHOWN)}…` : body;
  return `${status}${to}, ${type}: ${text === "" ? "nothing" : text}`;
}

function tokenIn(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== "object" || value === null || !("response_token" in value))
      return undefined;
    return String(value.response_token);
  } catch {
    return undefined;
  }
}
