import { PlatformError, type Refusal } from "../../../../src/client/errors.ts";

const NOTHING_SAID: Omit<Refusal, "status"> = {
  endpoint: "POST /2/account_activity/replay/webhooks/:webhook_id/subscriptions/all",
  reason: undefined,
  title: undefined,
  detail: undefined,
  type: undefined,
  v1Code: undefined,
  adsCode: undefined,
  problems: [],
  limits: undefined,
  retryAfterMs: undefined,
  accessLevel: undefined,
  transactionId: undefined,
  afterUnknown: false,
};

/** Creates a refusal of a replay request. @param said Fields of the platform's answer besides the status. */
export function refused(status: number, said: Partial<Refusal> = {}): PlatformError {
  return new PlatformError("refused", { ...NOTHING_SAID, status, ...said }, { safe: false });
}
