import { describe, expect, it, test } from "vitest";
import { SETTING_NAMES } from "../../src/config/override-settings.ts";
import { readSettings } from "../../src/config/read-settings.ts";

const problemsOf = (text: string) =>
  readSettings({ file: "a.yaml", text: `version: 1\n${text}\n`, environment: {}, overrides: [] })
    .problems;
const messagesOf = (text: string) => problemsOf(text).map(({ message }) => message);

const optOut = (length: number) => `opt_out: {words: [stop], text: '${"é".repeat(length)}'}`;
const quiet = (times: string) => `quiet_hours: {zone: Europe/Berlin, times: ['${times}']}`;

describe("a setting", () => {
  test.each([
    { why: "the least memory", text: "bot_limits: {memory_mb: 32}" },
    { why: "the smallest log file", text: "log: {file_mb: 0.01}" },
    { why: "one log file", text: "log: {files: 1}" },
    { why: "the most log files", text: "log: {files: 100}" },
    { why: "the smallest pool", text: "postgres: {pool: 2}" },
    { why: "the largest pool", text: "postgres: {pool: 1000}" },
    { why: "the shortest timeout", text: "postgres: {statement_timeout: 1ms}" },
    { why: "a name of 60 characters", text: `process_name: ${"p".repeat(60)}` },
    { why: "a name with dots and hyphens", text: "process_name: eu-1.bot_2" },
    { why: "a token of 16 characters", text: `console: {admin_token: '${"x".repeat(16)}'}` },
    { why: "a console on this machine", text: "console: {listen: '127.0.0.1:8081'}" },
    { why: "a search by the stream", text: "search: stream" },
    { why: "a console on localhost", text: "console: {listen: 'localhost:8081'}" },
    { why: "any free port", text: "webhook: {listen: '0.0.0.0:0'}" },
    { why: "an IPv6 address", text: "webhook: {listen: '[::]:8080'}" },
    { why: "the highest port", text: "webhook: {listen: '0.0.0.0:65535'}" },
    { why: "a webhook without a port", text: "webhook: {url: 'https://bot.example/hook'}" },
    { why: "a webhook at its own port", text: "webhook: {url: 'https://bot.example:443/hook'}" },
    { why: "a webhook at a public address", text: "webhook: {url: 'https://93.184.216.34/hook'}" },
    {
      why: "the longest webhook",
      text: `webhook: {url: '${"https://b.example/".padEnd(200, "x")}'}`,
    },
    { why: "a platform below a path", text: "platform: {base_url: 'http://127.0.0.1:8090/v2'}" },
    { why: "a platform by http", text: "platform: {base_url: 'http://127.0.0.1:8090'}" },
    { why: "one answer", text: "limits: {replies: 1 in 1ms}" },
    { why: "the most answers", text: "limits: {replies: 999999999 in 365d}" },
    { why: "a time with a zero before it", text: "limits: {replies: 1 in 05m}" },
    { why: "no limit", text: "limits: {equal_posts: none}" },
    { why: "the longest text", text: optOut(10_000) },
    { why: "all of the day", text: quiet("00:00-24:00") },
    { why: "over midnight", text: quiet("mon-fri 22:00-07:00") },
    { why: "a minute", text: quiet("23:59-24:00") },
    { why: "the folder of a store", text: "store: file:x" },
    { why: "a database", text: "store: 'postgres://u@127.0.0.1:5432/n'" },
    { why: "a database by a socket", text: "store: 'postgres:///n?host=/run/postgresql'" },
    {
      why: "a database in a network of its own",
      text: "store: 'postgres://u@h/n?sslmode=disable'",
    },
    { why: "a database by TLS", text: "store: 'postgres://u@h/n?sslmode=verify-full'" },
    { why: "a host", text: "http: {allow: [api.example.com]}" },
    { why: "a host with underscores", text: "http: {allow: ['my_service:8080', _a.example]}" },
    { why: "a host of one letter", text: "http: {allow: [a]}" },
    { why: "a host with the highest port", text: "http: {allow: ['api.example.com:65535']}" },
    { why: "the lowest level", text: "app: {permission_level: read}" },
    { why: "the highest level", text: "app: {permission_level: read-write-directmessages}" },
    { why: "an address of IPv6", text: "http: {allow: ['[::1]:9999', '[::ffff:10.0.0.1]']}" },
    { why: "a private network", text: "http: {allow: [172.16.0.0/12, '10.96.0.0/12:8080']}" },
    { why: "one address as a network", text: "http: {allow: [192.168.1.1/32]}" },
    { why: "a private network of IPv6", text: "http: {allow: ['[fd00::/8]:8080', '[fc00::/7]']}" },
  ])("is accepted: $why", ({ text }) => {
    expect(messagesOf(text)).toEqual([]);
  });

  test.each([
    { why: "a level in the portal's words", text: "app: {permission_level: 'read and write'}" },
    { why: "too little memory", text: "bot_limits: {memory_mb: 31}" },
    { why: "memory in parts", text: "bot_limits: {memory_mb: 64.5}" },
    { why: "a log file that holds nothing", text: "log: {file_mb: 0.009}" },
    { why: "no log file", text: "log: {files: 0}" },
    { why: "too many log files", text: "log: {files: 101}" },
    { why: "too small a pool", text: "postgres: {pool: 1}" },
    { why: "too large a pool", text: "postgres: {pool: 1001}" },
    { why: "a search by another way", text: "search: webhook" },
    { why: "no timeout", text: "postgres: {statement_timeout: 0s}" },
    { why: "a name of 61 characters", text: `process_name: ${"p".repeat(61)}` },
    { why: "a name with a space", text: "process_name: eu 1" },
    { why: "a token of 15 characters", text: `console: {admin_token: '${"x".repeat(15)}'}` },
    { why: "a console for all", text: "console: {listen: '0.0.0.0:8081'}" },
    { why: "a console by a like name", text: "console: {listen: '127.0.0.1.example:8081'}" },
    { why: "a port past the highest", text: "webhook: {listen: '0.0.0.0:65536'}" },
    { why: "a webhook at another port", text: "webhook: {url: 'https://bot.example:8443/hook'}" },
    { why: "a webhook on this machine", text: "webhook: {url: 'https://localhost/hook'}" },
    { why: "a webhook of a private network", text: "webhook: {url: 'https://10.0.0.5/hook'}" },
    { why: "a webhook of a local name", text: "webhook: {url: 'https://bot.local/hook'}" },
    { why: "a webhook of a name without a dot", text: "webhook: {url: 'https://bot/hook'}" },
    { why: "a webhook by a password", text: "webhook: {url: 'https://me:pw@bot.example/hook'}" },
    { why: "a webhook with a fragment", text: "webhook: {url: 'https://bot.example/hook#'}" },
    {
      why: "too long a webhook",
      text: `webhook: {url: '${"https://b.example/".padEnd(201, "x")}'}`,
    },
    { why: "a webhook by http", text: "webhook: {url: 'http://bot.example/hook'}" },
    { why: "the platform's version", text: "platform: {base_url: 'https://api.example.com/2/'}" },
    { why: "its older version", text: "platform: {base_url: 'https://api.example.com/1.1'}" },
    { why: "a platform by ftp", text: "platform: {base_url: 'ftp://127.0.0.1'}" },
    { why: "a limit of nothing", text: "limits: {replies: 0 in 10m}" },
    { why: "a limit past the most", text: "limits: {replies: 1000000000 in 10m}" },
    { why: "a limit in no time", text: "limits: {replies: 30 in 0m}" },
    { why: "a text that is too long", text: optOut(10_001) },
    { why: "an hour of the next day", text: quiet("22:00-24:01") },
    { why: "a minute that there isn't", text: quiet("22:60-23:00") },
    { why: "a stretch of nothing", text: quiet("22:00-22:00") },
    { why: "a day that there isn't", text: quiet("someday 22:00-23:00") },
    { why: "no folder", text: "store: 'file:'" },
    { why: "no database", text: "store: 'postgres://u@h:5432/'" },
    { why: "a database elsewhere that may be another", text: "store: 'postgres://u@h/n'" },
    { why: "a database by TLS to anybody", text: "store: 'postgres://u@h/n?sslmode=require'" },
    { why: "one elsewhere by a parameter", text: "store: 'postgres://u@/n?host=db.test'" },
    { why: "a database perhaps by TLS", text: "store: 'postgres://u@h/n?sslmode=prefer'" },
    { why: "an address instead of a host", text: "http: {allow: ['https://api.example.com/']}" },
    { why: "a host with a path", text: "http: {allow: [api.example.com/v2]}" },
    { why: "a host with a star", text: "http: {allow: ['*.example.com']}" },
    { why: "a host's port past the highest", text: "http: {allow: ['api.example.com:65536']}" },
    { why: "IPv6 without brackets", text: "http: {allow: ['::1']}" },
    { why: "all addresses as a network", text: "http: {allow: [0.0.0.0/0]}" },
    { why: "a network that is wider than private", text: "http: {allow: [10.0.0.0/7]}" },
    { why: "the network of a cloud's metadata", text: "http: {allow: [169.254.0.0/16]}" },
    { why: "a public network", text: "http: {allow: [93.184.216.0/24]}" },
    { why: "a network of 33 bits", text: "http: {allow: [10.0.0.0/33]}" },
    { why: "a network without an address", text: "http: {allow: [10.0/16]}" },
    { why: "a network's port past the highest", text: "http: {allow: ['10.0.0.0/8:65536']}" },
    { why: "a private network in an IPv6 one", text: "http: {allow: ['[::ffff:10.0.0.0/104]']}" },
  ])("is refused, and the message says why: $why", ({ text }) => {
    expect(messagesOf(text)).toEqual([expect.stringMatching(/\S/)]);
  });

  it("that is a whole number gets a whole number as help", () => {
    expect(problemsOf("log: {files: 5.5}")).toMatchObject([{ help: "write 6" }]);
    expect(problemsOf("log: {file_mb: '5.5'}")).toMatchObject([{ help: "write 5.5" }]);
  });

  test.each([
    { host: "bücher.example", instead: "xn--bcher-kva.example" },
    { host: "bücher.example:8443", instead: "xn--bcher-kva.example:8443" },
    { host: "https://api.example.com:8443/v2", instead: "api.example.com:8443" },
    { host: "shop.example/v2", instead: "shop.example" },
    { host: "api.shop.example.", instead: "api.shop.example" },
  ])("of the host $host is refused with the host to write: $instead", ({ host, instead }) => {
    expect(problemsOf(`http: {allow: ['${host}']}`)).toMatchObject([
      { help: expect.stringContaining(`write "${instead}" or`) },
    ]);
  });

  it("for text that is sent has no expression of rules", () => {
    expect(problemsOf("opt_out: {words: [stop], text: 'Bye ${{ sender.name }}'}")).toMatchObject([
      { code: "env-expression" },
    ]);
    expect(problemsOf("opt_out: {words: [stop], text: 'Bye {{ name }}'}")).toMatchObject([
      { code: "expression-as-text" },
    ]);
    expect(problemsOf("opt_out: {words: [stop], text: 'Bye, 5 $ and {you}'}")).toEqual([]);
  });
});

describe("settings from outside the file", () => {
  it("name every setting but the version, and those by account", () => {
    expect(SETTING_NAMES.map(({ variable }) => variable)).toEqual([
      "ANSWERBACK_TARGET",
      "ANSWERBACK_SOURCE",
      "ANSWERBACK_SEARCH",
      "ANSWERBACK_PLATFORM_BASE_URL",
      "ANSWERBACK_PLATFORM_ADS_BASE_URL",
      "ANSWERBACK_PLATFORM_DIALECT",
      "ANSWERBACK_PLATFORM_LONGFORM",
      "ANSWERBACK_APP_CONSUMER_KEY",
      "ANSWERBACK_APP_CONSUMER_SECRET",
      "ANSWERBACK_APP_PREVIOUS_CONSUMER_SECRET",
      "ANSWERBACK_APP_BEARER_TOKEN",
      "ANSWERBACK_APP_PERMISSION_LEVEL",
      "ANSWERBACK_WEBHOOK_URL",
      "ANSWERBACK_WEBHOOK_LISTEN",
      "ANSWERBACK_METRICS_LISTEN",
      "ANSWERBACK_CONSOLE_LISTEN",
      "ANSWERBACK_CONSOLE_ADMIN_TOKEN",
      "ANSWERBACK_ACCOUNTS",
      "ANSWERBACK_RULES",
      "ANSWERBACK_BOTS",
      "ANSWERBACK_LIMITS_REPLIES",
      "ANSWERBACK_LIMITS_LOOP",
      "ANSWERBACK_LIMITS_EQUAL_REPLIES",
      "ANSWERBACK_LIMITS_EQUAL_POSTS",
      "ANSWERBACK_POSTS_LONG",
      "ANSWERBACK_POSTS_THIRD_PARTIES",
      "ANSWERBACK_OPT_OUT_WORDS",
      "ANSWERBACK_OPT_OUT_TEXT",
      "ANSWERBACK_OPT_OUT_BACK",
      "ANSWERBACK_OPT_OUT_BACK_TEXT",
      "ANSWERBACK_QUIET_HOURS_ZONE",
      "ANSWERBACK_QUIET_HOURS_TIMES",
      "ANSWERBACK_HTTP_ALLOW",
      "ANSWERBACK_SECRETS",
      "ANSWERBACK_BOT_LIMITS_MEMORY_MB",
      "ANSWERBACK_STORE",
      "ANSWERBACK_DATA",
      "ANSWERBACK_POSTGRES_POOL",
      "ANSWERBACK_POSTGRES_STATEMENT_TIMEOUT",
      "ANSWERBACK_POSTGRES_CONNECT_TIMEOUT",
      "ANSWERBACK_ROLE",
      "ANSWERBACK_PROCESS_NAME",
      "ANSWERBACK_LOG_FILE_MB",
      "ANSWERBACK_LOG_FILES",
    ]);
  });
});
