import * as z from "zod";
import { LONG_POSTS, THIRD_PARTIES } from "../../protocol/public-text/posting.ts";
import { DEFAULT_DATA } from "../file-names.ts";
import { http } from "./http-schema.ts";
import { app, platform, webhook } from "./platform-schema.ts";
import { limits, optOut, quietHours } from "./restraint-schema.ts";
import { HANDLE, HANDLE_FORM, listen, reporting, text } from "./shared-schemas.ts";
import { folderPath, postgresSettings, storeUrl } from "./store-schema.ts";

const handle = text.regex(HANDLE, `not a handle: write ${HANDLE_FORM}`);

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
    .superRefine(
      reporting((place) =>
        /^(127\.0\.0\.1|localhost):/.test(place)
          ? undefined
          : {
              message: `${JSON.stringify(place)} is not on this machine: the console is for this machine alone`,
              help: 'write "127.0.0.1:8081", and reach it from elsewhere by: ssh -L 8081:127.0.0.1:8081 HOST',
            },
      ),
    )
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

/** Globs of the settings `rules` and `bots` that a settings file leaves out. They start from the file's folder. */
export const DEFAULT_GLOBS = ["rules/*.{yaml,yml}", "../bots/*.ts"] as const;

/** Globs that `init` writes into a settings file. Like the default globs, they may match nothing. */
export const INIT_GLOBS = { rules: "../rules/*.yaml", bots: "../bots/*.ts" } as const;

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
      .default([DEFAULT_GLOBS[0]])
      .describe("Rule files, as globs.")
      .meta({ examples: [["../rules/*.yaml"]] }),
    bots: z
      .array(text)
      .default([DEFAULT_GLOBS[1]])
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
    data: folderPath
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
