/** Port of the callback URL of `login`. It is constant because the app's allowlist needs a constant URL. */
export const CALLBACK_PORT = 8765;

/** Default callback URL, to which the platform redirects the account owner's browser. */
export const CALLBACK_URL = `http://127.0.0.1:${CALLBACK_PORT}/callback`;

/** Names of the app's keys in `.env`, each with its name in the developer portal. */
export const APP_KEYS = {
  CONSUMER_KEY: "API key (consumer key)",
  CONSUMER_SECRET: "API secret (consumer secret)",
  BEARER_TOKEN: "bearer token",
} as const;

export type AppKey = keyof typeof APP_KEYS;

export const APP_KEY_NAMES = ["CONSUMER_KEY", "CONSUMER_SECRET", "BEARER_TOKEN"] as const;

/** A field of the developer portal, and the value that the operator enters. */
interface PortalField {
  readonly name: string;
  /** Value to enter, as lines. */
  readonly enter: readonly string[];
}

/** Fields of the developer portal with the values for this bot. */
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

/** Text of the developer portal's fields and their values, at most 80 columns wide. */
export function portalText(name: string, webhookUrl: string | undefined): string {
  return portalFields(name, webhookUrl)
    .map(({ name: field, enter }) =>
      enter.map((line, at) => `   ${(at === 0 ? field : "").padEnd(17)}${line}\n`).join(""),
    )
    .join("");
}
