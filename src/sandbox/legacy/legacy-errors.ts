import type { ErrorReason } from "../../protocol/reasons.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteResponse, Route } from "../server/route.ts";

interface LegacyError {
  readonly status: number;
  readonly v1: number;
  readonly message: string;
}

const NOT_FOUND = { status: 404, v1: 34, message: "Sorry, that page does not exist." } as const;
const TOO_MANY = { status: 403, v1: 214, message: "Too many resources already created." } as const;
const BAD_URL = "Webhook URL does not meet the requirements.";

/** Version 1.1 errors of the live service that replace the sandbox's v2 errors, by the error reason of v2. */
const BY_REASON: Readonly<Partial<Record<ErrorReason, LegacyError>>> = {
  UrlValidationFailed: { status: 400, v1: 214, message: BAD_URL },
  DuplicateUrlFailed: TOO_MANY,
  WebhookLimitExceeded: TOO_MANY,
  SubscriptionLimitExceeded: TOO_MANY,
  WebhookIdInvalid: NOT_FOUND,
  SubscriptionNotFound: NOT_FOUND,
  DuplicateSubscriptionFailed: { status: 409, v1: 355, message: "Subscription already exists." },
};

/** Wraps a route so that its errors have the messages and codes of version 1.1. */
export function withLegacyErrors(route: Route): Route {
  return {
    ...route,
    async handle(call): Promise<RouteResponse> {
      try {
        return await route.handle(call);
      } catch (error) {
        throw error instanceof ApiError ? translated(error) : error;
      }
    },
  };
}

/** Creates the 404 of version 1.1 for a webhook, a subscription or a URL that does not exist. */
export function notFound(): ApiError {
  return new ApiError({ ...NOT_FOUND, code: "not_found" });
}

function translated(error: ApiError): ApiError {
  const { code, message } = error.spec;
  const legacy = code === "CrcValidationFailed" ? challengeError(message) : byReason(code);
  return legacy === undefined ? error : new ApiError({ ...legacy, code });
}

function byReason(code: string): LegacyError | undefined {
  return Object.entries(BY_REASON).find(([reason]) => reason === code)?.[1];
}

function challengeError(details: string): LegacyError {
  const more = /in time|reached/.test(details)
    ? "High latency on CRC GET request. Your webhook should respond in less than 3 seconds."
    : /status/.test(details)
      ? "Non-200 response code during CRC GET request (i.e. 404, 500, etc)."
      : "Invalid CRC token or json response format.";
  return { status: 400, v1: 214, message: `${BAD_URL} ${more}` };
}
