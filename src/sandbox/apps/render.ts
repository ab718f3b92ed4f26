import type { App } from "./entities.ts";

/** An app's credentials, told once. */
export function renderCredentials(app: App): Record<string, unknown> {
  return {
    app_id: app.id,
    consumer_key: app.consumerKey,
    consumer_secret: app.consumerSecret,
    bearer_token: app.bearerToken,
    client_id: app.clientId,
    ...(app.clientSecret === undefined ? {} : { client_secret: app.clientSecret }),
  };
}

/** An app without its secrets; hints are the last characters, to tell credentials apart. */
export function renderApp(app: App): Record<string, unknown> {
  return {
    app_id: app.id,
    project_id: app.projectId,
    name: app.name,
    permission_level: app.level,
    callback_urls: app.callbackUrls,
    website_url: app.websiteUrl,
    terms_url: app.termsUrl,
    privacy_url: app.privacyUrl,
    email: app.email,
    sign_in: app.signIn,
    oauth1: app.oauth1,
    oauth2: app.oauth2,
    oauth2_type: app.oauth2Type,
    dialect: app.dialect,
    suspended: app.suspended,
    client_id: app.clientId,
    key_hints: {
      consumer_key: hint(app.consumerKey),
      bearer_token: hint(app.bearerToken),
      ...(app.clientSecret === undefined ? {} : { client_secret: hint(app.clientSecret) }),
    },
  };
}

function hint(secret: string): string {
  return secret.slice(-6);
}
