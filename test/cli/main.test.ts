import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it, test } from "vitest";
import { everyCommand, programOf } from "../../src/cli/program.ts";
import { hasColors, processIo, stopHandler, terminalWidth } from "../../src/cli/io.ts";
import { openStore } from "../../src/runtime/store/open.ts";
import { begin, run } from "../support/command-line.ts";

const TORN = `version: 1
rules:
  - id: torn
    trigers: [dm.received]
    actions: [{reply_dm: {text: never}}]
`;

const LIVE = `version: 1
target: live
platform: { base_url: "https://api.example.com" }
app: { consumer_key: a, consumer_secret: b, bearer_token: c }
`;

const FAILING_TEST = `version: 1
rule_files: [right.yaml]
users: {ann: {id: "1001"}}
tests:
  - name: another answer
    events: [{dm.received: {from: ann, text: hi}}]
    expect: [{rule: torn, reply_dm: {text: other}}]
`;

const LOG_LINE = '{"level":30,"time":"2026-01-01T00:00:00.000Z","msg":"started"}';

describe("a command line", () => {
  let empty: string;
  beforeAll(async () => {
    empty = await mkdtemp(join(tmpdir(), "answerback-main-"));
    await mkdir(join(empty, "config", "rules"), { recursive: true });
    await writeFile(join(empty, "config", "rules", "torn.yaml"), TORN);
  });
  afterAll(() => rm(empty, { recursive: true, force: true }));

  test.each([
    { args: ["--help"], code: 0, why: "help was asked for" },
    { args: ["--version"], code: 0, why: "the version was asked for" },
    { args: ["statu"], code: 2, why: "there is no such command" },
    { args: ["fault"], code: 2, why: "a group of commands needs one of them" },
    { args: ["send", "@ana"], code: 2, why: "there is nothing to say" },
    { args: ["dev", "--port", "high"], code: 2, why: "a port is a number" },
    { args: ["clock", "sideways"], code: 2, why: "it is no change of the clock" },
    { args: ["check", "--format", "sarif", "--json"], code: 2, why: "there is one output" },
    { args: ["check"], code: 3, why: "it ran and found problems" },
    { args: ["doctor"], code: 3, why: "it ran and found problems" },
    { args: ["status"], code: 5, why: "no bot runs" },
    { args: ["clock"], code: 5, why: "no sandbox runs" },
    { args: ["logs"], code: 5, why: "nothing has run here" },
    { args: ["login", "--port", "65536"], code: 2, why: "ports go to 65535" },
    { args: ["init", "config/rules/torn.yaml"], code: 2, why: "a folder has the name of a file" },
    { args: ["init", "a".repeat(300)], code: 2, why: "no folder has so long a name" },
    { args: ["journal", "--limit", "1001"], code: 2, why: "a list has up to 1000 results" },
    { args: ["outbox", "--limit", "1001"], code: 2, why: "a list has up to 1000 results" },
    { args: ["escalations", "--limit", "1001"], code: 2, why: "a list has up to 1000 results" },
    { args: ["coverage", "--hours", "721"], code: 2, why: "coverage goes back up to 720 hours" },
  ])("$args exits with $code: $why", async ({ args, code }) => {
    const ran = await run(empty, ...args);

    expect(ran.code, ran.err).toBe(code);
    expect(ran.err).not.toContain("bug:");
  });

  test.each([
    { group: "outbox", flags: ["--status", "--person"], example: "outbox list --person @ana" },
    { group: "escalations", flags: ["--queue", "--all"], example: "escalations list --queue" },
    { group: "rules", flags: ["--config", "--json"], example: "rules list" },
  ])(
    "shows the options and examples of the default command in the help of $group",
    async ({ group, flags, example }) => {
      const { out } = await run(empty, group, "--help");

      for (const flag of flags) expect(out).toMatch(new RegExp(`^ +(-., )?${flag}\\b`, "m"));
      expect(out).toContain("Commands:");
      expect(out).toMatch(new RegExp(`^Examples:[^]*^  answerback ${example}`, "m"));
    },
  );

  test("shows no options of a default command in the help of other commands", async () => {
    const { out } = await run(empty, "outbox", "show", "--help");

    expect(out).not.toContain("--status");
    expect((await run(empty, "fault", "--help")).out).not.toContain("Examples:");
  });

  test.each(["status", "journal", "outbox", "backup"])(
    "%s exits with 5 if the store has no tables: no bot has started with it",
    async (command) => {
      await mkdir(join(empty, "data"), { recursive: true });
      await writeFile(join(empty, "data", "store.db"), "");
      const { code, err } = await run(empty, command);
      await rm(join(empty, "data"), { recursive: true });

      expect(code, err).toBe(5);
      expect(err).toContain("the store has no tables, because no bot has started with it");
      expect(err).toContain("help: start the bot once: answerback run");
    },
  );

  it("exits with 5 while a process holds the store but answers no command", async () => {
    const data = join(empty, "data");
    const store = await openStore(`file:${data}`);
    const commands = [["status"], ["journal"], ["outbox", "--json"], ["forget", "@ana", "--yes"]];
    const ended = await Promise.all(commands.map((args) => run(empty, ...args)));
    await store.close();
    const { code } = await run(empty, "outbox");
    await rm(data, { recursive: true });

    for (const ran of ended) {
      expect(ran.code, ran.err).toBe(5);
      expect(ran.err).toContain(`a process uses the store in ${data}, but answers no command`);
      expect(ran.err).toContain("try again in a moment");
    }
    expect(code).toBe(0);
  });

  test.each([
    ["init", "~/bot"],
    ["status", "--data=~/data"],
    ["backup", "--to=~/b.backup"],
    ["run", "--log-file=~/bot.log"],
    ["sandbox", "--state=~"],
    ["test", "--junit=~/r.xml"],
  ])("%s %s is refused: no shell has replaced the ~", async (...args) => {
    const { code, err } = await run(empty, ...args);

    expect(code, err).toBe(2);
    expect(err).toContain('The shell has not replaced "~": write the whole path.');
  });

  test.each([
    ["dev", "--fresh", "--data", ""],
    ["dev", "--data="],
    ["status", "--config", ""],
    ["backup", "--to", ""],
    ["run", "--log-file", ""],
    ["init", ""],
    ["init", "--live", "--keys", ""],
    ["test", "--junit", ""],
    ["backtest", "--rules", ""],
    ["rules", "diff", "--rules", ""],
    ["accounts", "add", "--tokens", ""],
    ["api", "POST", "/2/tweets", "--body-file", ""],
  ])("an empty path is refused, as from an unset variable: %s %s %s %s", async (...args) => {
    const cwd = await mkdtemp(join(tmpdir(), "answerback-empty-path-"));
    const { code, err } = await run(cwd, ...args);
    const names = await readdir(cwd);
    await rm(cwd, { recursive: true });

    expect(code, err).toBe(2);
    expect(err).toContain("The path is empty.");
    expect(names).toEqual([]);
  });

  test.each([
    { what: "handle", args: ["pause", "--account", ""] },
    { what: "handle", args: ["resume", "--account", "@"] },
    { what: "handle", args: ["resume", "--person", ""] },
    { what: "handle", args: ["answer", "", "hi"] },
    { what: "handle", args: ["answer", "@ana", "hi", "--account", ""] },
    { what: "handle", args: ["forget", "", "--yes"] },
    { what: "handle", args: ["send", "＠", "hi"] },
    { what: "handle", args: ["chat", "--as", ""] },
    { what: "handle", args: ["journal", "--person", " "] },
    { what: "handle", args: ["outbox", "--person", ""] },
    { what: "lane", args: ["outbox", "--lane", ""] },
    { what: "handle", args: ["runs", "--person", ""] },
    { what: "handle", args: ["escalations", "--person", ""] },
    { what: "queue", args: ["escalations", "--queue", ""] },
    { what: "handle", args: ["escalations", "resolve", "--person", ""] },
    { what: "event", args: ["why", ""] },
    { what: "event", args: ["trace", "@"] },
    { what: "handle", args: ["fault", "add", "drop", "--account", ""] },
    { what: "id", args: ["fault", "clear", ""] },
    { what: "name", args: ["apps", "create", ""] },
    { what: "id", args: ["apps", "show", ""] },
    { what: "handle", args: ["users", "get", ""] },
    { what: "handle", args: ["accounts", "add", ""] },
    { what: "handle", args: ["dm", "list", "--with", ""] },
    { what: "handle", args: ["posts", "create", "hi", "--as", ""] },
    { what: "id", args: ["posts", "get", ""] },
    { what: "URL", args: ["webhooks", "create", ""] },
    { what: "name", args: ["answer", "@ana", "hi", "--by", ""] },
  ])("an empty $what is refused, as from an unset variable: $args", async ({ what, args }) => {
    const { code, out, err } = await run(empty, ...args);

    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(`The ${what} is empty. If it comes from a variable, set the variable.`);
  });

  test.each([
    { args: ["fault", "add", "drop", "--always", "--next", "3"], err: "cannot be used with" },
    { args: ["fault", "add", "drop", "--every", "3", "--next", "2"], err: "cannot be used with" },
    {
      args: ["fault", "add", "drop", "--probability", "0.5", "--until", "2026-12-02"],
      err: "cannot be used with",
    },
    { args: ["fault", "add", "drop", "--seed", "x", "--next", "2"], err: "--probability" },
    { args: ["fault", "add", "drop", "--until", "soon"], err: "must be a time in ISO 8601" },
    { args: ["fault", "add", "status", "--status", "99"], err: "from 200 to 599" },
    { args: ["fault", "add", "delay", "--ms", "99999999"], err: "from 0 to 3600000" },
    { args: ["fault", "add", "duplicate", "-n", "101"], err: "from 1 to 100" },
    { args: ["fault", "add", "drop", "--path", "2/posts"], err: "must begin with a slash" },
    { args: ["fault", "add", "stall"], err: "stall happens to streams only" },
    { args: ["clock", "+999999999999d"], err: "at most 366 days" },
    { args: ["clock", "pause", "now"], err: '"pause" takes no time' },
    { args: ["clock", "+1h", "09:00"], err: '"+1h" takes no time' },
    { args: ["send", "@ana", "hello", "--follow"], err: "--follow sends no text" },
    { args: ["open", "traces", "--sessions"], err: "--sessions opens no page" },
    { args: ["open", "traces", "--revoke", "1"], err: "--revoke opens no page" },
    {
      args: ["api", "POST", "/2/posts", "--body", "{}", "--body-file", "x"],
      err: "cannot be used with",
    },
    { args: ["restore", "missing.backup"], err: "there is no file" },
  ])("$args is a usage error instead of being ignored in part", async ({ args, err: text }) => {
    const { code, out, err } = await run(empty, ...args);

    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(text);
    expect(err).toMatch(/^ {2}help: /m);
  });

  test.each([
    {
      args: ["run", "--log-level", "wran"],
      guess: "warn",
      all: "debug, info, warn, error, silent",
    },
    { args: ["dev", "--log-level", "debgu"], guess: "debug", all: "debug, info" },
    { args: ["outbox", "--status", "faild"], guess: "failed", all: "pending, sending, sent" },
    { args: ["fault", "add", "dorp"], guess: "drop", all: "drop, duplicate" },
    { args: ["fault", "add", "drop", "--on", "reqest"], guess: "request", all: "delivery" },
    { args: ["events", "--type", "clok"], guess: "clock", all: "activity, delivery" },
    { args: ["init", "x", "--template", "fqa"], guess: "faq", all: "echo, faq" },
    { args: ["logs", "--level", "eror"], guess: "error", all: "info, warn, error" },
    { args: ["check", "--format", "srif"], guess: "sarif", all: "text, json, sarif, github" },
    { args: ["outbox", "settle", "1", "--as", "snet"], guess: "sent", all: "sent, failed" },
  ])("$args is refused with all that may be written, and a guess", async ({ args, guess, all }) => {
    const people = await run(empty, ...args);
    const programs = await run(empty, ...args, "--json");

    expect(people.code).toBe(2);
    expect(people.err).toContain(`Allowed choices are ${all}`);
    expect(people.err).toContain(`(Did you mean ${guess}?)`);
    expect(JSON.parse(programs.err)).toMatchObject({ hint: `Did you mean ${guess}?` });
  });

  it("keeps stdout for data: an error goes to stderr, with a hint", async () => {
    const { out, err } = await run(empty, "status");

    expect(out).toBe("");
    expect(err).toMatch(/^error: no bot runs .*\n {2}help: start one with: answerback run/);
  });

  it.each([
    { flags: ["--live"], start: "start it with: answerback run --live\n" },
    {
      flags: ["--config", "a b.yaml"],
      start: "start one with: answerback run --config 'a b.yaml', or",
    },
  ])("names the settings of the bot that is to be started: $flags", async ({ flags, start }) => {
    await writeFile(join(empty, "config", "live.yaml"), LIVE);
    await writeFile(join(empty, "a b.yaml"), "version: 1\n");

    for (const command of ["status", "pause"]) {
      expect((await run(empty, command, ...flags)).err, command).toContain(start);
    }
  });

  it.each([
    { args: ["status"], code: "not-running", hint: /answerback run/ },
    { args: ["statu"], code: "usage", hint: /Did you mean status/ },
    { args: ["clock", "--confg", "x"], code: "usage", hint: /Did you mean --config/ },
  ])("prints the error of $args as JSON with --json", async ({ args, code, hint }) => {
    const { err } = await run(empty, ...args, "--json");

    const error: { code: string; message: string; hint: string } = JSON.parse(err);
    expect(error.code).toBe(code);
    expect(error.message).not.toBe("");
    expect(error.hint).toMatch(hint);
  });

  it.skipIf(process.platform !== "linux").each([
    ["init", "/proc/answerback/bot", "--yes"],
    ["sandbox", "--port", "0", "--state", "/proc/answerback/world"],
    ["dev", "--data", "/proc/answerback"],
  ])("ends where no folder can be created: %s %s %s %s", async (...args) => {
    const { code, out, err } = await run(empty, ...args);

    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^error: \/proc\/answerback\S*: no folder can be created here$/m);
  });

  it("suggests the command for a misspelt one", async () => {
    expect((await run(empty, "snapshto")).err).toContain("(Did you mean snapshot?)");
  });

  it("shows a mistake in a rule file with a caret, and for programs one problem a line", async () => {
    const people = await run(empty, "check");
    const programs = await run(empty, "check", "--json");

    expect(people.out).toContain("config/rules/torn.yaml:4:5: error:");
    expect(people.out).toContain("^~~~~~~");
    expect(JSON.parse(programs.out.split("\n")[0] ?? "")).toMatchObject({ line: 4, column: 5 });
  });

  it("checks the files that are named only", async () => {
    expect((await run(empty, "check", "config/rules/none.yaml")).code).toBe(2);
    expect((await run(empty, "check", "config/rules/torn.yaml")).code).toBe(3);
  });

  it.each([
    { isTTY: true, env: {}, colored: true },
    { isTTY: false, env: {}, colored: false },
    { isTTY: true, env: { TERM: "dumb" }, colored: false },
    { isTTY: true, env: { NO_COLOR: "1", FORCE_COLOR: "1" }, colored: false },
    { isTTY: false, env: { FORCE_COLOR: "1" }, colored: true },
    { isTTY: true, env: { FORCE_COLOR: "0" }, colored: false },
    { isTTY: false, env: { FORCE_COLOR: "0" }, colored: false },
  ])("decides on colours by terminal and environment: $isTTY, $env", ({ isTTY, env, colored }) => {
    expect(hasColors({ isTTY }, env)).toBe(colored);
  });

  it("prints no colour without a terminal or with --no-color", async () => {
    const colored = begin({ cwd: empty }, ["check", "--no-color"]);

    const { out, err } = await colored.ended;

    expect(out + err).not.toContain("\u001B[");
  });

  it("is spelled the same everywhere: every command has a description and short lower-case words", async () => {
    for (const command of everyCommand(await programOf(processIo(), "0.0.0-test"))) {
      expect(command.name()).toMatch(/^[a-z]+$/);
      expect(command.description(), command.name()).not.toBe("");
    }
  });

  it("names the checked settings in the fixes of doctor", async () => {
    await writeFile(join(empty, "other.yaml"), "version: 1\nstor: x\n");

    const { out } = await run(empty, "doctor", "--config", "other.yaml");

    expect(out).toContain("fix: answerback check --config other.yaml\n");
  });
});

describe("a process", () => {
  it("takes two signals of one key press as one: npm repeats the SIGINT of the terminal", () => {
    let time = 0;
    const calls: string[] = [];
    const onSignal = stopHandler(
      () => calls.push("stop"),
      () => calls.push("exit"),
      () => time,
    );

    onSignal();
    time += 2;
    onSignal();
    expect(calls).toEqual(["stop"]);
    time += 1_000;
    onSignal();
    expect(calls).toEqual(["stop", "exit"]);
  });

  it("does not wrap for a terminal of unknown width, which has 0 columns on a serial line", () => {
    expect(terminalWidth({ isTTY: true, columns: 0 })).toBeUndefined();
    expect(terminalWidth({ isTTY: true, columns: 40 })).toBe(40);
    expect(terminalWidth({ isTTY: false, columns: 40 })).toBeUndefined();
  });

  it("goes on if nobody reads its messages any more, as after Ctrl-C in `run 2>&1 | tee`", async () => {
    const child = spawn(process.execPath, [join(inject("prebuilt"), "src/cli/bin.js"), "statu"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr.destroy();

    const code = await new Promise((resolve) => child.once("exit", resolve));

    expect(code).toBe(2);
  });
});

describe("a command whose reader closes the pipe", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "answerback-pipe-"));
    await mkdir(join(folder, "data"));
    await writeFile(join(folder, "data", "bot.log"), `${LOG_LINE}\n`);
    await writeFile(join(folder, "wrong.yaml"), TORN);
    await writeFile(join(folder, "right.yaml"), TORN.replace("trigers", "triggers"));
    await writeFile(join(folder, "failing.test.yaml"), FAILING_TEST);
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Runs a command whose output is a pipe that is closed from the start. @returns The exit code. */
  async function withoutReader(args: readonly string[]): Promise<unknown> {
    const child = spawn(process.execPath, [join(inject("prebuilt"), "src/cli/bin.js"), ...args], {
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"],
    });
    child.stdout.destroy();
    const [code]: unknown[] = await once(child, "exit");
    return code;
  }

  test.each([
    { args: ["check", "wrong.yaml"], code: 3, why: "it found problems" },
    { args: ["check", "--json", "wrong.yaml"], code: 3, why: "it found problems" },
    { args: ["check", "right.yaml"], code: 0, why: "it found none" },
    { args: ["test", "failing.test.yaml"], code: 3, why: "a test failed" },
    { args: ["--help"], code: 0, why: "help was asked for" },
    { args: ["logs", "-f"], code: 0, why: "it has no end" },
    { args: ["sandbox", "--port", "0"], code: 0, why: "it has no end" },
  ])("$args exits with $code: $why", async ({ args, code }) => {
    expect(await withoutReader(args)).toBe(code);
  });
});
