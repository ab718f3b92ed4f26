import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { liveSettings, withPlaces } from "../../../src/cli/live/live-settings.ts";
import { commandsIn } from "../support/shell-line.ts";
import { begin, run, type Ran } from "../../support/command-line.ts";

const PLACES = [
  "--base-url",
  "https://api.example.com/2/",
  "--webhook-url",
  "bot.example",
] as const;
/** Arguments of `init --live`, with a template that has no bot module: `check` would load such a module. */
const LIVE = ["--live", "--template", "conversation"] as const;
const KEYS = "CONSUMER_KEY=key-1\nCONSUMER_SECRET=se+cr/et=\nBEARER_TOKEN=AAAA%2Fbb\n";

describe("init --live", () => {
  let folder: string;
  let bot: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "answerback-live-"));
    bot = join(folder, "bot");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const init = (input: string | undefined, ...args: readonly string[]): Promise<Ran> =>
    begin({ cwd: folder, ...(input === undefined ? {} : { input }) }, ["init", ...args]).ended;
  const read = (path: string): Promise<string> => readFile(join(bot, path), "utf8");

  it("writes live settings that check accepts, and keys that only their owner can read", async () => {
    const { code, out, err } = await init(KEYS, "bot", ...LIVE, ...PLACES, "--keys", "-");

    expect(code, err).toBe(0);
    expect(out.split("\n")).toEqual(
      expect.arrayContaining(["bot/config/answerback.yaml", "bot/config/live.yaml", "bot/.env"]),
    );
    expect(await read("config/live.yaml")).toContain("  url: https://bot.example/webhook #");
    expect((await stat(join(bot, ".env"))).mode & 0o777).toBe(0o600);
    expect(await run(bot, "check", "--live")).toMatchObject({ code: 0, out: "" });
    expect((await run(bot, "check", "config/live.yaml")).err).toMatch(/^1 settings file/);
    expect(await run(bot, "check")).toMatchObject({ code: 0, out: "" });
    expect(`${out}${err}`).not.toMatch(/key-1|se\+cr|AAAA/);
  });

  it("prints the portal's fields, how to forward the address, and the next commands", async () => {
    const { err } = await init(undefined, "bot", "--live", ...PLACES, "--proxy", "caddy");

    for (const line of [
      /^ {3}App name +bot; /m,
      /^ {3}Website URL +https:\/\/bot\.example; /m,
      /^ {3}App permissions +Read, write and direct messages$/m,
      /^ {3}Callback URLs +http:\/\/127\.0\.0\.1:8765\/callback$/m,
      /^ {3}CONSUMER_KEY, CONSUMER_SECRET, BEARER_TOKEN$/m,
      /^\s+reverse_proxy 127\.0\.0\.1:8080 \{$/m,
      /answerback doctor --live/,
      /answerback login --live/,
      /answerback run --live/,
    ]) {
      expect(err).toMatch(line);
    }
    expect(err.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it.each([
    { flags: [], proxied: /^\s+reverse_proxy / },
    { flags: [...PLACES], proxied: /^\s+reverse_proxy / },
    { flags: ["--proxy", "ngrok"], proxied: /^\s+ngrok http / },
  ])(
    "prints a command for the public address that works where it is printed: $flags",
    async ({ flags, proxied }) => {
      const first = await init(undefined, "my bot", "--live", "--yes", ...flags);
      const [line = ""] = /^ *npx answerback init .*$/m.exec(first.err) ?? [];
      const { args } = commandsIn(line.trim().replace(/^npx /, ""), {});
      const { code, err } = await run(folder, ...args);

      expect(code, err).toBe(0);
      expect(err.split("\n")).toContainEqual(expect.stringMatching(proxied));
      expect(err).not.toContain("npx answerback init");
    },
  );

  it("prints paths from the current folder", async () => {
    const { err } = await init(undefined, "bot", "--live", "--yes");

    expect(err).toContain("Set platform.base_url in bot/config/live.yaml, ");
    expect(err).toContain("Set webhook.url in bot/config/live.yaml, ");
  });

  it("adds them to an existing project, and keeps its rules, bots and limits", async () => {
    await run(folder, "init", "bot");
    const settings = (await read("config/answerback.yaml")).replace(
      "target: sandbox",
      "limits: { replies: 60 in 10m } # we are chatty\nplatform: { dialect: tweet }\ntarget: sandbox",
    );
    await writeFile(join(bot, "config/answerback.yaml"), settings);
    await writeFile(join(bot, ".gitignore"), "node_modules/");
    const { out } = await init(undefined, "bot", "--live", ...PLACES);
    const live = await read("config/live.yaml");

    expect(out).toBe(
      "bot/config/live.yaml\nbot/.env\nbot/.gitignore: .env\nbot/.gitignore: data.live/\n",
    );
    expect(live).toContain("\nlimits: { replies: 60 in 10m } # we are chatty\n");
    expect(live).toContain("rules: [../rules/*.yaml]");
    expect(live).toMatch(/^ {2}dialect: tweet/m);
    expect(live).toContain("store: file:../data.live");
    expect(await read("config/answerback.yaml")).toBe(settings);
  });

  it.each([
    { listen: '"${{ env.L }}"', written: "${{ env.L }}", shown: "0.0.0.0:9000" },
    {
      listen: "127.0.0.1:${{ env.P }}",
      written: "127.0.0.1:${{ env.P }}",
      shown: "127.0.0.1:9001",
    },
    { listen: '"[::1]:9002"', written: '"[::1]:9002"', shown: "[::1]:9002" },
  ])("keeps the address to listen at: $listen", async ({ listen, written, shown }) => {
    await run(folder, "init", "bot", "--template", "conversation");
    const settings = await read("config/answerback.yaml");
    await writeFile(
      join(bot, "config/answerback.yaml"),
      `${settings.replace(/^webhook:.*\n(?: .*\n)*/m, "")}webhook:\n  listen: ${listen}\n`,
    );
    await writeFile(join(bot, ".env"), `L=0.0.0.0:9000\nP=9001\n${KEYS}`);
    const { err } = await init(undefined, "bot", "--live", ...PLACES);

    expect(err).toContain(`Lead https://bot.example/webhook to ${shown}`);
    expect(await read("config/live.yaml")).toContain(`\n  listen: ${written}\n`);
    expect(await run(bot, "check", "--live")).toMatchObject({ code: 0, out: "" });
  });

  it("writes settings that check accepts if the project's are indented", async () => {
    await run(folder, "init", "bot");
    const settings = (await read("config/answerback.yaml")).replaceAll(/^(?=.)/gm, "  ");
    await writeFile(join(bot, "config/answerback.yaml"), settings);
    await init(
      "BEARER_TOKEN=b\nCONSUMER_KEY=a\nCONSUMER_SECRET=c\n",
      "bot",
      ...LIVE,
      ...PLACES,
      "--keys",
      "-",
    );

    expect(await read("config/live.yaml")).toContain("\nrules: [../rules/*.yaml]\n");
    expect(await run(bot, "check", "--live")).toMatchObject({ code: 0, out: "" });
  });

  it("run again fills in the empty values, and changes nothing else", async () => {
    await init(undefined, "bot", ...LIVE);
    const lacking = await run(bot, "check", "--live");
    await writeFile(join(bot, ".env"), `OTHER=1\n${await read(".env")}`);
    await chmod(join(bot, ".env"), 0o644);
    await init("BEARER_TOKEN=b\nCONSUMER_KEY=a\n", "bot", "--live", ...PLACES, "--keys", "-");
    await init("CONSUMER_SECRET=c d\n", "bot", "--live", "--keys", "-");
    const whole = await read("config/live.yaml");
    await init(undefined, "bot", "--live", "--proxy", "ngrok");

    expect(lacking.out).toContain("the environment has no CONSUMER_SECRET");
    expect((await read(".env")).split("\n").filter((line) => !line.startsWith("#"))).toEqual([
      "OTHER=1",
      "CONSUMER_KEY=a",
      "CONSUMER_SECRET='c d'",
      "BEARER_TOKEN=b",
      "",
    ]);
    expect((await stat(join(bot, ".env"))).mode & 0o777).toBe(0o600);
    expect(await read("config/live.yaml")).toBe(whole);
    expect(whole).toMatch(/^platform:\n {2}base_url: https:\/\/api\.example\.com /m);
    expect(await run(bot, "check", "--live")).toMatchObject({ code: 0, out: "" });
  });

  it("writes keys into the file that has them, and counts those of both files", async () => {
    await init(undefined, "bot", ...LIVE);
    await writeFile(join(bot, "config/.env"), "ORDERS_TOKEN=o\n");
    const first = await init("CONSUMER_KEY=a\nCONSUMER_SECRET=b\n", "bot", "--live", "--keys", "-");
    await writeFile(join(bot, "config/.env"), "ORDERS_TOKEN=o\nBEARER_TOKEN=old\n");
    await init("BEARER_TOKEN=new\n", "bot", "--live", ...PLACES, "--keys", "-");
    const second = await init(undefined, "bot", "--live");

    expect(first.err).toContain(
      "Put its keys into bot/.env, which only you can read:\n   BEARER_TOKEN",
    );
    expect(await read(".env")).toMatch(/^CONSUMER_KEY=a\nCONSUMER_SECRET=b\nBEARER_TOKEN=$/m);
    expect(await read("config/.env")).toBe("ORDERS_TOKEN=o\nBEARER_TOKEN=new\n");
    expect(second.err).toContain("Its keys are in bot/config/.env and bot/.env");
    expect(await run(bot, "check", "--live")).toMatchObject({ code: 0, out: "" });
  });

  it("keeps the first key of a .env with a byte order mark, and reads one of keys with a mark", async () => {
    await init(undefined, "bot", ...LIVE);
    await writeFile(join(bot, ".env"), "\uFEFFCONSUMER_KEY=a\n");
    await init("\uFEFFBEARER_TOKEN=b\n", "bot", "--live", "--keys", "-");

    expect((await read(".env")).split("\n")).toEqual([
      "CONSUMER_KEY=a",
      "CONSUMER_SECRET=",
      "BEARER_TOKEN=b",
      "",
    ]);
  });

  it.each([
    {
      args: ["--live", "--webhook-url", "https://bot.example:8443/webhook"],
      message: "calls a webhook at port 443 only",
    },
    {
      args: ["--live", "--webhook-url", "http://bot.example/"],
      message: "not a public https URL",
    },
    { args: ["--live", "--webhook-url", "localhost"], message: "can't reach localhost" },
    {
      args: ["--live", "--webhook-url", "https://192.168.1.10/webhook"],
      message: "can't reach 192.168.1.10",
    },
    {
      args: ["--live", "--webhook-url", "https://me:hunter2@bot.example/hook"],
      message: "the webhook's address: the URL of a webhook has no user name",
    },
    {
      args: ["--live", "--webhook-url", "me:hunter2@bot.example"],
      message: "has no user name and no password",
    },
    {
      args: ["--live", "--webhook-url", "bot.example/hook#here"],
      message: "the URL of a webhook has no fragment",
    },
    { args: ["--live", "--base-url", "api"], message: "not an http or https URL" },
    {
      args: ["--live", "--base-url", "https://me:hunter2@api.example.com"],
      message: "has no password, query or fragment",
    },
    {
      args: ["--live", "--keys", "-"],
      input: "BEARER_TOKEN=<your token>\n",
      message: "BEARER_TOKEN: this is a placeholder, not a key",
    },
    {
      args: ["--live", "--keys", "-"],
      input: "BEARER_TOKEN=hun'ter2\n",
      message: "BEARER_TOKEN: this has the character '",
    },
    { args: ["--live", "--proxy", "cady"], message: "(Did you mean caddy?)" },
    { args: ["--base-url", "https://api.example.com"], message: "add --live" },
    {
      args: ["--live", "--keys", "-"],
      input: "SECRET=x\n",
      message: "SECRET is not a key of the app",
    },
    { args: ["--live", "--keys", "-"], input: "\n", message: "the input has no key" },
  ])("refuses $args: $message", async ({ args, input, message }) => {
    const { code, err } = await init(input, "bot", ...args);

    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).not.toMatch(/hun'?ter2/);
    await expect(stat(bot)).rejects.toThrow("ENOENT");
  });

  it("keeps the query of the webhook's address", async () => {
    const address = "https://bot.example/?from=a&to=b";
    await init(undefined, "bot", ...LIVE, "--webhook-url", address);

    expect(await read("config/live.yaml")).toContain(`  url: ${address} #`);
  });

  it.each([
    {
      before: "CONSUMER_KEY=\nOTHER=1\nCONSUMER_KEY=old\n",
      after: "CONSUMER_KEY=new\nOTHER=1\nCONSUMER_KEY=new\n",
      why: "a second line, which counts",
    },
    {
      before: "  export CONSUMER_KEY = old # of May\r\nOTHER=1\r\n",
      after: "  export CONSUMER_KEY=new # of May\r\nOTHER=1\r\n",
      why: "a line for shells, with a comment",
    },
    {
      before: "CONSUMER_KEY='old\nlines' # a\nOTHER=1\n",
      after: "CONSUMER_KEY=new # a\nOTHER=1\n",
      why: "a value of two lines",
    },
    {
      before: "CONSUMER_KEY=#none\nMY_CONSUMER_KEY=1\n",
      after: "CONSUMER_KEY=new #none\nMY_CONSUMER_KEY=1\n",
      why: "a comment in place of a value",
    },
    { before: "OTHER=1", after: "OTHER=1\nCONSUMER_KEY=new\n", why: "no line end" },
  ])("changes each line of a key, and nothing else: $why", async ({ before, after }) => {
    await init(undefined, "bot", ...LIVE);
    await writeFile(join(bot, ".env"), before);
    await init("CONSUMER_KEY=new\n", "bot", "--live", "--keys", "-");
    const text = await read(".env");

    expect(text.replace("CONSUMER_SECRET=\nBEARER_TOKEN=\n", "")).toBe(after);
    expect(parseEnv(text)["CONSUMER_KEY"]).toBe("new");
  });

  it.each([
    { there: "/.env\n/data.live/\n", added: ".env", why: "the file beside the settings, too" },
    { there: "*.env\r\ndata.*/\r\n", added: "", why: "all files of the name" },
  ])("has all .env files ignored by git: $why", async ({ there, added }) => {
    await init(undefined, "bot", ...LIVE);
    await writeFile(join(bot, ".gitignore"), there);
    await init(undefined, "bot", "--live");

    expect((await read(".gitignore")).slice(there.length).trim()).toBe(added);
  });

  it("uses the values of the environment, and does not copy its keys", async () => {
    await writeFile(join(folder, ".env"), "BEARER_TOKEN=of-another-project\n");
    const env = {
      ANSWERBACK_PLATFORM_BASE_URL: "https://api.example.com",
      ANSWERBACK_WEBHOOK_URL: "https://bot.example/webhook",
      CONSUMER_KEY: "key-1",
      CONSUMER_SECRET: "secret-1",
    };
    const first = await begin({ cwd: folder, env }, ["init", "bot", ...LIVE]).ended;
    const again = await begin({ cwd: folder, env: { ...env, BEARER_TOKEN: "b" } }, [
      "init",
      "bot",
      "--live",
    ]).ended;

    expect(first.err).toMatch(/Put its keys into bot\/\.env, .*:\n {3}BEARER_TOKEN\n/);
    expect(again.err).toContain("Its keys are in the environment");
    expect(await read(".env")).not.toContain("key-1");
    expect(await read("config/live.yaml")).toContain("base_url: https://api.example.com");
  });

  it("is suggested by a command that needs missing live settings", async () => {
    const { code, err } = await run(folder, "doctor", "--live");

    expect(code).toBe(3);
    expect((await run(folder, "status", "--live")).err).toContain("answerback init --live");
    expect(err).toBe("");
  });
});

describe("the settings of the live bot", () => {
  const places = { baseUrl: "https://api.example.com", webhookUrl: "https://bot.example/hook" };

  it.each([
    {
      before: "version: 1\nplatform: # ours\nwebhook:\n",
      after:
        "version: 1\nplatform:\n  # ours\n  base_url: https://api.example.com\nwebhook:\n  url: https://bot.example/hook\n",
      why: "parts without a value",
    },
    {
      before:
        "version: 1\r\nplatform: &p\r\n  base_url: https://old.example # theirs\r\nwebhook: {}\r\n",
      after:
        "version: 1\r\nplatform: &p\r\n  base_url: https://api.example.com # theirs\r\nwebhook: {url: https://bot.example/hook}\r\n",
      why: "line ends of Windows, an anchor",
    },
    {
      before: `platform:\n  # base_url: https://api.example.com # where the platform's interface answers\n  base_url: https://old.example\nwebhook: { url: "https://bot.example/hook" }\nhttp:\n  # url: a\n  deny: []\n`,
      after: `platform:\n  # base_url: https://api.example.com # where the platform's interface answers\n  base_url: https://api.example.com\nwebhook: {url: "https://bot.example/hook"}\nhttp:\n  # url: a\n  deny: []\n`,
      why: "comments that look like settings",
    },
    {
      before: `platform: { base_url: "https://api.example.com" }\r\nwebhook: { url: https://bot.example/hook } # same\n`,
      after: `platform: { base_url: "https://api.example.com" }\r\nwebhook: { url: https://bot.example/hook } # same\n`,
      why: "the same values",
    },
  ])("get the addresses, and keep everything else: $why", ({ before, after }) => {
    expect(withPlaces(before, places)).toBe(after);
  });

  it("fill the open lines of a file with the line ends of Windows", () => {
    const text = liveSettings("version: 1\nrules: [a.yaml]\n", {});
    const onWindows = withPlaces(text.replaceAll("\n", "\r\n"), places);

    expect(onWindows).toBe(withPlaces(text, places).replaceAll("\n", "\r\n"));
    expect(onWindows).not.toContain("# url:");
  });

  it.each(["shared: &p { dialect: post }\nplatform: *p\n", "platform: here\n"])(
    "are refused if the platform's part is no map of its own: %s",
    (text) => {
      expect(() => withPlaces(text, places)).toThrow("can't set platform.base_url");
    },
  );

  it("are written with the line ends of Unix from settings with those of Windows", () => {
    const own = "# yaml-language-server: $schema=s.json\nversion: 1\ndata: x\n\nrules: [a]\n";

    expect(liveSettings(own.replaceAll("\n", "\r\n"), {})).toBe(liveSettings(own, {}));
  });

  it.each([
    { own: "  version: 1\n  store: file:x\n  rules: [../rules/*.yaml] # one\n  bots: []\n" },
    { own: "  rules: [../rules/*.yaml] # one\n  bots: []\n  version: 1\n  store: file:x\n" },
    { own: "{ version: 1, target: sandbox, rules: [../rules/*.yaml], # one\n bots: [] }\n" },
    {
      own: "? version\n: 1\n? store\n: file:x\n? rules\n: [../rules/*.yaml] # one\n? bots\n: []\n",
    },
  ])("repeat settings that are indented or in braces: $own", ({ own }) => {
    const [, same] = liveSettings(own, {}).split("is to be changed here.\n\n");

    expect(same).toBe("rules: [../rules/*.yaml] # one\nbots: []\n");
  });

  it("repeat nothing of settings in braces that has only the platform's part", () => {
    const text = liveSettings("{ version: 1, target: sandbox }", {});

    expect(text).toMatch(/is to be changed here\.\n\n$/);
  });

  it("repeat the project's settings as written, except the platform's part", () => {
    const own = `# about the file
version: 1
# a block with comments
app:
  consumer_key: other # k
  # about the next one
  bearer_token: other

# about limits
limits: { replies: 60 in 10m } # chatty
webhook: { listen: "127.0.0.1:9000" }
target: sandbox # the platform

bots:
  - one.ts # the first
store: postgres://bot@localhost/bot
data: /var/lib/bot
role: worker
`;
    const [, same] = liveSettings(own, {}).split("is to be changed here.\n\n");

    expect(same).toBe(`# a block with comments

# about limits
limits: { replies: 60 in 10m } # chatty

bots:
  - one.ts # the first
`);
    expect(liveSettings(own, {})).toContain("  listen: 127.0.0.1:9000\n");
  });
});
