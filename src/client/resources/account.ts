import { z } from "zod";
import { checkedPart } from "../reading/response.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { type Endpoints, SIGNED } from "../http/endpoint.ts";

/** Fields of a user in API v1.1. The numeric `id` is omitted, because it may exceed 2^53. */
const Verified = z.object({
  id_str: z.string(),
  name: z.string(),
  screen_name: z.string(),
  description: z.string().nullish(),
  location: z.string().nullish(),
  url: z.string().nullish(),
  protected: z.boolean().optional(),
  verified: z.boolean().optional(),
  followers_count: z.number().optional(),
  friends_count: z.number().optional(),
  statuses_count: z.number().optional(),
  created_at: z.string().optional(),
  profile_image_url_https: z.string().nullish(),
  email: z.string().nullish(),
});
const Invalidated = z.object({ access_token: z.string() });

/** The owner of the credentials, as API v1.1 describes users. */
export type VerifiedAccount = z.infer<typeof Verified>;

/** Options of `verifyCredentials`. */
export interface VerifyParams {
  /**
   * Includes the email address. Requires the app's permission; `email` is null if the user has confirmed no address.
   */
  readonly includeEmail?: boolean | undefined;
}

/** The account behind the credentials, by API v1.1. */
export interface AccountMethods {
  /** Returns the owner of the credentials; also sets `client.accessLevel`, the token's permission level. */
  verifyCredentials(params?: VerifyParams, options?: CallOptions): Promise<VerifiedAccount>;
  /** Invalidates the access token of these credentials. */
  invalidateToken(options?: CallOptions): Promise<void>;
}

/** Endpoints of the account methods. */
export const ACCOUNT = {
  verifyCredentials: {
    method: "GET",
    path: "/1.1/account/verify_credentials.json",
    takes: SIGNED,
  },
  invalidateToken: { method: "POST", path: "/1.1/oauth/invalidate_token.json", takes: SIGNED },
} as const satisfies Endpoints<AccountMethods>;

/** Creates the methods of the account, which send their requests through `caller`. */
export function account(caller: Caller): AccountMethods {
  return {
    verifyCredentials: async (params = {}, options) => {
      const query = { include_email: params.includeEmail, skip_status: true };
      const answer = await caller.call(ACCOUNT.verifyCredentials, { query }, options);
      return checkedPart(answer, answer.body, Verified, "user");
    },
    invalidateToken: async (options) => {
      const answer = await caller.call(ACCOUNT.invalidateToken, {}, options);
      checkedPart(answer, answer.body, Invalidated, "answer");
    },
  };
}
