import { PlatformError } from "../../../../src/client/errors.ts";

/** Creates a refusal of a replay request. */
export function refused(status: number, reason?: string): PlatformError {
  return new PlatformError(
    "no plan",
    {
      status,
      reason,
      endpoint: "",
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
    },
    { safe: false },
  );
}
