import { CALLBACK_URLS_PER_APP } from "../../protocol/limits.ts";
import { callbackFault } from "./callback.ts";

/** What an app's rules are about. */
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

/** Which rule of the platform an app's settings break, in the words of the control interface. */
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

/** Links to pages about the app are shown to people, so they must lead to web pages. */
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
