import type { AccessLevel, OAuthScope } from "../../protocol/access.ts";
import type { UserRow } from "../model/accounts.ts";
import type { AppRow } from "../model/apps.ts";
import { ApiError } from "../kernel/http/api-error.ts";

/**
 * Ways in which a request may authenticate.
 *
 * `oauth1` and `oauth2` act for a user, `bearer` for the app alone, `signed` is an OAuth 1.0a signature by an app
 * without a user (log-in steps), `basic` an app's key and secret, `control` the sandbox's own token.
 */
export type AuthKind = "oauth1" | "oauth2" | "bearer" | "signed" | "basic" | "control";

/** Path of a route, and the callers that it accepts. */
export interface RouteAccess {
  /** Path in the post dialect; `:name` matches one segment. */
  readonly path: string;
  /** Accepted ways to authenticate; an empty list accepts every caller. */
  readonly auth: readonly AuthKind[];
  /** Lowest access level that an OAuth 1.0a caller needs; `read` by default. */
  readonly level?: AccessLevel;
  /** Scopes that an OAuth 2.0 user token needs. */
  readonly scopes?: readonly OAuthScope[];
}

/** The authenticated sender of a request. */
export type RequestCaller =
  | { readonly kind: "anonymous" }
  | { readonly kind: "control" }
  | { readonly kind: "bearer"; readonly app: AppRow }
  | { readonly kind: "basic"; readonly app: AppRow }
  | {
      readonly kind: "oauth1";
      readonly app: AppRow;
      readonly user: UserRow;
      readonly level: AccessLevel;
      readonly token: string;
    }
  | {
      readonly kind: "oauth2";
      readonly app: AppRow;
      readonly user: UserRow;
      readonly scopes: readonly OAuthScope[];
      readonly token: string;
    }
  | {
      readonly kind: "signed";
      readonly app: AppRow;
      /** OAuth parameters of the header, query and form together. */
      readonly oauth: ReadonlyMap<string, string>;
      /**
       * Returns whether the signature is valid with this token secret. Must be called once only: the call uses up the
       * nonce.
       *
       * @throws {ApiError} 401 for a valid signature that is stale or was used before.
       */
      readonly verifySignature: (tokenSecret: string) => boolean;
    };

/** Returns the app of a request. @throws {ApiError} 401 if the caller has no app. */
export function appOf(caller: RequestCaller): AppRow {
  if (caller.kind === "anonymous" || caller.kind === "control") throw ApiError.unauthorized();
  return caller.app;
}

/** Returns the user on whose behalf a request is made. @throws {ApiError} 401 if the caller has no user. */
export function userOf(caller: RequestCaller): UserRow {
  if (caller.kind !== "oauth1" && caller.kind !== "oauth2") throw ApiError.unauthorized();
  return caller.user;
}

/** Returns a caller's access level, for the header `x-access-level`; undefined for callers without a level. */
export function levelOf(caller: RequestCaller): AccessLevel | undefined {
  if (caller.kind === "oauth1") return caller.level;
  if (caller.kind === "bearer" || caller.kind === "basic") return "read";
  if (caller.kind === "signed") return caller.app.level;
  if (caller.kind !== "oauth2") return undefined;
  if (caller.scopes.includes("dm.write")) return "read-write-directmessages";
  return caller.scopes.some((scope) => scope.endsWith(".write")) ? "read-write" : "read";
}
