import * as z from "zod";
import { ACCESS_LEVELS, SCOPES } from "../../protocol/access.ts";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";

/** Pending OAuth 1.0a log-ins: request tokens that have not been exchanged for an access token. */
export const requestTokens = defineTable({
  name: "request_tokens",
  schema: z.strictObject({
    token: z.string(),
    secret: z.string(),
    appId: z.string(),
    /** Callback URL from the app's allowlist, or `oob` if the user copies a PIN into the app. */
    callback: z.string(),
    level: z.enum(ACCESS_LEVELS),
    createdAt: instant,
    /** User who has approved the log-in; absent before. */
    userId: z.string().optional(),
    /** Proof of the approval, which the app receives; set together with `userId`. */
    verifier: z.string().optional(),
  }),
  key: (row) => row.token,
  indexes: {},
});

/** OAuth 2.0 authorization codes that have not been exchanged. */
export const authorizationCodes = defineTable({
  name: "authorization_codes",
  schema: z.strictObject({
    code: z.string(),
    appId: z.string(),
    userId: z.string(),
    redirectUri: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    /** Scopes as the app spelled them in its request. */
    scope: z.string(),
    challenge: z.string(),
    method: z.enum(["S256", "plain"]),
    createdAt: instant,
  }),
  key: (row) => row.code,
  indexes: {},
});

/** People signed in at the platform's pages, one row per browser. */
export const sessions = defineTable({
  name: "sessions",
  schema: z.strictObject({
    id: z.string(),
    userId: z.string(),
    /** Secret key in every form of this session. Other sites can't read the key, so they can't submit forms. */
    formKey: z.string(),
    createdAt: instant,
  }),
  key: (row) => row.id,
  indexes: {},
});

export type RequestTokenRow = NonNullable<ReturnType<ReturnType<typeof requestTokens.in>["get"]>>;
export type AuthorizationCodeRow = NonNullable<
  ReturnType<ReturnType<typeof authorizationCodes.in>["get"]>
>;
export type SessionRow = NonNullable<ReturnType<ReturnType<typeof sessions.in>["get"]>>;
