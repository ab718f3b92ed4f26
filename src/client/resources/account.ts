import { z } from "zod";
import { checked } from "../answer.ts";
import type { Caller, CallOptions } from "../caller.ts";
import { type Endpoints, SIGNED } from "../endpoint.ts";

/** The 1.1 interface's user, the parts that tell who it is; `id` is left out, it passes 2^53. */
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

/** Whose credentials these are, as the 1.1 interface tells it. */
export type VerifiedAccount = z.infer<typeof Verified>;

/** What to tell of the account. */
export interface VerifyParams {
  /** Needs the app's permission to see the address; null where the user has none confirmed. */
  readonly includeEmail?: boolean | undefined;
}

/** The account behind the credentials, by the 1.1 interface. */
export interface AccountMethods {
  /** Who the user is; also says, in `client.accessLevel`, what the token may do. */
  verifyCredentials(params?: VerifyParams, options?: CallOptions): Promise<VerifiedAccount>;
  /** Makes the access token of these credentials worthless. */
  invalidateToken(options?: CallOptions): Promise<void>;
}

/** Where the methods of the account go. */
export const ACCOUNT = {
  verifyCredentials: {
    method: "GET",
    path: "/1.1/account/verify_credentials.json",
    takes: SIGNED,
  },
  invalidateToken: { method: "POST", path: "/1.1/oauth/invalidate_token.json", takes: SIGNED },
} as const satisfies Endpoints<AccountMethods>;

/** The methods of the account over a caller. */
export function account(caller: Caller): AccountMethods {
  return {
    verifyCredentials: async (params = {}, options) => {
      const query = { include_email: params.includeEmail, skip_status: true };
      const answer = await caller.call(ACCOUNT.verifyCredentials, { query }, options);
      return checked(answer, answer.body, Verified, "user");
    },
    invalidateToken: async (options) => {
      const answer = await caller.call(ACCOUNT.invalidateToken, {}, options);
      checked(answer, answer.body, Invalidated, "answer");
    },
  };
}
