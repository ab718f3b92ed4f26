import * as z from "zod";
import { type Plan, CALLBACK_URLS_PER_APP } from "../../protocol/limits.ts";
import { ACCESS_LEVELS, SCOPES } from "../../protocol/access.ts";
import { DIALECTS } from "../../protocol/dialects.ts";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { callbackFault } from "./callback.ts";

/** Projects of the developer portal. The limits of a plan apply to a project. */
export const projects = defineTable({
  name: "projects",
  schema: z.strictObject({
    id: z.string(),
    name: z.string(),
    plan: z.enum(["free", "basic", "pro", "pay-per-use", "enterprise"]),
  }),
  key: (row) => row.id,
  indexes: {},
});

const appSchema = z
  .strictObject({
    id: z.string(),
    /** Id of the project; empty for an app in no project, which has no access to v2. */
    projectId: z.string(),
    /** User whose access token the developer portal shows for the app. */
    ownerId: z.string().optional(),
    name: z.string(),
    iconUrl: z.string(),
    description: z.string(),
    organizationName: z.string(),
    organizationUrl: z.string(),
    purpose: z.string(),
    level: z.enum(ACCESS_LEVELS),
    callbackUrls: z.array(z.string()),
    websiteUrl: z.string(),
    termsUrl: z.string(),
    privacyUrl: z.string(),
    email: z.boolean(),
    signIn: z.boolean(),
    oauth1: z.boolean(),
    oauth2: z.boolean(),
    oauth2Type: z.enum(["native", "spa", "web", "bot"]),
    dialect: z.enum(DIALECTS),
    suspended: z.boolean(),
    consumerKey: z.string(),
    consumerSecret: z.string(),
    bearerToken: z.string(),
    clientId: z.string(),
    clientSecret: z.string().optional(),
    createdAt: instant,
  })
  .check((context) => {
    const fault = settingsFault(context.value);
    if (fault !== undefined) {
      context.issues.push({ code: "custom", message: fault, input: context.value });
    }
  });

/** Developer apps with their credentials. A revoked credential is an empty string. */
export const apps = defineTable({
  name: "apps",
  schema: appSchema,
  key: (row) => row.id,
  indexes: {
    consumerKey: (row) => nonEmpty(row.consumerKey),
    bearerToken: (row) => nonEmpty(row.bearerToken),
    clientId: (row) => row.clientId,
    project: (row) => row.projectId,
  },
});

/** OAuth 1.0a user access tokens. `level` is the access level that the app had when the token was issued. */
export const accessTokens = defineTable({
  name: "access_tokens",
  schema: z.strictObject({
    token: z.string(),
    secret: z.string(),
    appId: z.string(),
    userId: z.string(),
    level: z.enum(ACCESS_LEVELS),
    /** Whether the app's level has changed since the token was issued: the user must then authorize the app again. */
    voided: z.boolean(),
    createdAt: instant,
  }),
  key: (row) => row.token,
  indexes: {
    app: (row) => row.appId,
    grant: (row) => grantKey(row.appId, row.userId),
  },
});

/** OAuth 2.0 user access tokens. */
const userTokenSchema = z.strictObject({
  token: z.string(),
  appId: z.string(),
  userId: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  /** Scopes as the app spelled them in its request. Token responses repeat them; if absent, they contain `scopes`. */
  scope: z.string().optional(),
  expiresAt: instant,
  refreshToken: z.string().optional(),
  /** Scopes that a refresh may request; set if the access token has fewer. */
  refreshScopes: z.array(z.enum(SCOPES)).optional(),
});

export type UserTokenRow = z.infer<typeof userTokenSchema>;

export const userTokens = defineTable({
  name: "user_tokens",
  schema: userTokenSchema,
  key: (row) => row.token,
  indexes: {
    refreshToken: (row) => row.refreshToken,
    grant: (row) => grantKey(row.appId, row.userId),
  },
});

/** Returns the index key of a user's grants to an app. */
export function grantKey(appId: string, userId: string): string {
  return `${appId}:${userId}`;
}

/** Returns whether the user has authorized the app, by OAuth 1.0a or 2.0, even if the tokens are void now. */
export function hasGrant(world: SandboxWorld, appId: string, userId: string): boolean {
  const key = grantKey(appId, userId);
  return (
    accessTokens.in(world).count("grant", key) > 0 || userTokens.in(world).count("grant", key) > 0
  );
}

/** Returns `text`; `undefined` for an empty text, which then gets no index entry. */
function nonEmpty(text: string): string | undefined {
  return text === "" ? undefined : text;
}

export type AppRow = NonNullable<ReturnType<ReturnType<typeof apps.in>["get"]>>;
export type AccessTokenRow = NonNullable<ReturnType<ReturnType<typeof accessTokens.in>["get"]>>;
export type ProjectRow = NonNullable<ReturnType<ReturnType<typeof projects.in>["get"]>>;

/** Finds an app. @throws {ApiError} 404 of the control interface. */
export function findApp({ world }: Sandbox, id: string): AppRow {
  const app = apps.in(world).get(id);
  if (app === undefined) throw ApiError.control(404, "unknown_app", `There is no app ${id}.`);
  return app;
}

/** Returns the plan whose limits apply to an app's webhooks and subscriptions. */
export function planOf({ world }: Sandbox, app: AppRow): Plan {
  return projects.in(world).get(app.projectId)?.plan ?? "free";
}

/** Returns the apps of the same project. The limits of a plan apply to all these apps together. */
export function appsOfProject({ world }: Sandbox, app: AppRow): AppRow[] {
  return apps.in(world).where("project", app.projectId);
}

/** App settings that the platform's rules restrict. */
interface RuledSettings {
  readonly oauth1: boolean;
  readonly oauth2: boolean;
  readonly email: boolean;
  readonly callbackUrls: readonly string[];
  readonly websiteUrl: string;
  readonly termsUrl: string;
  readonly privacyUrl: string;
  readonly organizationUrl: string;
}

/** Returns a message about a platform rule that an app's settings break; undefined if they break none. */
export function settingsFault(app: RuledSettings): string | undefined {
  return methodFault(app) ?? emailFault(app) ?? callbacksFault(app.callbackUrls) ?? pagesFault(app);
}

function methodFault({ oauth1, oauth2 }: RuledSettings): string | undefined {
  return oauth1 || oauth2 ? undefined : "An app needs OAuth 1.0a, OAuth 2.0 or both: turn one on.";
}

function emailFault({ email, termsUrl, privacyUrl }: RuledSettings): string | undefined {
  if (!email || (termsUrl !== "" && privacyUrl !== "")) return undefined;
  return "The email permission needs terms_url and privacy_url.";
}

function callbacksFault(urls: readonly string[]): string | undefined {
  if (urls.length > CALLBACK_URLS_PER_APP) {
    return `callback_urls holds at most ${CALLBACK_URLS_PER_APP} entries, got ${urls.length}.`;
  }
  const fault = urls.map(callbackFault).find((one) => one !== undefined);
  return fault === undefined ? undefined : `callback_urls: ${fault}`;
}

/** Checks links to pages about the app: people see them, so they must lead to web pages. */
function pagesFault(app: RuledSettings): string | undefined {
  const pages = {
    website_url: app.websiteUrl,
    terms_url: app.termsUrl,
    privacy_url: app.privacyUrl,
    organization_url: app.organizationUrl,
  };
  const wrong = Object.entries(pages).find(([, url]) => url !== "" && !isWebAddress(url));
  if (wrong === undefined) return undefined;
  return `${wrong[0]}: "${wrong[1]}" is not a web address; write one such as https://example.com/`;
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}
