import { mkdtemp, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, test } from "vitest";
import { loadSettings } from "../../src/config/load-settings.ts";
import { overridesFrom } from "../../src/config/override-settings.ts";
import { headline } from "../../src/config/problem.ts";
import { readSettings } from "../../src/config/read-settings.ts";

const read = (text: string, environment: Record<string, string> = {}) =>
  readSettings({ file: "a.yaml", text, environment, overrides: overridesFrom(environment, {}) });

describe("the settings file", () => {
  it("as shipped, has the same values as no file at all", async () => {
    const shipped = await loadSettings({ cwd: process.cwd(), environment: {} });
    const { file, ...rest } = shipped;
    const empty = await mkdtemp(path.join(tmpdir(), "settings-"));
    const none = await loadSettings({ cwd: empty, environment: {} });

    expect(file).toBe(path.resolve("config/answerback.yaml"));
    expect(JSON.stringify(none).replaceAll(empty, process.cwd())).toBe(JSON.stringify(rest));
  });

  it("resolves its paths from its own folder, and those of flags from the current folder", async () => {
    const cwd = await mkdtemp(path.join(tmpdir(), "settings-"));
    await mkdir(path.join(cwd, "etc"));
    await writeFile(path.join(cwd, "etc/a.yaml"), "version: 1\nrules: [r/*.yaml]\n");

    const settings = await loadSettings({
      cwd,
      file: "etc/a.yaml",
      environment: {},
      flags: { store: "file:here" },
    });

    expect(settings.rules).toEqual([path.join(cwd, "etc/r/*.yaml")]);
    const here = path.join(cwd, "here");
    expect(settings.store).toEqual({ url: `file:${here}`, folder: here });
  });

  it("splits a list of the environment at commas, except those in the braces of a glob", async () => {
    const environment = { ANSWERBACK_RULES: "r/*.{yaml,yml}, {a,b}/*.yaml" };

    const { rules } = await loadSettings({ cwd: "/p", environment });

    expect(rules).toEqual(["/p/r/*.{yaml,yml}", "/p/{a,b}/*.yaml"]);
  });

  it("names the missing file if a file was named", async () => {
    await expect(loadSettings({ cwd: "/", file: "no-such.yaml", environment: {} })).rejects.toThrow(
      "can't read the settings file /no-such.yaml: no such file",
    );
  });

  test.each([
    { text: "port: 8080", help: 'write  webhook: { listen: "127.0.0.1:8080" }' },
    { text: "console: { port: 8081 }", help: 'write  listen: "127.0.0.1:8080"' },
    { text: "app: { api_key: a }", help: 'did you mean "consumer_key"?' },
    { text: "bearer_token: a", help: "put it under app:  app: { bearer_token: … }" },
    { text: "webhook: { public_url: https://bot.example }", help: 'did you mean "url"?' },
    { text: "database_url: postgres://x", help: 'did you mean "store"?' },
    { text: "rule_files: [a.yaml]", help: 'did you mean "rules"?' },
    { text: "log_level: debug", help: "remove it, and start the bot with  --log-level debug" },
    { text: "log: { format: json }", help: "remove it, and start the bot with  --log-format json" },
    { text: "http: { allowed_hosts: [a.example] }", help: 'did you mean "allow"?' },
    { text: "opt_out: [stop]", help: "write a map with: words, text, back, back_text" },
    { text: "retention: 30d", help: "remove it: entries are deleted after 30 days" },
  ])("explains what to write in place of $text", ({ text, help }) => {
    expect(read(`version: 1\n${text}\n`).problems.map((one) => one.help)).toEqual([help]);
  });

  it("replaces env expressions once", () => {
    const { value } = read("version: 1\napp: {consumer_key: 'a-${{ env.KEY }}'}\n", {
      KEY: "${{ env.OTHER }}",
    });

    expect(value?.app.consumer_key).toBe("a-${{ env.OTHER }}");
  });

  test.each([
    {
      text: "version: 1\nplatfrom: {}\n",
      said: 'a.yaml:2:1: error: unknown key "platfrom" [unknown-key]',
      why: "a slip in a top-level key",
    },
    {
      text: "version: 1\nplatform: {dialcet: post}\n",
      said: 'a.yaml:2:12: error: unknown key "dialcet" [unknown-key]',
      why: "a slip further in",
    },
    {
      text: "version: 1\ntarget: liev\n",
      said: 'a.yaml:2:9: error: "liev" is not one of: sandbox, live [unknown-word]',
      why: "a word that isn't one of the list",
    },
    {
      text: "version: 1\nsource: poling\n",
      said: 'a.yaml:2:9: error: "poling" is not one of: webhook, activity, both, polling [unknown-word]',
      why: "a source that there isn't",
    },
    {
      text: "version: 1\nsorce: polling\n",
      said: 'a.yaml:2:1: error: unknown key "sorce" [unknown-key]',
      why: "a slip in the name of the source",
    },
    {
      text: "version: 1\napp: {consumer_key: '${{ env.NOPE }}'}\n",
      said: "a.yaml:2:22: error: the environment has no NOPE [env-missing]",
      why: "a variable that isn't set",
    },
    {
      text: "version: 1\napp: {consumer_key: '${{ secrets.X }}'}\n",
      said: "a.yaml:2:22: error: ${{ secrets.X }} is not supported in settings [env-expression]",
      why: "an expression that settings don't have",
    },
    {
      text: "version: 1\nwebhook: {listen: 8080}\n",
      said: 'a.yaml:2:19: error: not a place to listen at: write host:port, as "127.0.0.1:8080" [invalid-value]',
      why: "a port without its host",
    },
    {
      text: "version: 1\nlimits: {replies: 30 per 10m}\n",
      said: 'a.yaml:2:19: error: not a limit: write how many in which time, as "30 in 10m", or none [invalid-value]',
      why: "a limit that can't be read",
    },
    {
      text: "version: 1\nopt_out: {words: []}\n",
      said: 'a.yaml:2:18: error: write one word at least: ["stop"] [invalid-value]',
      why: "nobody could opt out",
    },
    {
      text: "version: 1\nquiet_hours: {zone: Berlin, times: ['22:00-07:00']}\n",
      said: 'a.yaml:2:21: error: there is no time zone "Berlin" [unknown-zone]',
      why: "a city is no time zone",
    },
    {
      text: "version: 1\nquiet_hours: {zone: Europe/Berlin, times: ['10pm-7am']}\n",
      said: "a.yaml:2:44: error: this is not a range of days and times [invalid-value]",
      why: "hours that can't be read",
    },
    {
      text: "target: sandbox\n",
      said: 'a.yaml:1:1: error: "version" is missing [missing-key]',
      why: "the one key that must be there",
    },
  ])("$said: $why", ({ text, said }) => {
    const { problems, value } = read(text);

    expect(problems.map((problem) => headline(problem))).toEqual([said]);
    expect(value).toBeUndefined();
  });

  it("lists everything that the live target lacks", () => {
    const { problems } = read("version: 1\ntarget: live\n", { ANSWERBACK_APP_BEARER_TOKEN: "t" });

    expect(problems.map((problem) => problem.help)).toEqual([
      "add it under platform:, or set ANSWERBACK_PLATFORM_BASE_URL",
      "add it under app:, or set ANSWERBACK_APP_CONSUMER_KEY",
      "add it under app:, or set ANSWERBACK_APP_CONSUMER_SECRET",
    ]);
  });
});

describe("settings that this version does not support", () => {
  test.each([
    {
      text: "version: 1\nconsole: {listen: '0.0.0.0:8081'}\n",
      said: 'a.yaml:2:19: error: "0.0.0.0:8081" is not on this machine: the console is for this machine alone [invalid-value]',
      help: 'write "127.0.0.1:8081", and reach it from elsewhere by: ssh -L 8081:127.0.0.1:8081 HOST',
      why: "strangers would reach it",
    },
    {
      text: "version: 1\napp:\n  client_id: abc\n",
      said: 'a.yaml:3:3: error: "app.client_id" is not supported by this version [not-in-this-version]',
      help: "remove it: bots act with OAuth 1.0a; a program of yours gives it to createOAuth2Login",
      why: "no command reads it",
    },
    {
      text: "version: 1\napp:\n  client_secret: abc\n",
      said: 'a.yaml:3:3: error: "app.client_secret" is not supported by this version [not-in-this-version]',
      help: "remove it: bots act with OAuth 1.0a; a program of yours gives it to createOAuth2Login",
      why: "no command reads it",
    },
  ])("$text is refused: $why", ({ text, said, help }) => {
    const { problems, value } = read(text);

    expect(problems.map((problem) => headline(problem))).toEqual([said]);
    expect(problems[0]?.help).toBe(help);
    expect(value).toBeUndefined();
  });

  it("are refused from the environment, too", () => {
    const { problems } = read("version: 1\n", { ANSWERBACK_APP_CLIENT_ID: "abc" });

    expect(problems.map(({ message }) => message)).toEqual([
      'ANSWERBACK_APP_CLIENT_ID: "app.client_id" is not supported by this version',
    ]);
  });

  it("stop a start as well as a check", async () => {
    const cwd = await mkdtemp(path.join(tmpdir(), "settings-"));
    await writeFile(path.join(cwd, "a.yaml"), "version: 1\napp: {client_id: abc}\n");

    await expect(loadSettings({ cwd, file: "a.yaml", environment: {} })).rejects.toThrow(
      /a\.yaml:2:7: error: "app\.client_id" is not supported/,
    );
  });
});

describe("limits", () => {
  const minutes = (max: number, count: number) => ({
    max,
    inMs: count * 60_000,
    written: `${max} in ${count}m`,
  });
  const limitsOf = async (text: string, environment = {}) => {
    const cwd = await mkdtemp(path.join(tmpdir(), "settings-"));
    await writeFile(path.join(cwd, "a.yaml"), text);
    return (await loadSettings({ cwd, file: "a.yaml", environment })).limits;
  };

  it("have defaults, and can be raised or switched off", async () => {
    expect((await limitsOf("version: 1\n")).all).toMatchObject({
      replies: minutes(30, 10),
      loop: minutes(10, 10),
      equalReplies: minutes(3, 1),
      equalPosts: { max: 2, inMs: 3_600_000 },
    });
    const off = { ANSWERBACK_LIMITS_REPLIES: "none" };
    const { all } = await limitsOf("version: 1\nlimits: {loop: 99 in 1m}\n", off);
    expect(all.replies).toBeUndefined();
    expect(all.loop).toEqual(minutes(99, 1));
  });

  it("of an account replace the common ones, each separately", async () => {
    const text = "version: 1\nlimits: {loop: none, accounts: {'@Shop': {replies: 300 in 10m}}}\n";
    const { accounts } = await limitsOf(text);

    expect(accounts.get("shop")).toMatchObject({
      replies: minutes(300, 10),
      equalReplies: minutes(3, 1),
    });
    expect(accounts.get("shop")?.loop).toBeUndefined();
  });
});

describe("settings from outside the file", () => {
  it("take precedence over the file, and flags over the environment", () => {
    const overrides = overridesFrom(
      { ANSWERBACK_PLATFORM_DIALECT: "tweet", ANSWERBACK_ACCOUNTS: "a, b" },
      { "platform.dialect": "post" },
    );
    const text =
      "version: 1\nplatform: {dialect: tweet, base_url: 'http://x.test'}\naccounts: [c]\n";

    const { value } = readSettings({ file: "a.yaml", text, environment: {}, overrides });

    expect(value?.platform).toMatchObject({ dialect: "post", base_url: "http://x.test" });
    expect(value?.accounts).toEqual(["a", "b"]);
  });

  it("are read as flags where a flag belongs", () => {
    const longform = (longFormOf: string) =>
      read("version: 1\n", { ANSWERBACK_PLATFORM_LONGFORM: longFormOf }).value?.platform.longform;
    expect([longform("true"), longform("false")]).toEqual([true, false]);
  });

  it("are read as lists where a list belongs", () => {
    const env = { ANSWERBACK_SECRETS: "ORDERS_TOKEN, CRM_KEY", ANSWERBACK_OPT_OUT_WORDS: "stop" };
    const { value, problems } = read("version: 1\n", env);

    expect(problems).toEqual([]);
    expect(value?.secrets).toEqual(["ORDERS_TOKEN", "CRM_KEY"]);
    expect(value?.opt_out?.words).toEqual(["stop"]);
  });

  it("are read as numbers where a number belongs", () => {
    const env = { ANSWERBACK_LOG_FILE_MB: "0.5", ANSWERBACK_LOG_FILES: "3" };
    expect(read("version: 1\n", env).value?.log).toEqual({ file_mb: 0.5, files: 3 });
    const memory = read("version: 1\n", { ANSWERBACK_BOT_LIMITS_MEMORY_MB: "64" });
    expect(memory.value?.bot_limits.memory_mb).toBe(64);

    const { problems } = read("version: 1\n", { ANSWERBACK_LOG_FILES: "many" });
    expect(problems[0]?.message).toContain("ANSWERBACK_LOG_FILES");
  });

  it("are named in the message when they are wrong", () => {
    const { problems } = read("version: 1\n", { ANSWERBACK_TARGET: "moon" });

    expect(problems[0]?.message).toBe('ANSWERBACK_TARGET: "moon" is not one of: sandbox, live');
  });
});
