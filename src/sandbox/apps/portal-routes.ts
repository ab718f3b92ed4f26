import type { AccessLevel } from "../../protocol/access.ts";
import { users } from "../model/accounts.ts";
import { controlInput, PORTAL } from "../server/control-input.ts";
import type { Route, RouteCall } from "../server/route.ts";
import { type AppRow, accessTokens, userTokens, findApp } from "../model/apps.ts";
import { monthlyPosts } from "../model/post-usage.ts";
import { changeUsage, usageInput } from "./usage.ts";

/** A token with which an app acts for a person. */
export interface PortalGrant {
  readonly kind: "oauth1" | "oauth2";
  readonly user_id: string;
  readonly username: string;
  /** Last characters of the token. */
  readonly hint: string;
  /** Permission level of the app when an OAuth 1.0a token was issued. Absent for OAuth 2.0. */
  readonly permission_level?: AccessLevel;
  /** Scopes of an OAuth 2.0 token. Absent for OAuth 1.0a. */
  readonly scopes?: readonly string[];
  /** Whether the token works. If not, the person must log in again, or the app must refresh the token. */
  readonly works: boolean;
  /** Time of issue in ISO 8601. */
  readonly created_at?: string;
  /** Time of expiry in ISO 8601. */
  readonly expires_at?: string;
}

/** Posts that an app's project has received this month, and requests in the current windows of the rate limits. */
export interface PortalUsage {
  /** Whether the limits are enforced. If not, requests are not counted. */
  readonly enabled: boolean;
  /** Posts that the app's project has received this month, and the cap. They are counted even if limits are off. */
  readonly posts: {
    readonly used: number;
    readonly cap: number;
    /** Time at which the count starts again at 0, in ISO 8601. */
    readonly resets_at: string;
  };
  readonly limits: readonly {
    /** Method and path, for example `POST /2/posts`. */
    readonly endpoint: string;
    /** Person to whom the limit applies; absent for a limit of the app. */
    readonly username?: string;
    readonly window_ms: number;
    readonly limit: number;
    readonly used: number;
    /** Time at which the current window ends, in ISO 8601. */
    readonly resets_at: string;
  }[];
}

const HINT = 6;
/** Routes of the developer portal for an app's grants and usage. */
export const portalRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/_sandbox/apps/:id/grants",
    ...PORTAL,
    handle: (call) => ({ body: { grants: grantsOf(call, appOf(call)) } }),
  },
  {
    method: "GET",
    path: "/_sandbox/apps/:id/usage",
    ...PORTAL,
    handle: (call) => ({ body: usageOf(call, appOf(call)) }),
  },
  {
    method: "POST",
    path: "/_sandbox/apps/:id/usage",
    ...PORTAL,
    handle: (call) => {
      const app = appOf(call);
      changeUsage(call.sandbox, app, controlInput(call, usageInput));
      return { body: usageOf(call, app) };
    },
  },
];

function appOf({ sandbox, params }: RouteCall): AppRow {
  return findApp(sandbox, params["id"] ?? "");
}

function grantsOf({ sandbox: { world, time } }: RouteCall, { id }: AppRow): PortalGrant[] {
  const nameOf = (userId: string): string => users.in(world).get(userId)?.username ?? "";
  const signed = accessTokens.in(world).where("app", id);
  const ofFlow2 = [...userTokens.in(world).all()].filter(({ appId }) => appId === id);
  return [
    ...signed.map(({ token, userId, level, voided, createdAt }): PortalGrant => ({
      kind: "oauth1",
      user_id: userId,
      username: nameOf(userId),
      hint: token.slice(-HINT),
      permission_level: level,
      works: !voided,
      created_at: new Date(createdAt).toISOString(),
    })),
    ...ofFlow2.map(({ token, userId, scopes, expiresAt }): PortalGrant => ({
      kind: "oauth2",
      user_id: userId,
      username: nameOf(userId),
      hint: token.slice(-HINT),
      scopes,
      works: expiresAt > time.now(),
      expires_at: new Date(expiresAt).toISOString(),
    })),
  ];
}

/** Lists the limits with requests of the app or its users in a window that is still open. */
function usageOf({ sandbox }: RouteCall, app: AppRow): PortalUsage {
  const { id } = app;
  const { used: usedPosts, cap, resetsAt } = monthlyPosts(sandbox, app);
  const { world, limits, settings } = sandbox;
  const people = new Set(
    accessTokens
      .in(world)
      .where("app", id)
      .map(({ userId }) => userId),
  );
  const concerned = limits
    .open()
    .filter(({ by, who }) => (by === "app" ? who === id : people.has(who)));
  return {
    enabled: settings.limits.enabled,
    posts: { used: usedPosts, cap, resets_at: new Date(resetsAt).toISOString() },
    limits: concerned.map(({ endpoint, by, who, windowMs, limit, used, ends }) => ({
      endpoint,
      ...(by === "user" && { username: users.in(world).get(who)?.username ?? who }),
      window_ms: windowMs,
      limit,
      used,
      resets_at: new Date(ends).toISOString(),
    })),
  };
}
