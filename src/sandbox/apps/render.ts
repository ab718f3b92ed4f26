import type { Sandbox } from "../kernel/sandbox.ts";
import { accessTokens, type AppRow, grantKey, type ProjectRow } from "../model/apps.ts";

/** Renders an app's credentials, which are shown once. */
export function renderCredentials(app: AppRow): Record<string, unknown> {
  return {
    app_id: app.id,
    consumer_key: app.consumerKey,
    consumer_secret: app.consumerSecret,
    bearer_token: app.bearerToken,
    client_id: app.clientId,
    ...(app.clientSecret === undefined ? {} : { client_secret: app.clientSecret }),
  };
}

/** Renders an app without its secrets; hints are the last characters, to distinguish credentials. */
export function renderApp(sandbox: Sandbox, app: AppRow): Record<string, unknown> {
  return {
    app_id: app.id,
    project_id: app.projectId === "" ? null : app.projectId,
    ...(app.ownerId === undefined ? {} : { owner_id: app.ownerId }),
    name: app.name,
    icon_url: app.iconUrl,
    description: app.description,
    website_url: app.websiteUrl,
    callback_urls: app.callbackUrls,
    terms_url: app.termsUrl,
    privacy_url: app.privacyUrl,
    organization_name: app.organizationName,
    organization_url: app.organizationUrl,
    purpose: app.purpose,
    permission_level: app.level,
    email: app.email,
    sign_in: app.signIn,
    oauth1: app.oauth1,
    oauth2: app.oauth2,
    oauth2_type: app.oauth2Type,
    dialect: app.dialect,
    suspended: app.suspended,
    client_id: app.clientId,
    key_hints: keyHints(sandbox, app),
  };
}

export function renderProject(project: ProjectRow): Record<string, unknown> {
  return { project_id: project.id, name: project.name, plan: project.plan };
}

/** Returns the last characters of each credential; revoked and missing credentials are left out. */
function keyHints({ world }: Sandbox, app: AppRow): Record<string, string> {
  const owners = accessTokens
    .in(world)
    .where("grant", grantKey(app.id, app.ownerId ?? ""))
    .find((token) => !token.voided);
  const secrets = {
    consumer_key: app.consumerKey,
    bearer_token: app.bearerToken,
    access_token: owners?.token ?? "",
    client_secret: app.clientSecret ?? "",
  };
  return Object.fromEntries(
    Object.entries(secrets)
      .filter(([, secret]) => secret !== "")
      .map(([name, secret]) => [name, secret.slice(-6)]),
  );
}
