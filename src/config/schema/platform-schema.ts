import * as z from "zod";
import { ACCESS_LEVELS } from "../../protocol/access.ts";
import { isPublicHost } from "../../system/public-host.ts";
import { listen, reporting, text, type ValueMistake } from "./shared-schemas.ts";

/** Texts that documentation and templates have in place of a key. */
const PLACEHOLDER =
  /^<.*>$|^\[.*\]$|^(?:your|insert|enter|replace)[-_ ]|^x{3,}$|^(?:change-?me|todo|\.\.\.|…|placeholder)$/i;

/** A key, secret or token of the developer portal. Problems don't show it, because it may come from the environment. */
export const credential = text.superRefine(reporting(credentialMistake));

function credentialMistake(value: string): ValueMistake | undefined {
  if (PLACEHOLDER.test(value.trim())) {
    return {
      message: "this is a placeholder, not a key",
      help: "write the value from the developer portal, or leave the key out",
    };
  }
  if (/^bearer\s/i.test(value.trim())) {
    return {
      message: 'the word "Bearer" is not a part of the token',
      help: "write the token without it",
    };
  }
  if (/^\s|\s$/.test(value)) {
    return {
      message: "this begins or ends with white space, as no key of the developer portal does",
      help: "remove the blanks and line ends around it",
    };
  }
  const foreign = /[^\x20-\x7e]|["'`]|[,;]$/u.exec(value)?.[0];
  if (foreign !== undefined) {
    return {
      message: `this has the character ${foreign}, which no key of the developer portal has`,
      help: "copy the key again, without the characters around it",
    };
  }
  return undefined;
}

const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'not an http or https URL: write the complete URL, as "https://api.example.com"',
});
const BASE = {
  error: "the address of an interface has no password, query or fragment",
  params: { help: "write only its beginning, as in: https://api.example.com" },
};

export const platform = z.strictObject({
  base_url: httpUrl
    .refine((url) => !/\/(1\.1|2)\/*$/.test(url), {
      message: "this address ends with a version of the interface, which each request has itself",
      params: { help: "leave the version out, as in: https://api.example.com" },
    })
    .refine(isBase, BASE)
    .optional()
    .describe("Address of the platform's data interface.")
    .meta({ examples: ["https://api.example.com"] }),
  ads_base_url: httpUrl
    .refine(isBase, BASE)
    .optional()
    .describe("Address of the platform's measurement interface.")
    .meta({ examples: ["https://ads.example.com"] }),
  dialect: z
    .enum(["post", "tweet"])
    .default("post")
    .describe("Terms of the platform's interface: post or tweet.")
    .meta({ examples: ["tweet"] }),
  longform: z
    .boolean()
    .default(false)
    .describe("The accounts may publish longform posts: a text over 280 is one post.")
    .meta({ examples: [true] }),
});

export const app = z.strictObject({
  consumer_key: credential
    .optional()
    .describe("API key of the developer app.")
    .meta({ examples: ["${{ env.CONSUMER_KEY }}"] }),
  consumer_secret: credential
    .optional()
    .describe("API secret: signs requests and webhook answers.")
    .meta({ examples: ["${{ env.CONSUMER_SECRET }}"] }),
  previous_consumer_secret: credential
    .optional()
    .describe(
      "API secret before the last rotation, for as long as deliveries may still be signed with it.",
    )
    .meta({ examples: ["${{ env.OLD_CONSUMER_SECRET }}"] }),
  bearer_token: credential
    .optional()
    .describe("App-only token: webhooks, subscriptions, search.")
    .meta({ examples: ["${{ env.BEARER_TOKEN }}"] }),
  permission_level: z
    .enum(ACCESS_LEVELS)
    .optional()
    .describe(
      "Permission level of the app, as in the developer portal: read only; read and write; or read, write and direct messages. With it, `check` reports triggers and steps that the level does not allow.",
    )
    .meta({ examples: ["read-write"] }),
});

export const webhook = z.strictObject({
  url: z
    .url({
      protocol: /^https$/,
      error: 'not a public https URL: write the complete URL, as "https://bot.example/webhook"',
    })
    .superRefine(reporting(webhookMistake))
    .optional()
    .describe("The public https address under which the platform reaches this machine.")
    .meta({ examples: ["https://bot.example/webhook"] }),
  listen: listen
    .default("127.0.0.1:8080")
    .describe("Address at which the webhook receiver listens.")
    .meta({ examples: ["127.0.0.1:8080"] }),
});

function isBase(url: string): boolean {
  const { username, password, search, hash } = URL.parse(url) ?? {};
  return [username, password, search, hash].every((part) => part === undefined || part === "");
}

/** Maximum length of a webhook's URL, in characters. Not documented; the sandbox has the same limit. */
const MAX_WEBHOOK_CHARACTERS = 200;

/** Returns why the platform would not register a webhook of this URL. */
function webhookMistake(value: string): ValueMistake | undefined {
  const url = URL.parse(value);
  if (url?.protocol !== "https:") return undefined;
  if (url.port !== "") {
    return {
      message: "the platform calls a webhook at port 443 only, so its URL has no port",
      help: "leave the port out; a proxy there forwards to webhook.listen",
    };
  }
  if (url.username !== "" || url.password !== "") {
    return {
      message: "the URL of a webhook has no user name and no password",
      help: "leave them out; the signature of each delivery shows that the platform sent it",
    };
  }
  if (value.includes("#")) {
    return {
      message: "the URL of a webhook has no fragment",
      help: "leave out the # and the text after it",
    };
  }
  if (!isPublicHost(url.hostname)) {
    return {
      message: `the platform calls the webhook from outside, and can't reach ${url.hostname}`,
      help: 'write the public name that leads to this machine, as in: "https://bot.example/webhook"',
    };
  }
  if (url.href.length <= MAX_WEBHOOK_CHARACTERS) return undefined;
  return {
    message: `the URL of a webhook has at most ${MAX_WEBHOOK_CHARACTERS} characters, and this has ${url.href.length}`,
    help: "write a shorter path",
  };
}
