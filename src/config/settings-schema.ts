import * as z from "zod";
import { zoneFormat } from "../hours/local-time.ts";
import { readOpen } from "../hours/read-hours.ts";
import { ANSWER_LIMIT } from "./answer-limit.ts";
import { noZone, notOpen } from "./hours/hours-mistakes.ts";
import type { Mistake } from "./problem.ts";
import { DEFAULT_DATA } from "./file-names.ts";
import { ACCESS_LEVELS } from "../protocol/access.ts";
import { LONG_POSTS, THIRD_PARTIES } from "../protocol/public-text/posting.ts";
import { privateNetworkOf } from "../system/global-unicast.ts";
import { postgresSettings, storeUrl } from "./store-schema.ts";

const text = z.string().min(1, "this is empty");

/** Texts that documentation and templates have in place of a key. */
const PLACEHOLDER =
  /^<.*>$|^\[.*\]$|^(?:your|insert|enter|replace)[-_ ]|^x{3,}$|^(?:change-?me|todo|\.\.\.|…|placeholder)$/i;

/** A key, secret or token of the developer portal. Problems don't show it, because it may come from the environment. */
const credential = text.superRefine((value, context) => {
  const mistake = credentialMistake(value);
  if (mistake === undefined) return;
  const { message, help } = mistake;
  context.addIssue({ code: "custom", message, params: { code: "invalid-value", help } });
});

function credentialMistake(value: string): Pick<Mistake, "message" | "help"> | undefined {
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

const handle = text.regex(
  /^@?\w+$/,
  'not a handle: write letters, digits and underscores only, as "hello_bot"',
);
const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'not an http or https URL: write the complete URL, as "https://api.example.com"',
});
const BASE = {
  error: "the address of an interface has no password, query or fragment",
  params: { help: "write only its beginning, as in: https://api.example.com" },
};
const NO_PORT = "not a port: ports go from 0 to 65535";
const PORTS = {
  error: NO_PORT,
  params: { help: "write a port that is free, as in: 127.0.0.1:8080" },
};
const listen = z
  .string()
  .regex(
    /^(?:\[[0-9a-fA-F:.]+\]|[^\s:]+):\d{1,5}$/,
    'not a place to listen at: write host:port, as "127.0.0.1:8080"',
  )
  .refine(hasPort, PORTS);

const platform = z.strictObject({
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

/** Settings for public posts that are too long, or that would mention or link to third parties. */
const posts = z.strictObject({
  long: z
    .enum(LONG_POSTS)
    .default("thread")
    .describe(
      "A public text over 280 weighted characters. thread: posts that answer each other. cut: one post with its beginning. fail: it is not published.",
    )
    .meta({ examples: ["cut"] }),
  third_parties: z
    .enum(THIRD_PARTIES)
    .default("inert")
    .describe(
      "Mentions and links in other people's names and words that a public text contains. inert: they are readable, but have no effect. hold: the post is held until the operator releases it. allow: they are published.",
    )
    .meta({ examples: ["hold"] }),
});

const app = z.strictObject({
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

const webhook = z.strictObject({
  url: z
    .url({
      protocol: /^https$/,
      error: 'not a public https URL: write the complete URL, as "https://bot.example/webhook"',
    })
    .refine(isWithoutPort, {
      message: "the platform calls a webhook at port 443 only, so its URL has no port",
      params: { help: "leave the port out; a proxy there forwards to webhook.listen" },
    })
    .optional()
    .describe("The public https address under which the platform reaches this machine.")
    .meta({ examples: ["https://bot.example/webhook"] }),
  listen: listen
    .default("127.0.0.1:8080")
    .describe("Address at which the webhook receiver listens.")
    .meta({ examples: ["127.0.0.1:8080"] }),
});

const metrics = z.strictObject({
  listen: listen
    .optional()
    .describe(
      "Address at which Prometheus reads /metrics. Not served unless set. Keep it unreachable for strangers.",
    )
    .meta({ examples: ["127.0.0.1:9464"] }),
});

const consoleSettings = z.strictObject({
  listen: listen
    .superRefine((place, context) => {
      if (/^(127\.0\.0\.1|localhost):/.test(place)) return;
      context.addIssue({
        code: "custom",
        message: `${JSON.stringify(place)} is not on this machine: the console is for this machine alone`,
        params: {
          code: "invalid-value",
          help: 'write "127.0.0.1:8081", and reach it from elsewhere by: ssh -L 8081:127.0.0.1:8081 HOST',
        },
      });
    })
    .optional()
    .describe(
      "Address of the console, on this machine. `dev` uses port 8081 or another free port; `run` serves no console unless this is set.",
    )
    .meta({ examples: ["127.0.0.1:8081"] }),
  admin_token: text
    .min(16, "too short to keep others out: at least 16 characters")
    .optional()
    .describe(
      "Token that allows changes in the console while the target is live; without the token the console is read-only. A new token signs all browsers out.",
    )
    .meta({ examples: ["${{ env.CONSOLE_ADMIN_TOKEN }}"] }),
});

const botLimits = z.strictObject({
  memory_mb: z
    .number("not a number of megabytes")
    .int("not a whole number of megabytes")
    .min(32, "too little: a bot needs 32 megabytes")
    .default(256)
    .describe("Megabytes that the objects and buffers of one bot may take.")
    .meta({ examples: [512] }),
});

const log = z.strictObject({
  file_mb: z
    .number()
    .min(0.01, "a log file holds at least 0.01 MB")
    .default(10)
    .describe("Size in MB from which a log file is put aside as FILE.1, FILE.2 …")
    .meta({ examples: [50] }),
  files: z
    .int()
    .min(1, "at least one file is kept")
    .max(100, "at most 100 files are kept")
    .default(5)
    .describe("Number of log files to keep, including the current file.")
    .meta({ examples: [10] }),
});

const limit = z
  .string()
  .regex(ANSWER_LIMIT, 'not a limit: write how many in which time, as "30 in 10m", or none');

/** Limits of one account that differ from the general limits. */
export const limitsOfAccount = z.strictObject({
  replies: limit.optional().describe("Answers to one person."),
  loop: limit.optional().describe("Answers to another account of this bot."),
  equal_replies: limit.optional().describe("Equal answers to one person."),
  equal_posts: limit.optional().describe("Equal posts, to any person."),
});

/** Limits that hold back answers to stop runaway loops. */
export const limits = z.strictObject({
  replies: limit
    .default("30 in 10m")
    .describe("Answers to one person. Further answers are held until the operator releases them.")
    .meta({ examples: ["60 in 10m"] }),
  loop: limit
    .default("10 in 10m")
    .describe("Answers to another account of this bot, so that two bots don't talk endlessly.")
    .meta({ examples: ["none"] }),
  equal_replies: limit
    .default("3 in 1m")
    .describe("Answers with the same text to one person who repeats their text, too.")
    .meta({ examples: ["3 in 5m"] }),
  equal_posts: limit
    .default("2 in 1h")
    .describe("Posts of an account with the same text, to any person.")
    .meta({ examples: ["1 in 24h"] }),
  accounts: z
    .record(text, limitsOfAccount)
    .default({})
    .describe("Limits of single accounts, by handle.")
    .meta({ examples: [{ shop_bot: { replies: "300 in 10m" } }] }),
});

/** The platform's limit for a message, in characters. */
const LONGEST_MESSAGE = 10_000;

/** A text without expressions, sent unchanged. */
const sentText = text.superRefine((value, context) => {
  const expression = /\$?\{\{|\$\{/.exec(value)?.[0];
  if (expression !== undefined) {
    context.addIssue({
      code: "custom",
      message: `"${expression}" would be sent unchanged: expressions are not supported here`,
      params: {
        code: "expression-as-text",
        help: "write what people are to read; only ${{ env.NAME }} is replaced in settings",
      },
    });
  }
  const { length } = Array.from(value);
  if (length > LONGEST_MESSAGE) {
    context.addIssue({
      code: "custom",
      message: `the platform accepts messages of at most ${LONGEST_MESSAGE} characters; this one has ${length}`,
      params: { code: "invalid-value", help: "shorten it" },
    });
  }
});

const words = z.array(text).min(1, 'write one word at least: ["stop"]');

/** Words with which people opt out of the bot's answers. */
export const optOut = z.strictObject({
  words: words
    .describe(
      "Words that opt a person out if a message has no other text: no rule or bot runs for that person, and nothing is sent.",
    )
    .meta({ examples: [["stop", "unsubscribe"]] }),
  text: sentText
    .optional()
    .describe("Confirmation that is sent once, after the person opted out. None unless set.")
    .meta({ examples: ["You won't hear from us again. Write START to come back."] }),
  back: words
    .default(["start"])
    .describe("Words with which a person opts in again.")
    .meta({ examples: [["start"]] }),
  back_text: sentText
    .optional()
    .describe("Confirmation that is sent after the person opted in again. None unless set.")
    .meta({ examples: ["Welcome back."] }),
});

const zone = text.superRefine((value, context) => {
  if (zoneFormat(value) === undefined) context.addIssue(issueOf(noZone(value)));
});
const stretch = text.superRefine((value, context) => {
  if (readOpen(value) === undefined) context.addIssue(issueOf(notOpen(value)));
});
const times = z
  .array(stretch)
  .min(1, 'write a time at least: ["22:00-07:00"]')
  .describe('Days and times: "22:00-07:00", "sat,sun 00:00-24:00".');

/** Hours in which the bot of one account starts no conversation. */
export const quietHoursOfAccount = z.strictObject({
  zone: zone
    .describe("Time zone by its IANA name: Europe/Berlin.")
    .meta({ examples: ["Europe/Berlin"] }),
  times,
});
/** Hours in which the bot starts no conversation. */
const quietHours = z.strictObject({
  zone: quietHoursOfAccount.shape.zone,
  times: times.optional().meta({ examples: [["22:00-07:00", "sun 00:00-24:00"]] }),
  accounts: z
    .record(text, z.strictObject({ zone: zone.optional(), times }))
    .default({})
    .describe("Quiet hours of single accounts, by handle.")
    .meta({ examples: [{ shop_bot: { zone: "America/New_York", times: ["23:00-08:00"] } }] }),
});

function issueOf({ code, message, help }: Mistake) {
  return { code: "custom", message, params: { code, help } } as const;
}

/** Host of a URL with its port. Names of containers and Windows machines may have underscores. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?)(:\d{1,5})?$/i;

/** Network with its port, such as `10.0.0.0/8:8080` or `[fd00::/8]:8080`. */
const NETWORK = /^(\d[\d.]*\/\d{1,2}|\[[0-9a-f:]+\/\d{1,3}\])(:\d{1,5})?$/i;
const PRIVATE_NETWORKS =
  "write a part of 10.0.0.0/8, 100.64.0.0/10, 172.16.0.0/12, 192.168.0.0/16 or [fc00::/7]";

const allowedHost = z
  .string()
  .superRefine((value, context) => {
    const network = NETWORK.exec(value)?.[1]?.replaceAll(/[[\]]/g, "");
    const isPrivate = network !== undefined && privateNetworkOf(network) !== undefined;
    if ((HOST.test(value) || isPrivate) && hasPort(value)) return;
    if (network !== undefined && !isPrivate) {
      const message = `${JSON.stringify(network)} is not a private network`;
      context.addIssue({ code: "custom", message, params: { help: PRIVATE_NETWORKS } });
      return;
    }
    const parsed = URL.parse(/^https?:/i.test(value) ? value : `http://${value}`)?.host ?? "";
    const name = parsed.replace(/\.(?=:|$)/, "");
    const host = HOST.test(name) ? name : "api.example.com";
    context.addIssue({
      code: "custom",
      message: HOST.test(value) || isPrivate ? NO_PORT : `${JSON.stringify(value)} is not a host`,
      params: {
        help: value.includes("*")
          ? 'write each host with its whole name, as "api.example.com"'
          : `write ${JSON.stringify(host)} or "127.0.0.1:9999"`,
      },
    });
  })
  .meta({ pattern: `${HOST.source}|${NETWORK.source}` });

/** Hosts that steps of rules may call. */
const http = z.strictObject({
  allow: z
    .array(allowedHost)
    .default([])
    .describe(
      "Hosts that the step http may request. If a name resolves to an address of this machine or of a private network, also list that address with its port, or the private network: 10.96.0.0/12:8080.",
    )
    .meta({ examples: [["orders.example.test", "127.0.0.1:9999"]] }),
});

/** The shape of `config/answerback.yaml`. Everything but `version` may be left out. */
export const settingsFile = z
  .strictObject({
    version: z
      .literal(1)
      .describe("Version of the language of this file.")
      .meta({ examples: [1] }),
    target: z
      .enum(["sandbox", "live"])
      .default("sandbox")
      .describe("sandbox: the platform on this machine. live: the real one.")
      .meta({ examples: ["sandbox"] }),
    source: z
      .enum(["webhook", "activity", "both", "polling"])
      .default("webhook")
      .describe(
        "Source of events. webhook: webhooks of account activity. activity: webhooks of its successor, the activity interface. both: both of them; each event counts once. polling: the bot reads messages and mentions, for plans without webhooks.",
      )
      .meta({ examples: ["both"] }),
    search: z
      .enum(["auto", "stream", "recent"])
      .default("auto")
      .describe(
        "Source of the posts for post.found. stream: the filtered stream, and recent search for posts that the stream misses. recent: recent search alone. auto: like stream if the app has the stream and no other program uses it, else like recent.",
      )
      .meta({ examples: ["recent"] }),
    platform: platform.prefault({}),
    app: app.prefault({}),
    webhook: webhook.prefault({}),
    metrics: metrics.prefault({}),
    console: consoleSettings.prefault({}),
    accounts: z
      .array(handle)
      .default([])
      .describe("Handles of the bot accounts, without @.")
      .meta({ examples: [["hello_bot", "shop_bot"]] }),
    rules: z
      .array(text)
      .default(["rules/*.yaml"])
      .describe("Rule files, as globs.")
      .meta({ examples: [["../rules/*.yaml"]] }),
    bots: z
      .array(text)
      .default(["../bots/*.ts"])
      .describe("TypeScript bot modules, as globs.")
      .meta({ examples: [["../bots/*.ts"]] }),
    limits: limits.prefault({}),
    posts: posts.prefault({}),
    opt_out: optOut.optional(),
    quiet_hours: quietHours.optional(),
    http: http.prefault({}),
    secrets: z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "not the name of a variable"))
      .optional()
      .describe(
        "Environment variables that rules may read as secrets.NAME. Unless set, rules may read all variables except those that the settings use.",
      )
      .meta({ examples: [["ORDERS_TOKEN"]] }),
    bot_limits: botLimits.prefault({}).describe("Limits of one bot."),
    store: storeUrl
      .default(`file:${DEFAULT_DATA}`)
      .describe(
        "Store of the bot. file: and a folder, for one process; postgres://user@host:5432/name, for several processes that share a store.",
      )
      .meta({ examples: ["file:../data", "${{ env.DATABASE_URL }}"] }),
    data: text
      .optional()
      .describe(
        "With a PostgreSQL store: the folder for this machine's own data; ../data by default. A file: store keeps everything in its own folder.",
      )
      .meta({ examples: ["/var/lib/answerback"] }),
    postgres: postgresSettings.prefault({}),
    role: z
      .enum(["all", "receiver", "worker"])
      .default("all")
      .describe(
        "Work of this process if several share a store. receiver: accepts deliveries. worker: decides and sends. all: both, and the only role for a store in a folder.",
      )
      .meta({ examples: ["worker"] }),
    process_name: text
      .max(60, "too long: at most 60 characters")
      .regex(/^[\w.-]+$/, "a name of a process has letters, digits, dots, hyphens and underscores")
      .optional()
      .describe(
        "Prefix of this process's name in status, metrics and the log. By default, its host name and process id.",
      )
      .meta({ examples: ["eu-1"] }),
    log: log.prefault({}),
  })
  .meta({ title: "Answerback settings" });

/** A settings file, checked, with its defaults. */
export type SettingsFile = z.output<typeof settingsFile>;

/** Whether the port of `host:port`, if it has one, is at most 65535. */
function isBase(url: string): boolean {
  const { username, password, search, hash } = URL.parse(url) ?? {};
  return [username, password, search, hash].every((part) => part === undefined || part === "");
}

function hasPort(value: string): boolean {
  const port = /:(\d+)$/.exec(value)?.[1];
  return port === undefined || Number(port) <= 65_535;
}

function isWithoutPort(value: string): boolean {
  return !URL.canParse(value) || new URL(value).port === "";
}
