import type { PlatformError } from "../../client/errors.ts";

/**
 * Platform problems with the app, its plan or its credentials. They affect every request, and the operator has to solve
 * them.
 */
const OPERATORS_PROBLEMS: ReadonlySet<string> = new Set([
  "client-forbidden",
  "oauth1-permissions",
  "unsupported-authentication",
  "usage-capped",
]);

/** Error codes of the platform's 1.1 API for problems with credentials, the clock, the app or the service. */
const OPERATORS_CODES: ReadonlySet<number> = new Set([
  32, 37, 64, 87, 89, 93, 99, 130, 131, 135, 215, 220, 261, 326, 416,
]);

/**
 * Whether a refusal concerns this one action, so that a retry would be refused, too. For example, the person does not
 * accept messages, the post is gone, or the text is not allowed.
 *
 * Any other refusal is about credentials, the clock, the app or the service, and ends when the operator or the platform
 * has solved the problem. A refusal without a reason, or by a proxy or firewall, counts as such a refusal: waiting
 * loses nothing, and giving up would lose the action.
 */
export function isAboutAction(error: PlatformError): boolean {
  const { status, problem, refusal } = error;
  if (problem !== undefined && OPERATORS_PROBLEMS.has(problem)) return false;
  if (refusal.v1Code !== undefined && OPERATORS_CODES.has(refusal.v1Code)) return false;
  if (SERVICE.test(refusal.title ?? "")) return false;
  // The problem names the post or the person that is missing, suspended or hidden.
  const namesObject = refusal.problems.some(({ resourceType }) => resourceType !== undefined);
  if (namesObject && status < 500) return true;
  switch (status) {
    case 400:
      return problem === "invalid-request" || refusal.problems.length > 0;
    case 403:
      return !error.isFromProxy && saysWhy(refusal.detail ?? refusal.problems[0]?.message);
    case 409:
    case 410:
    case 413:
    case 422:
      return true;
    default:
      return false;
  }
}

/** Whether a refusal is about the service: the service is down, too slow or locked for all accounts. */
export function isAway({ status }: PlatformError): boolean {
  return status >= 500 || status === 408 || status === 423;
}

const SERVICE = /service unavailable|over capacity|internal error/i;

/**
 * Whether `detail` explains a refusal of the action. A bare "forbidden" does not, nor does a text about the app, a daily
 * limit, or an account that is locked or has not the permission.
 */
function saysWhy(detail: string | undefined): boolean {
  return detail !== undefined && !/^forbidden\.?$/i.test(detail.trim()) && !NOT_ABOUT.test(detail);
}

const NOT_ABOUT =
  /\b(app|application|client|project|(?<!user has been )suspended|temporarily locked|daily (status update )?limit|permitted to access this feature|access level|permission level|scope)\b/i;
