import * as z from "zod";
import { ACCESS_LEVELS } from "../../protocol/access.ts";
import { DIALECTS } from "../../protocol/dialects.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { type AppRow, settingsFault } from "../model/apps.ts";

const settings = {
  name: z.string().min(1),
  icon_url: z.string(),
  description: z.string(),
  website_url: z.string(),
  callback_urls: z.array(z.string()),
  terms_url: z.string(),
  privacy_url: z.string(),
  organization_name: z.string(),
  organization_url: z.string(),
  purpose: z.string(),
  permission_level: z.enum(ACCESS_LEVELS),
  email: z.boolean(),
  sign_in: z.boolean(),
  oauth1: z.boolean(),
  oauth2: z.boolean(),
  oauth2_type: z.enum(["native", "spa", "web", "bot"]),
  dialect: z.enum(DIALECTS),
  owner_id: z.string(),
  /** Id of the app's project; `null` removes the app from every project. */
  project_id: z.string().nullable(),
};

/** Settings of a new app. Only the name is required. */
export const appInput = z
  .strictObject(settings)
  .partial()
  .extend({ name: z.string().min(1) });

/** Changes to the settings of an app. */
export const appPatch = z
  .strictObject(settings)
  .partial()
  .extend({ suspended: z.boolean().optional() });

export type AppInput = z.infer<typeof appInput>;
export type AppPatch = z.infer<typeof appPatch>;

/** Returns whether an app has a client secret: web apps and bots do, native and single page apps are public clients. */
export function isConfidential({ oauth2Type }: Pick<AppRow, "oauth2Type">): boolean {
  return oauth2Type === "web" || oauth2Type === "bot";
}

/** Returns `app` with the keys of `patch` replaced, except the project. */
export function applyAppPatch(app: AppRow, patch: AppPatch): AppRow {
  return {
    ...app,
    name: patch.name ?? app.name,
    iconUrl: patch.icon_url ?? app.iconUrl,
    description: patch.description ?? app.description,
    websiteUrl: patch.website_url ?? app.websiteUrl,
    callbackUrls: patch.callback_urls ?? app.callbackUrls,
    termsUrl: patch.terms_url ?? app.termsUrl,
    privacyUrl: patch.privacy_url ?? app.privacyUrl,
    organizationName: patch.organization_name ?? app.organizationName,
    organizationUrl: patch.organization_url ?? app.organizationUrl,
    purpose: patch.purpose ?? app.purpose,
    level: patch.permission_level ?? app.level,
    email: patch.email ?? app.email,
    signIn: patch.sign_in ?? app.signIn,
    oauth1: patch.oauth1 ?? app.oauth1,
    oauth2: patch.oauth2 ?? app.oauth2,
    oauth2Type: patch.oauth2_type ?? app.oauth2Type,
    dialect: patch.dialect ?? app.dialect,
    ownerId: patch.owner_id ?? app.ownerId,
    suspended: patch.suspended ?? app.suspended,
  };
}

/** Checks an app's settings. @throws {ApiError} 400 if they break a rule of the platform. */
export function checkSettings(app: AppRow): void {
  const fault = settingsFault(app);
  if (fault !== undefined) throw ApiError.control(400, "invalid_app", fault);
}
