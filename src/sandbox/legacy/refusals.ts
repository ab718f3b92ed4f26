import type { Reason } from "../../interface/reasons.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Answer, Route } from "../kernel/route.ts";

interface Words {
  readonly status: number;
  readonly v1: number;
  readonly message: string;
}

const NOWHERE = { status: 404, v1: 34, message: "Sorry, that page does not exist." } as const;
const TOO_MANY = { status: 403, v1: 214, message: "Too many resources already created." } as const;
const BAD_URL = "Webhook URL does not meet the requirements.";

/** What version 1.1 of the live service says where the interface of today has a reason. */
const BY_REASON: Readonly<Partial<Record<Reason, Words>>> = {
  UrlValidationFailed: { status: 400, v1: 214, message: BAD_URL },
  DuplicateUrlFailed: TOO_MANY,
  WebhookLimitExceeded: TOO_MANY,
  SubscriptionLimitExceeded: TOO_MANY,
  WebhookIdInvalid: NOWHERE,
  SubscriptionNotFound: NOWHERE,
  DuplicateSubscriptionFailed: { status: 409, v1: 355, message: "Subscription already exists." },
};

/** The same route, its refusals in the words and codes of version 1.1. */
export function inOldWords(route: Route): Route {
  return {
    ...route,
    async handle(call): Promise<Answer> {
      try {
        return await route.handle(call);
      } catch (error) {
        throw error instanceof Refusal ? translated(error) : error;
      }
    },
  };
}

/** Nothing there: a webhook, a subscription, an address. */
export function nowhere(): Refusal {
  return new Refusal({ ...NOWHERE, code: "not_found" });
}

function translated(refusal: Refusal): Refusal {
  const { code, message } = refusal.spec;
  const said = code === "CrcValidationFailed" ? challengeWords(message) : byReason(code);
  return said === undefined ? refusal : new Refusal({ ...said, code });
}

function byReason(code: string): Words | undefined {
  return Object.entries(BY_REASON).find(([reason]) => reason === code)?.[1];
}

function challengeWords(details: string): Words {
  const more = /in time|reached/.test(details)
    ? "High latency on CRC GET request. Your webhook should respond in less than 3 seconds."
    : /status/.test(details)
      ? "Non-200 response code during CRC GET request (i.e. 404, 500, etc)."
      : "Invalid CRC token or json response format.";
  return { status: 400, v1: 214, message: `${BAD_URL} ${more}` };
}
