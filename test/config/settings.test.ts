import { mkdtemp, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, test } from "vitest";
import { loadSettings } from "../../src/config/load-settings.ts";
import { overridesFrom } from "../../src/config/override-settings.ts";
import { headline } from "../../src/config/problem.ts";
import { webhookUrlFault } from "../../src/sandbox/model/webhooks.ts";
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

  test.each([
    ["https://BOT.example/hook", "https://bot.example/hook"],
    ["https://bot.example:443/hook", "https://bot.example/hook"],
    ["https://bot.example/a/../hook?of=a", "https://bot.example/hook?of=a"],
    ["https://bücher.example/hook", "https://xn--bcher-kva.example/hook"],
    ["https://bot.example", "https://bot.example"],
    ["https://bot.example/", "https://bot.example/"],
  ])("has the webhook's URL %s in the platform's form, %s", async (written, url) => {
    const environment = { ANSWERBACK_WEBHOOK_URL: written };

    expect((await loadSettings({ cwd: "/p", environment })).webhook.url).toBe(url);
    expect(webhookUrlFault(url)).toBeUndefined();
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
    { text: "opt_out: [stop]", help: "write  opt_out: { words: [stop] }" },
    { text: 'opt_out: { words: "stop, end" }', help: "write a list: [stop, end]" },
    { text: "retention: 30d", help: "remove it: entries are deleted after 30 days" },
    { text: "target: production", help: "write live" },
    { text: "target: dev", help: "write sandbox" },
    { text: "source: web-hook", help: "write webhook" },
    { text: "app: { permission_level: Read and write }", help: "write read-write" },
    {
      text: "app: { permission_level: read + write + DM }",
      help: "write read-write-directmessages",
    },
    { text: 'accounts: "@ann, ben cy"', help: 'write a list: ["@ann", ben, cy]' },
    { text: "accounts: [https://x.example/ann]", help: "write ann" },
    { text: "accounts: [{ screen_name: ann }]", help: "write ann" },
    {
      text: "accounts: [hello bot]",
      help: "write the name that the profile has after its @, as hello_bot",
    },
    {
      text: "accounts: { ann: { access_token: a } }",
      help: "write  accounts: [ann]  and link each account with  answerback login",
    },
    { text: "rules: rules/", help: 'write a list: ["rules/*.yaml"]' },
    { text: "rules: a.yaml, b.yaml", help: "write a list: [a.yaml, b.yaml]" },
    {
      text: "rules: [{ name: a, on: dm.received, reply_dm: hi }]",
      help: "put the rules into a file of their own, such as rules/my-rules.yaml, and list the file here",
    },
    { text: "bots: ../bots", help: 'write a list: ["../bots/*.ts"]' },
    { text: "bot: { memory_mb: 512 }", help: 'did you mean "bot_limits"?' },
    { text: "bot_limits: { memory: 512 }", help: 'did you mean "memory_mb"?' },
    { text: "bot_limits: { memory_mb: 512MB }", help: "write 512" },
    { text: "bot_limits: { memory_mb: 1 GiB }", help: "write 1024" },
    { text: "store: ../data", help: 'write a folder: "file:../data"' },
    { text: "store: sqlite:///var/lib/bot/bot.db", help: 'write a folder: "file:/var/lib/bot"' },
    { text: "store: sqlite:data/bot.sqlite3", help: 'write a folder: "file:data"' },
    { text: "store: postgresql+asyncpg://a@b/c", help: 'write "postgres://a@b/c"' },
    { text: "store: { url: 'file:../data' }", help: 'write  store: "file:../data"' },
    {
      text: "platform: api.example.com",
      help: 'write  platform: { base_url: "https://api.example.com" }',
    },
    { text: "platform: { base_url: api.example.com }", help: 'write "https://api.example.com"' },
    {
      text: "platform: { base_url: 'https://a:b@api.example.com' }",
      help: "write only its beginning, as in: https://api.example.com",
    },
    {
      text: "webhook: https://bot.example/w",
      help: 'write  webhook: { url: "https://bot.example/w" }',
    },
    { text: "webhook: 9000", help: 'write  webhook: { listen: "127.0.0.1:9000" }' },
    { text: "webhook: { url: http://bot.example/w }", help: 'write "https://bot.example/w"' },
    { text: "webhook: { url: bot.example/w }", help: 'write "https://bot.example/w"' },
    { text: "webhook: { listen: 9000 }", help: 'write "127.0.0.1:9000"' },
    { text: "webhook: { listen: ':9000' }", help: 'write "127.0.0.1:9000"' },
    { text: "webhook: { listen: localhost }", help: 'write "localhost:8080"' },
    { text: "webhook: { listen: 'http://0.0.0.0:9000/' }", help: 'write "0.0.0.0:9000"' },
    {
      text: "webhook: { secret: a }",
      help: "remove it: deliveries are signed with  app: { consumer_secret: … }",
    },
    { text: "metrics: true", help: 'write  metrics: { listen: "127.0.0.1:9464" }' },
    { text: "console: 9000", help: 'write  console: { listen: "127.0.0.1:9000" }' },
    { text: "console: false", help: "leave  console:  out" },
    {
      text: "console: { admin_token: short }",
      help: "write 16 characters or more, or leave the key out",
    },
    { text: "limits: { replies: 30 }", help: "write 30 in 10m" },
    { text: "limits: { replies: 30/10m }", help: "write 30 in 10m" },
    { text: "limits: { loop: 5 per hour }", help: "write 5 in 1h" },
    { text: "limits: { equal_posts: 2 times in 90 minutes }", help: "write 2 in 90m" },
    { text: "limits: { replies: off }", help: "write none" },
    { text: "limits: { accounts: { ann: { replies: false } } }", help: "write none" },
    { text: "limits: none", help: "write  limits: { replies: none }" },
    {
      text: "limits: { ann: { replies: none } }",
      help: "write  limits: { accounts: { ann: … } }",
    },
    {
      text: "quiet_hours: 22:00-07:00",
      help: 'write  quiet_hours: { zone: Europe/Berlin, times: ["22:00-07:00"] }  with your zone',
    },
    {
      text: "quiet_hours: { zone: UTC, times: [10pm-7am] }",
      help: 'write "22:00-07:00"',
    },
    {
      text: "http: [a.example, b.example]",
      help: "write  http: { allow: [a.example, b.example] }",
    },
    { text: "http: { allow: a.example }", help: "write a list: [a.example]" },
    {
      text: 'http: { allow: ["*.a.example"] }',
      help: 'write each host with its whole name, as "api.example.com"',
    },
    { text: "log: debug", help: "remove it, and start the bot with  --log-level debug" },
    { text: "log: { file: bot.log }", help: "remove it, and start the bot with  --log-file FILE" },
    { text: "log: { file_mb: 10MB }", help: "write 10" },
    {
      text: "secrets: { KEY: a }",
      help: "write  secrets: [KEY]  and set the variables in .env or in the environment",
    },
    { text: "secrets: ['${{ env.KEY }}']", help: "write KEY: the list has the names of variables" },
    { text: "secrets: [$KEY]", help: "write KEY" },
    { text: "app: { consumer_key: $KEY }", help: "write ${{ env.KEY }}" },
    { text: "app: { consumer_key: '${KEY}' }", help: "write ${{ env.KEY }}" },
    { text: "app: { consumer_key: '${KEY:-none}' }", help: "write ${{ env.KEY }}" },
    { text: "app: { consumer_key: '%KEY%' }", help: "write ${{ env.KEY }}" },
    { text: "app: { consumer_key: '${{ env.KEY' }", help: "write ${{ env.KEY }}" },
    { text: "app: { consumer_key: '{{ env.KEY }}' }", help: "write ${{ env.KEY }}" },
    { text: "app: { consumer_key: process.env.KEY }", help: "write ${{ env.KEY }}" },
    {
      text: "app: { consumer_key: '${{ secrets.KEY }}' }",
      help: "write ${{ env.KEY }}: settings can read only the environment",
    },
    { text: "store: 'postgres://a:${PASSWORD}@127.0.0.1/b'", help: "write ${{ env.PASSWORD }}" },
    {
      text: "app: { consumer_key: <your key> }",
      help: "write the value from the developer portal, or leave the key out",
    },
    {
      text: "app: { consumer_key: YOUR_API_KEY }",
      help: "write the value from the developer portal, or leave the key out",
    },
    { text: "app: { bearer_token: Bearer AAA }", help: "write the token without it" },
    {
      text: "app: { consumer_secret: ' “abc”' }",
      help: "remove the blanks and line ends around it",
    },
    {
      text: "app: { consumer_secret: \"'abc'\" }",
      help: "copy the key again, without the characters around it",
    },
    {
      text: "app: { bearer_token: 'abc,' }",
      help: "copy the key again, without the characters around it",
    },
    {
      text: "app: { consumer_secret: 'abc ' }",
      help: "remove the blanks and line ends around it",
    },
  ])("explains what to write in place of $text", ({ text, help }) => {
    expect(read(`version: 1\n${text}\n`).problems.map((one) => one.help)).toEqual([help]);
  });

  test.each([
    "app: { consumer_key: a$b, consumer_secret: 'a{b}%c%', bearer_token: AAA%2Bb%3D }",
    "rules: ['{{a,b},c}/*.yaml', env.yaml]",
    "opt_out: { words: ['$stop', stop], text: 'Costs $5' }",
    "store: 'postgres://a:b$c@127.0.0.1/d'",
    "webhook: { url: https://bot.example/w, listen: '[::1]:8080' }",
    "platform: { base_url: https://api.example.com/prefix }",
  ])("is accepted with %s", (text) => {
    expect(read(`version: 1\n${text}\n`).problems).toEqual([]);
  });

  it("has all its mistakes reported at once, also beside a variable that is missing", () => {
    const { problems } = read(
      "version: 1\ntarget: prod\napp: { consumer_key: $KEY, bearer_token: 'a${{ env.NO }}' }\nstore: postgres://a:${{ env.NO }}@h/b\naccounts: ann\n",
    );

    expect(problems.map(({ line, help }) => [line, help?.slice(0, 24)])).toEqual([
      [3, "write ${{ env.KEY }}"],
      [3, "set it before the start:"],
      [4, "set it before the start:"],
      [2, "write live"],
      [5, "write a list: [ann]"],
    ]);
  });

  it("does not show a wrong key of the environment", () => {
    const { problems } = read("version: 1\napp: {consumer_key: '${{ env.KEY }}'}\n", {
      KEY: "hidden key\r",
    });

    expect(problems.map(({ message }) => message)).toEqual([
      "this begins or ends with white space, as no key of the developer portal does",
    ]);
    expect(JSON.stringify(problems)).not.toContain("hidden");
  });

  it("may have a comment without a blank where its text can't belong to the value", () => {
    const { value, problems } = read(
      "version: 1 #the first\ntarget: sandbox #the platform here\nlog: { files: 3 #three\n}\naccounts:\n  - shop_bot #ours\n  - 007 #his\nsource: ${{ env.S }} #as elsewhere\n",
      { S: "both" },
    );

    expect(problems).toEqual([]);
    expect(value).toMatchObject({ target: "sandbox", source: "both", log: { files: 3 } });
    expect(value?.accounts).toEqual(["shop_bot", "007"]);
  });

  test.each([
    { text: "opt_out: { words: [stop] , text: Bye #all }", whole: "Bye #all" },
    { text: "app: { bearer_token: a #b }", whole: "a #b" },
    { text: "target: sand #box", whole: "sand #box" },
  ])("says where a comment begins with $text", ({ text, whole }) => {
    expect(read(`version: 1\n${text.replace(/ \}$/, "\n}")}\n`).problems).toMatchObject([
      {
        code: "text-cut-by-comment",
        help: `quote the whole value: "${whole}"; if it is a comment, write a blank after the #`,
      },
    ]);
  });

  it("replaces env expressions once", () => {
    const { value } = read("version: 1\nrules: ['a-${{ env.KEY }}']\n", {
      KEY: "${{ env.OTHER }}",
    });

    expect(value?.rules).toEqual(["a-${{ env.OTHER }}"]);
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
      text: 'version: "1"\n',
      said: 'a.yaml:1:10: error: "1" is text because of its quotes [wrong-type]',
      why: "a version in quotes",
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

    const text = "version: 1\nlog: {files: '${{ env.N }}'}\nplatform: {longform: '${{ env.N }}'}\n";
    expect(read(text, { N: "3" }).problems.map(({ help }) => help)).toEqual([
      "remove it, and set the variable ANSWERBACK_PLATFORM_LONGFORM",
      "remove it, and set the variable ANSWERBACK_LOG_FILES",
    ]);
  });

  it("names the variable of a setting that an overridden one needs", () => {
    const { problems } = read("version: 1\n", { ANSWERBACK_OPT_OUT_TEXT: "bye" });

    expect(problems).toMatchObject([
      {
        message: 'ANSWERBACK_OPT_OUT_TEXT: "words" is missing',
        help: "set ANSWERBACK_OPT_OUT_WORDS too, or add words: under opt_out: in the settings",
      },
    ]);
  });

  it("are named in the message when they are wrong", () => {
    const { problems } = read("version: 1\n", { ANSWERBACK_TARGET: "moon" });

    expect(problems[0]?.message).toBe('ANSWERBACK_TARGET: "moon" is not one of: sandbox, live');
  });

  it("leave the file's value if they are blank", () => {
    const blank = { ANSWERBACK_ACCOUNTS: " ", ANSWERBACK_RULES: "\t", ANSWERBACK_TARGET: " " };
    const { value, problems } = read("version: 1\naccounts: [a]\nrules: [b.yaml]\n", blank);

    expect(problems).toEqual([]);
    expect(value).toMatchObject({ accounts: ["a"], rules: ["b.yaml"], target: "sandbox" });
  });

  test.each(["ACCOUNTS", "RULES", "BOTS", "SECRETS", "HTTP_ALLOW", "OPT_OUT_WORDS"])(
    "are refused as a list without items: ANSWERBACK_%s",
    (setting) => {
      const name = `ANSWERBACK_${setting}`;

      expect(read("version: 1\n", { [name]: " , " }).problems).toMatchObject([
        {
          file: name,
          message: `${name}: this is " , ", expected: a list`,
          help: "unset it, or write a list with commas: A,B",
        },
      ]);
    },
  );

  it("are told apart from a mistake of the file, and from each other", () => {
    const text = "version: 1\nmetrics: {listen: nope}\n";
    const webhook = { ANSWERBACK_WEBHOOK_LISTEN: "9000" };
    const both = { ...webhook, ANSWERBACK_METRICS_LISTEN: "9001" };
    const filesOf = (environment: Record<string, string>) =>
      read(text, environment).problems.map(({ file, line, sourceLine }) => [
        file,
        line,
        sourceLine,
      ]);

    expect(filesOf(webhook)).toEqual([
      ["ANSWERBACK_WEBHOOK_LISTEN", 1, undefined],
      ["a.yaml", 2, "metrics: {listen: nope}"],
    ]);
    expect(filesOf(both)).toEqual([
      ["ANSWERBACK_WEBHOOK_LISTEN", 1, undefined],
      ["ANSWERBACK_METRICS_LISTEN", 1, undefined],
    ]);
  });

  it("are not blamed for what their map lacks in the file", () => {
    const text = "version: 1\nopt_out: {back: [start]}\n";

    expect(read(text, { ANSWERBACK_OPT_OUT_TEXT: "bye" }).problems).toMatchObject([
      { file: "a.yaml", line: 2, message: '"words" is missing' },
    ]);
  });
});
