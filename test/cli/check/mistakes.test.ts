import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { begin } from "../../support/command-line.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-mistakes-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs a command line in a project. @returns The stdout and stderr, without the project folder's path. */
async function printedBy({ files = {}, env = {}, args = ["check"] }: Made): Promise<string> {
  const all = { "config/answerback.yaml": "version: 1\n", ...files };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const { out, err } = await begin({ cwd: folder, env, input: "" }, args).ended;
  return `${out}${err}`.replaceAll(folder, "");
}

interface Made {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

interface SettingsMistake {
  /** Text of the settings file below the line `version: 1`. */
  readonly written: string;
  /** Line and column of the mistake. */
  readonly at: string;
  readonly message: string;
  /** Expected suggestion in the message. */
  readonly help: string;
}

interface EnvironmentMistake extends Pick<SettingsMistake, "message" | "help"> {
  readonly env: Readonly<Record<string, string>>;
}

interface ArgumentMistake extends Pick<SettingsMistake, "message" | "help"> {
  readonly args: readonly string[];
}

const SETTINGS: readonly SettingsMistake[] = [
  {
    written: "target: lvie",
    at: "2:9",
    message: 'error: "lvie" is not one of: sandbox, live',
    help: 'did you mean "live"?',
  },
  {
    written: "targte: live",
    at: "2:1",
    message: 'error: unknown key "targte"',
    help: 'did you mean "target"?',
  },
  {
    written: "source: webhok",
    at: "2:9",
    message: 'error: "webhok" is not one of: webhook, activity, both, polling',
    help: 'did you mean "webhook"?',
  },
  {
    written: "platform: { base_url: nowhere }",
    at: "2:23",
    message:
      'error: not an http or https URL: write the complete URL, as "https://api.example.com"',
    help: 'write the complete URL, as "https://api.example.com"',
  },
  {
    written: "platform: { dialect: tweets }",
    at: "2:22",
    message: 'error: "tweets" is not one of: post, tweet',
    help: 'did you mean "tweet"?',
  },
  {
    written: "webhook: { listen: 127.0.0.1:99999 }",
    at: "2:20",
    message: "error: not a port: ports go from 0 to 65535",
    help: "write a port that is free, as in: 127.0.0.1:8080",
  },
  {
    written: "webhook: { listen: 8080 }",
    at: "2:20",
    message: 'error: not a place to listen at: write host:port, as "127.0.0.1:8080"',
    help: 'write "127.0.0.1:8080"',
  },
  {
    written: "webhook: { listen: localhost }",
    at: "2:20",
    message: 'error: not a place to listen at: write host:port, as "127.0.0.1:8080"',
    help: 'write "localhost:8080"',
  },
  {
    written: "webhook: { url: http://bot.example/webhook }",
    at: "2:17",
    message:
      'error: not a public https URL: write the complete URL, as "https://bot.example/webhook"',
    help: 'write "https://bot.example/webhook"',
  },
  {
    written: "webhook: { url: https://bot.example:8443/webhook }",
    at: "2:17",
    message: "error: the platform calls a webhook at port 443 only, so its URL has no port",
    help: "leave the port out; a proxy there forwards to webhook.listen",
  },
  {
    written: "webhook: { url: https://localhost/webhook }",
    at: "2:17",
    message: "error: the platform calls the webhook from outside, and can't reach localhost",
    help: 'write the public name that leads to this machine, as in: "https://bot.example/webhook"',
  },
  {
    written: "webhook: { url: 'https://bot.example/webhook#live' }",
    at: "2:17",
    message: "error: the URL of a webhook has no fragment",
    help: "leave out the # and the text after it",
  },
  {
    written: "metrics: { listen: 127.0.0.1:70000 }",
    at: "2:20",
    message: "error: not a port: ports go from 0 to 65535",
    help: "write a port that is free, as in: 127.0.0.1:8080",
  },
  {
    written: "accounts: hello_bot",
    at: "2:11",
    message: 'error: this is "hello_bot", expected: a list',
    help: "write a list: [hello_bot]",
  },
  {
    written: 'accounts: [""]',
    at: "2:12",
    message: "error: this is empty",
    help: "write a text",
  },
  {
    written: "accounts: [https://x.com/shop_bot]",
    at: "2:12",
    message: 'error: not a handle: write letters, digits and underscores only, as "hello_bot"',
    help: "write shop_bot",
  },
  {
    written:
      "accounts: [hello_bot, shop_bot]\nlimits: { accounts: { shop_bt: { replies: none } } }",
    at: "3:23",
    message: "warning: no account of accounts: is called shop_bt",
    help: "did you mean shop_bot?",
  },
  {
    written:
      "accounts: [Hello_Bot]\nquiet_hours: { zone: UTC, accounts: { '@hello_bot': { times: ['22:00-07:00'] }, other: { times: ['22:00-07:00'] } } }",
    at: "3:81",
    message: "warning: no account of accounts: is called other",
    help: "write one of: Hello_Bot",
  },
  {
    written: "quiet_hours: { zone: Europe/Berlin }",
    at: "2:14",
    message: "warning: quiet_hours: has no times, so there are no quiet hours",
    help: 'add  times: ["22:00-07:00"]',
  },
  {
    written: "rules: rules/*.yaml",
    at: "2:8",
    message: 'error: this is "rules/*.yaml", expected: a list',
    help: 'write a list: ["rules/*.yaml"]',
  },
  {
    written: "rules: [../rulez/*.yaml]",
    at: "2:9",
    message: "warning: rules: no file matches /rulez/*.yaml",
    help: "globs start from the settings file's folder; write  rules: []  if there are none",
  },
  {
    written: "bots: [../bots/*.js]",
    at: "2:8",
    message: "warning: bots: no file matches /bots/*.js",
    help: "globs start from the settings file's folder; write  bots: []  if there are none",
  },
  {
    written: "limits: { replies: thirty }",
    at: "2:20",
    message: 'error: not a limit: write how many in which time, as "30 in 10m", or none',
    help: 'write how many in which time, as "30 in 10m", or none',
  },
  {
    written: "limits: { reply: 3 in 1m }",
    at: "2:11",
    message: 'error: unknown key "reply"',
    help: "known here: replies, loop, equal_replies, equal_posts, accounts",
  },
  {
    written: "limits: { equal_replies: 3 per 1m }",
    at: "2:26",
    message: 'error: not a limit: write how many in which time, as "30 in 10m", or none',
    help: "write 3 in 1m",
  },
  {
    written: "opt_out: { word: [stop] }",
    at: "2:12",
    message: 'error: unknown key "word"',
    help: 'did you mean "words"?',
  },
  {
    written: "opt_out: { words: [] }",
    at: "2:19",
    message: 'error: write one word at least: ["stop"]',
    help: "write one item or more",
  },
  {
    written: "opt_out: { words: stop }",
    at: "2:19",
    message: 'error: this is "stop", expected: a list',
    help: "write a list: [stop]",
  },
  {
    written: 'opt_out: { words: [stop], text: "Bye {{ sender.name }}" }',
    at: "2:33",
    message: 'error: "{{" would be sent unchanged: expressions are not supported here',
    help: "write what people are to read; only ${{ env.NAME }} is replaced in settings",
  },
  {
    written: 'opt_out: { words: [stop], text: "Bye ${sender.name}" }',
    at: "2:33",
    message: 'error: "${" would be sent unchanged: expressions are not supported here',
    help: "write what people are to read; only ${{ env.NAME }} is replaced in settings",
  },
  {
    written: 'opt_out: { words: [stop], back_text: "Hi ${{ sender.name }}" }',
    at: "2:42",
    message: "error: ${{ sender.name }} is not supported in settings",
    help: "write ${{ env.NAME }}: settings can read only the environment",
  },
  {
    written: `opt_out: { words: [stop], text: "${"x".repeat(300)}" }\nposts: { long: fail }`,
    at: "2:33",
    message:
      "warning: a person who writes this under a post gets no reply: as a post, the text has 300 weighted characters (limit 280)",
    help: "shorten it by 20",
  },
  {
    written: `opt_out: { words: [stop], text: "${"x".repeat(10_001)}" }`,
    at: "2:33",
    message: "error: the platform accepts messages of at most 10000 characters; this one has 10001",
    help: "shorten it",
  },
  {
    written: 'quiet_hours: { zone: Berlin, times: ["22:00-07:00"] }',
    at: "2:22",
    message: 'error: there is no time zone "Berlin"',
    help: 'did you mean "Europe/Berlin"?',
  },
  {
    written: 'quiet_hours: { zone: Europe/Berlin, times: ["22-7"] }',
    at: "2:45",
    message: "error: this is not a range of days and times",
    help: 'write "22:00-07:00"',
  },
  {
    written: "quiet_hours: { zone: Europe/Berlin, times: [] }",
    at: "2:44",
    message: 'error: write a time at least: ["22:00-07:00"]',
    help: "write one item or more, or leave the key out",
  },
  {
    written: 'quiet_hours: { times: ["22:00-07:00"] }',
    at: "2:14",
    message: 'error: "zone" is missing',
    help: "add  zone:",
  },
  {
    written: "http: { allow: [https://api.example/] }",
    at: "2:17",
    message: 'error: "https://api.example/" is not a host',
    help: 'write "api.example" or "127.0.0.1:9999"',
  },
  {
    written: 'http: { allow: ["127.0.0.1:99999"] }',
    at: "2:17",
    message: "error: not a port: ports go from 0 to 65535",
    help: 'write "api.example.com" or "127.0.0.1:9999"',
  },
  {
    written: "bot_limits: { memory_mb: 8 }",
    at: "2:26",
    message: "error: too little: a bot needs 32 megabytes",
    help: "write 32 or more",
  },
  {
    written: "bot_limits: { memory_mb: 256MB }",
    at: "2:26",
    message: 'error: this is "256MB", expected: a number',
    help: "write 256",
  },
  {
    written: "store: postgres://localhost",
    at: "2:8",
    message: "error: this URL names no database",
    help: 'write the complete URL: "postgres://user@host:5432/name"',
  },
  {
    written: "store: postgres://db.test/bot?sslmode=prefer",
    at: "2:8",
    message: 'error: sslmode "prefer" is not one of: disable, require, verify-ca, verify-full',
    help: "write sslmode=verify-full&sslrootcert=FILE, with the certificate of the CA that signed the server's",
  },
  {
    written: "data: ../machine",
    at: "2:7",
    message: "error: a file: store is in the folder of the data itself",
    help: 'remove data:, and name the folder in store: "file:../data"',
  },
  {
    written: "postgres: { statement_timeout: 30 }",
    at: "2:32",
    message: 'error: "30" is not a duration',
    help: 'write a number and its unit, as "30s" or "2m"',
  },
  {
    written: "store: ./data",
    at: "2:8",
    message: 'error: "./data" is not a store',
    help: 'write a folder: "file:./data"',
  },
  {
    written: "log: { files: 0 }",
    at: "2:15",
    message: "error: at least one file is kept",
    help: "write 1 or more",
  },
  {
    written: "log: { file_mb: big }",
    at: "2:17",
    message: 'error: this is "big", expected: a number',
    help: "write a number, as 1000",
  },
  {
    written: "console: { listen: 0.0.0.0:9000 }",
    at: "2:20",
    message: 'error: "0.0.0.0:9000" is not on this machine: the console is for this machine alone',
    help: 'write "127.0.0.1:8081", and reach it from elsewhere by: ssh -L 8081:127.0.0.1:8081 HOST',
  },
  {
    written: "app: { client_id: abc }",
    at: "2:8",
    message: 'error: "app.client_id" is not supported by this version',
    help: "remove it: bots act with OAuth 1.0a; a program of yours gives it to createOAuth2Login",
  },
  {
    written: 'app: { consumer_key: "${{ env.NOT_SET }}" }',
    at: "2:23",
    message: "error: the environment has no NOT_SET",
    help: "write  NOT_SET=…  into .env, or set it before the start: export NOT_SET=…",
  },
  {
    written: 'app: { consumer_key: "${{ secrets.KEY }}" }',
    at: "2:23",
    message: "error: ${{ secrets.KEY }} is not supported in settings",
    help: "write ${{ env.KEY }}: settings can read only the environment",
  },
  {
    written: "target: live",
    at: "2:9",
    message: 'error: target "live" needs platform.base_url, the live platform\'s address',
    help: "add it under platform:, or set ANSWERBACK_PLATFORM_BASE_URL",
  },
  {
    written:
      'target: live\nplatform: { base_url: "https://api.example.com" }\napp: { consumer_key: a, consumer_secret: b, bearer_token: c }',
    at: "2:9",
    message:
      'error: target "live" needs webhook.url, the public address under which the platform calls',
    help: "add it under webhook:, or set source: polling, which needs none",
  },
  {
    written:
      'target: live\nsource: activity\nplatform: { base_url: "https://api.example.com" }\napp: { consumer_key: a, consumer_secret: b, bearer_token: c }',
    at: "2:9",
    message:
      'error: target "live" needs webhook.url, the public address under which the platform calls',
    help: "add it under webhook:, or set source: polling, which needs none",
  },
];

const ENVIRONMENT: readonly EnvironmentMistake[] = [
  {
    env: { ANSWERBACK_TARGT: "live" },
    message: "error: no setting is called ANSWERBACK_TARGT",
    help: "did you mean ANSWERBACK_TARGET?",
  },
  {
    env: { ANSWERBACK_PORT: "8080" },
    message: "error: no setting is called ANSWERBACK_PORT",
    help: "unset it; a setting such as webhook.listen is ANSWERBACK_WEBHOOK_LISTEN",
  },
  {
    env: { ANSWERBACK_TARGET: "prod" },
    message: 'error: "prod" is not one of: sandbox, live',
    help: "write live",
  },
  {
    env: { ANSWERBACK_WEBHOOK_LISTEN: "127.0.0.1:65536" },
    message: "error: not a port: ports go from 0 to 65535",
    help: "write a port that is free, as in: 127.0.0.1:8080",
  },
  {
    env: { ANSWERBACK_WEBHOOK_URL: "https://bot.example:444/" },
    message: "error: the platform calls a webhook at port 443 only, so its URL has no port",
    help: "leave the port out; a proxy there forwards to webhook.listen",
  },
  {
    env: { ANSWERBACK_RULES: "rulez/*.yaml" },
    message: "warning: rules: no file matches /rulez/*.yaml",
    help: "globs start from the current folder; write  rules: []  if there are none",
  },
  {
    env: { ANSWERBACK_LOG_FILES: "many" },
    message: 'error: this is "many", expected: a number',
    help: "write a number, as 1000",
  },
  {
    env: { ANSWERBACK_STORE: "data" },
    message: 'error: "data" is not a store',
    help: 'write a folder: "file:../data"',
  },
  {
    env: { ANSWERBACK_OPT_OUT_TEXT: "Bye {{ name }}" },
    message: 'error: "words" is missing',
    help: "set ANSWERBACK_OPT_OUT_WORDS too, or add words: under opt_out: in the settings",
  },
  {
    env: { ANSWERBACK_CONSOLE_LISTEN: "0.0.0.0:1" },
    message: 'error: "0.0.0.0:1" is not on this machine: the console is for this machine alone',
    help: 'write "127.0.0.1:8081", and reach it from elsewhere by: ssh -L 8081:127.0.0.1:8081 HOST',
  },
];

const ARGUMENTS: readonly ArgumentMistake[] = [
  {
    args: ["check", "--config", "config/nothing.yaml"],
    message: "can't read the settings file /config/nothing.yaml: no such file",
    help: "name another with --config, or leave it out to use config/answerback.yaml",
  },
  {
    args: ["check", "rules/nothing.yaml"],
    message: "can't read rules/nothing.yaml",
    help: "check its name and permissions: ENOENT: no such file or directory, open '/rules/nothing.yaml'",
  },
  {
    args: ["check", "--fix", "-"],
    message: "stdin can't be fixed",
    help: "name the files to fix",
  },
  {
    args: ["run", "--log-level", "loud"],
    message:
      "option '--log-level <level>' argument 'loud' is invalid. Allowed choices are debug, info, warn, error, silent.",
    help: "examples are in: answerback run --help",
  },
  {
    args: ["dev", "--port", "70000"],
    message:
      "option '-p, --port <port>' argument '70000' is invalid. It must be a port number from 0 to 65535.",
    help: "examples are in: answerback dev --help",
  },
  {
    args: ["send", "@ana"],
    message: "the text is empty",
    help: 'write: answerback send @ana "what are your hours?"',
  },
  {
    args: ["send", "What are your hours?"],
    message: '"What are your hours?" is not the handle of a person',
    help: "write the person first: answerback send @ana 'What are your hours?'",
  },
  {
    args: ["send", "@ana", "hi", "--wait", "soon"],
    message:
      "option '--wait <seconds>' argument 'soon' is invalid. It must be a number of seconds above 0.",
    help: "examples are in: answerback send --help",
  },
  {
    args: ["clock", "1h"],
    message: '"1h" is not a change of the clock',
    help: "write +1h or -1h (units: ms, s, m, h, d), pause, resume, or to and a time",
  },
  {
    args: ["clock", "to"],
    message: '"to" needs a time',
    help: "write it as in: answerback clock to 2030-01-31T09:00:00Z",
  },
  {
    args: ["outbox", "show", "one"],
    message:
      "command-argument value 'one' is invalid for argument 'id'. It must be a whole number, 1 or more.",
    help: "examples are in: answerback outbox show --help",
  },
  {
    args: ["outbox", "--status", "filed"],
    message:
      "option '--status <status>' argument 'filed' is invalid. Allowed choices are pending, sending, sent, failed, dropped, expired, unknown, held.",
    help: "Did you mean failed?",
  },
  {
    args: ["journal", "--limit", "0"],
    message:
      "option '--limit <number>' argument '0' is invalid. It must be a whole number from 1 to 1000.",
    help: "examples are in: answerback journal --help",
  },
  {
    args: ["replay", "--from", "yesterday"],
    message:
      "option '--from <time>' argument 'yesterday' is invalid. Write ISO 8601, yyyymmddhhmm, or a relative time such as -2h or -15m.",
    help: "examples are in: answerback replay --help",
  },
  {
    args: ["init", "new", "--template", "fqa"],
    message:
      "option '-t, --template <name>' argument 'fqa' is invalid. Allowed choices are echo, faq, conversation, typescript.",
    help: "Did you mean faq?",
  },
  { args: ["jurnal"], message: "unknown command 'jurnal'", help: "Did you mean journal?" },
  { args: ["status", "--jsno"], message: "unknown option '--jsno'", help: "Did you mean --json?" },
  {
    args: ["fault", "add", "drop", "--probability", "2"],
    message:
      "option '--probability <fraction>' argument '2' is invalid. It must be a number from 0 to 1.",
    help: "examples are in: answerback fault add --help",
  },
  {
    args: ["snapshot", "save"],
    message: "missing required argument 'name'",
    help: "examples are in: answerback snapshot save --help",
  },
  {
    args: ["backtest", "--rules", "nothing"],
    message: "there are no rules in /nothing",
    help: "name the folder that holds the edited rule files, as in: --rules edited",
  },
];

test.each(SETTINGS)("settings: $written", async ({ written, at, message: what, help }) => {
  const said = await printedBy({ files: { "config/answerback.yaml": `version: 1\n${written}\n` } });

  expect(said).toContain(`config/answerback.yaml:${at}: ${what}`);
  expect(said).toContain(`= help: ${help}`);
});

test.each(ENVIRONMENT)("environment: $env", async ({ env, message: what, help }) => {
  const said = await printedBy({ env });
  const [name = ""] = Object.keys(env);

  expect(said).toMatch(new RegExp(`^${name}:1:1: `));
  expect(said.replace(`${name}: `, "")).toContain(what);
  expect(said).toContain(`= help: ${help}`);
});

test.each(ARGUMENTS)("arguments: $args", async ({ args, message: what, help }) => {
  const said = await printedBy({ args });

  expect(said).toContain(`error: ${what}\n`);
  expect(said).toContain(help);
});

test("environment: a misspelled variable that is the beginning of a word in the settings", async () => {
  const settings = "# as ANSWERBACK_TARGET\nversion: 1\n";
  const said = await printedBy({
    files: { "config/answerback.yaml": settings },
    env: { ANSWERBACK_TARGE: "live" },
  });

  expect(said).toContain("error: no setting is called ANSWERBACK_TARGE ");
  expect(said).toContain("= help: did you mean ANSWERBACK_TARGET?");
});

test.each([
  { glob: "../rules/*.yaml", file: "rules/prices.yml", ending: "yaml" },
  { glob: "../rules/*.yml", file: "rules/prices.yaml", ending: "yml" },
])("a rule file with the other ending of YAML files: $file", async ({ glob, file, ending }) => {
  const rule = (id: string) =>
    `version: 1\nrules: [{ id: ${id}, triggers: [dm.received], actions: [{ reply_dm: hi }] }]\n`;
  const files = { [`rules/hours.${ending}`]: rule("hours"), [file]: rule("prices") };
  const check = (rules: string) =>
    printedBy({ files: { ...files, "config/answerback.yaml": `version: 1\nrules: ${rules}\n` } });

  const printed = await check(`[${glob}]`);
  expect(printed).toContain(
    `config/answerback.yaml:2:9: warning: rules: ${file.slice(6)} is not loaded, because its name does not end with .${ending}`,
  );
  expect(printed).toContain("= help: rename it, or write the end of the glob as  *.{yaml,yml}");
  expect(await check('["../rules/*.{yaml,yml}"]')).not.toContain("not loaded");
  expect(await check("[../rules/*.yaml, ../rules/*.yml]")).not.toContain("not loaded");
});

test("a test with the other ending, and a file with an ending of its own, are no mistakes", async () => {
  const files = {
    "config/answerback.yaml": "version: 1\nrules: [../rules/*.yaml]\n",
    "rules/hours.yaml": "version: 1\nrules: []\n",
    "rules/hours.test.yml": "version: 1\nrule_files: [hours.yaml]\ntests: []\n",
    "rules/prices.yml.off": "version: 1\nrules: []\n",
  };

  expect(await printedBy({ files })).toContain("no problems");
});

const RULES =
  "version: 1\nrules: [{ id: one, triggers: [dm.received], actions: [{ reply_dm: hi }] }]\n";
const BOT = `export default { name: "dice" };\n`;

describe.each([
  { written: "rules: []", file: "rules/faq.yaml", text: RULES, glob: "../rules/*.yaml" },
  { written: "rules: []", file: "rules/faq.yml", text: RULES, glob: "../rules/*.yml" },
  { written: "rules: []", file: "config/rules/faq.yaml", text: RULES, glob: "rules/*.yaml" },
  { written: "target: sandbox", file: "rules/faq.yaml", text: RULES, glob: "../rules/*.yaml" },
  {
    written: "rules: [../old/*.yaml]",
    file: "rules/faq.yaml",
    text: RULES,
    glob: "../rules/*.yaml",
  },
  { written: "bots: []", file: "bots/dice.ts", text: BOT, glob: "../bots/*.ts" },
])("$file with the settings $written", ({ written, file, text, glob }) => {
  const files = { "config/answerback.yaml": `version: 1\n${written}\n`, [file]: text };
  const setting = file.includes("rules") ? "rules" : "bots";
  const warning = `warning: ${setting}: ${file} is not loaded, because no glob leads into its folder`;

  test.each(["check", "run"])("is reported by %s", async (command) => {
    const printed = await printedBy({ files, args: [command] });

    expect(printed).toContain(warning);
    expect(printed).toContain(
      `add ${command === "run" ? String.raw`\"${glob}\"` : `"${glob}"`} to ${setting}:`,
    );
  });
});

test("a file that a variable leaves out is reported with a glob from the current folder", async () => {
  const files = { "rules/faq.yaml": RULES };
  const printed = await printedBy({ files, env: { ANSWERBACK_RULES: "other/*.yaml" } });

  expect(printed).toContain(
    "ANSWERBACK_RULES:1:1: warning: rules: rules/faq.yaml is not loaded, because no glob leads into its folder",
  );
  expect(printed).toContain('= help: add "rules/*.yaml" to ANSWERBACK_RULES');
});

test.each([
  { why: "a glob leads to others in its folder", written: "rules: [../rules/a*.yaml]" },
  { why: "a comment ignores it", written: "rules: [] # check: ignore file-not-loaded" },
  { why: "it is no rule file", written: "rules: []", text: "colors: [red]\n" },
  {
    why: "it is no bot module",
    written: "bots: []",
    file: "bots/text.ts",
    text: "export const a = 1;\n",
  },
  {
    why: "`config` is not the settings' folder",
    written: "rules: []",
    folder: "bot",
    file: "rules/b.yaml",
  },
])("a file that is not loaded is no mistake: $why", async (row) => {
  const { written, text = RULES, file = "rules/b.yaml", folder = "config" } = row;
  const files = {
    [`${folder}/answerback.yaml`]: `version: 1\n${written}\n`,
    ...(written.includes("a*") && { "rules/a.yaml": "version: 1\nrules: []\n" }),
    [file]: text,
  };
  const args = ["check", "--config", `${folder}/answerback.yaml`];

  expect(await printedBy({ files, args })).toContain("no problems");
});

test.each([
  { others: {}, warns: false },
  { others: { "rules/notes.txt": "mine" }, warns: true },
])("a glob of init matches nothing beside $others", async ({ others, warns }) => {
  const written = "version: 1\nrules: [../rules/*.yaml]\nbots: [../bots/*.ts]\n";
  const printed = await printedBy({ files: { "config/answerback.yaml": written, ...others } });

  expect(printed.includes("warning: rules: no file matches")).toBe(warns);
  expect(printed).not.toContain("warning: bots:");
});

test("there are more than sixty of them, and none is silent", () => {
  expect(SETTINGS.length + ENVIRONMENT.length + ARGUMENTS.length).toBeGreaterThan(60);
});
