import { REASONS } from "../../protocol/reasons.ts";
import {
  PlatformError,
  type ProblemDetails,
  RateLimitError,
  type Refusal,
  USAGE_CAPPED,
} from "../errors.ts";
import type { CredentialKind } from "./endpoint.ts";
import { dateOf } from "../clock.ts";
import { type AnswerHeaders, headerOf, readRateLimits, resetTime } from "./rate-limits.ts";
import { readRetryAfter } from "./retry-after.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object, neither an array nor null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

/** Reads the entries of an `errors` array in any of the platform's formats. */
export function readProblems(errors: unknown): ProblemDetails[] {
  if (!Array.isArray(errors)) return [];
  return errors.filter(isFields).map((entry) => ({
    message: text(entry["message"]),
    title: text(entry["title"]),
    detail: text(entry["detail"]) ?? text(entry["details"]),
    type: text(entry["type"]),
    code: typeof entry["code"] === "number" ? entry["code"] : text(entry["code"]),
    parameter: text(entry["parameter"]),
    value: text(entry["value"]),
    resourceId: text(entry["resource_id"]),
    resourceType: text(entry["resource_type"]),
  }));
}

function reasonOf(problems: readonly ProblemDetails[]): string | undefined {
  for (const { message } of problems) {
    const before = /^([A-Z][A-Za-z]+):/.exec(message ?? "")?.[1];
    if (
      before !== undefined &&
      (REASONS.some((reasonName) => reasonName === before) ||
        /(Failed|Invalid|Exceeded|NotFound|Error)$/.test(before))
    ) {
      return before;
    }
  }
  return undefined;
}

/** Details of a refusal that are not in the response's body. */
export interface RefusalContext {
  readonly endpoint: string;
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Time of a response without a date, in milliseconds since 1970, by the platform's clock. */
  readonly now?: number | undefined;
  /** Whether the call may be repeated if its outcome is unknown. */
  readonly safe: boolean;
  readonly afterUnknown: boolean;
  /** Kind of the refused credentials; undefined if it is unknown, and for a log-in request. */
  readonly kind?: CredentialKind | undefined;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
}

/** Converts a refusal's body, JSON or not, to an error with the platform's message. */
export function refusalOf(body: unknown, context: RefusalContext): PlatformError {
  const fields = isFields(body) ? body : {};
  const problems = readProblems(fields["errors"]).map((problem) =>
    redacted(problem, context.redact),
  );
  const first = problems[0];
  const now = dateOf(context.headers) ?? context.now;
  const limits = readRateLimits(context.endpoint, context.headers, now);
  const retryAfter = readRetryAfter(context.headers);
  const oauthError = text(fields["error"]);
  const title = text(fields["title"]) ?? first?.title ?? oauthError;
  const detail =
    text(fields["detail"]) ?? first?.detail ?? text(fields["error_description"]) ?? plainText(body);
  const refusal: Refusal = {
    endpoint: context.endpoint,
    status: context.status,
    reason: reasonOf(problems),
    title: title === undefined ? undefined : context.redact(title),
    detail: detail === undefined ? undefined : context.redact(detail).slice(0, 500),
    type: text(fields["type"]) ?? first?.type,
    v1Code:
      problems.map(({ code }) => code).find((code) => typeof code === "number") ?? codeOf(detail),
    adsCode: problems.map(({ code }) => code).find((code) => typeof code === "string"),
    problems,
    limits,
    retryAfterMs: retryAfter?.ms,
    accessLevel: headerOf(context.headers, "x-access-level"),
    transactionId: headerOf(context.headers, "x-transaction-id"),
    afterUnknown: context.afterUnknown,
  };
  const message = describe(refusal);
  const hint = isWebPage(body) ? FROM_PROXY : hintOf(refusal, context.kind);
  // At the monthly post cap, waiting for the reset of the rate limit window would not help.
  const windowReset = isCapped(refusal) ? undefined : resetTime(limits);
  return context.status === 429
    ? new RateLimitError(message, refusal, { resetAt: retryAfter?.at ?? windowReset, hint })
    : new PlatformError(message, refusal, { safe: context.safe, hint });
}

/** Returns the text of a body that is not JSON, in one line: of a web page its title, of XML its error. */
function plainText(body: unknown): string | undefined {
  const whole = text(body);
  const marked = /<(?:title|error)\b[^>]*>([^<]+)/i.exec(whole ?? "")?.[1];
  return (marked ?? whole)?.replaceAll(/\s+/g, " ").trim();
}

/** Returns the code of an error that the log-in flow sends as XML, without its code. */
function codeOf(detail: string | undefined): number | undefined {
  return /^callback url not approved/i.test(detail ?? "") ? 415 : undefined;
}

function isWebPage(body: unknown): boolean {
  return /^\s*<(?:!doctype html|html)\b/i.test(text(body) ?? "");
}

function redacted(problem: ProblemDetails, redact: (text: string) => string): ProblemDetails {
  const clean = (part: string | undefined) => (part === undefined ? undefined : redact(part));
  return {
    ...problem,
    message: clean(problem.message),
    detail: clean(problem.detail),
    value: clean(problem.value),
  };
}

function describe(refusal: Refusal): string {
  const messages = refusal.problems
    .map(({ message, detail }) => message ?? detail)
    .filter((part) => part !== undefined);
  const whole =
    messages.length > 0 ? messages : [refusal.detail, refusal.title].filter(Boolean).slice(0, 1);
  const words = whole.length > 0 ? `: ${whole.join("; ")}` : "";
  return `${refusal.endpoint} was refused with ${refusal.status}${words}`;
}

function hintOf(refusal: Refusal, kind: CredentialKind | undefined): string | undefined {
  if (refusal.type?.endsWith("oauth1-permissions") === true) {
    const level = refusal.accessLevel ?? "too low";
    // The header has the level of the token. The app's level may be higher, if it was raised since.
    return `the token's permission level is ${level}: raise the app's if it is as low, then issue the token again`;
  }
  if (isCapped(refusal)) return CAP_IS_REACHED;
  if (refusal.v1Code === 135)
    return "set this machine's clock: the platform refuses old signatures";
  if (refusal.v1Code === 415)
    return "add exactly this callback URL to the app's callback allowlist";
  // An OAuth 2.0 token is refused only by itself: requests are not signed with keys of the app.
  if (refusal.v1Code === 89 || (refusal.status === 401 && kind === "oauth2")) return TOKEN_IS_GONE;
  if (refusal.status === 401) return TOKENS_REFUSED;
  return undefined;
}

function isCapped({ type }: Refusal): boolean {
  return type?.endsWith(`/${USAGE_CAPPED}`) === true;
}

/** Hint of an error whose body is a web page. */
const FROM_PROXY =
  "a proxy, firewall or CDN sent this web page: look for one between this machine and the platform, or wait until it lets requests pass";

/** Hint of an error that the monthly post cap has caused. */
const CAP_IS_REACHED =
  "wait until the monthly post cap is reset, or choose a plan with a larger cap; messages can be read, and writing works";

/** Hint for refused keys or tokens without a stated reason. */
export const TOKENS_REFUSED =
  "check that the keys and tokens belong together and are not revoked, and that the app's permission level has not changed since";

/** Hint for a refused token of a user. */
export const TOKEN_IS_GONE = "log the user in again: the token was revoked or has expired";
