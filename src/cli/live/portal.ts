/** Port of the log-in's callback; the app's allowlist needs an address that stays the same. */
export const CALLBACK_PORT = 8765;

/** What the platform redirects the owner's browser to, unless `--callback` names another. */
export const CALLBACK_URL = `http://127.0.0.1:${CALLBACK_PORT}/callback`;

/** Names of the app's keys in `.env`, and what the developer portal calls them. */
export const APP_KEYS = {
  CONSUMER_KEY: "API key (consumer key)",
  CONSUMER_SECRET: "API secret (consumer secret)",
  BEARER_TOKEN: "bearer token",
} as const;

export type AppKey = keyof typeof APP_KEYS;

export const APP_KEY_NAMES = ["CONSUMER_KEY", "CONSUMER_SECRET", "BEARER_TOKEN"] as const;

/** A field of the developer portal, and what to enter there. */
interface PortalField {
  readonly name: string;
  /** A line each. */
  readonly enter: readonly string[];
}

/** What the developer portal asks for an app, with what to enter for this bot. */
function portalFields(name: string, webhookUrl: string | undefined): readonly PortalField[] {
  const site = webhookUrl === undefined ? "https://your.site" : new URL(webhookUrl).origin;
  return [
    {
      name: "Project",
      enter: [
        "any whose plan has webhooks; on others set  source: polling",
        "one that has no account activity:  source: activity",
      ],
    },
    { name: "App name", enter: [`${name}; shown as the source of what the bot posts`] },
    { name: "Website URL", enter: [`${site}; shown with it`] },
    {
      name: "App permissions",
      enter: ["Read, write and direct messages", "before anybody logs in: tokens keep theirs"],
    },
    { name: "Authentication", enter: ["OAuth 1.0a on, and sign-in with the app allowed"] },
    {
      name: "Callback URLs",
      enter: [CALLBACK_URL, "byte for byte: no slash at its end, and not localhost"],
    },
    {
      name: "Keys and tokens",
      enter: [
        ...APP_KEY_NAMES.map((key) => `${APP_KEYS[key].padEnd(29)}-> ${key}`),
        "shown once; in .env they are the bot's alone",
      ],
    },
  ];
}

/** The fields of the portal as people read them beside it, at most 80 columns wide. */
export function portalText(name: string, webhookUrl: string | undefined): string {
  return portalFields(name, webhookUrl)
    .map(({ name: field, enter }) =>
      enter.map((line, at) => `   ${(at === 0 ? field : "").padEnd(17)}${line}\n`).join(""),
    )
    .join("");
}
