import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { begin, type Ran, type Running } from "../../../support/command-line.ts";
import { FREE_PORTS } from "../../../support/own-address.ts";

const RULES = `version: 1
rules:
  - id: human
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: human } }]
    actions: [{ escalate: { queue: support, pause_bot: { for: 12h, until: resolved } } }]
  - id: hours
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: hours } }]
    actions: [{ reply_dm: "nine" }]
`;

let cwd: string;
let dev: Running;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "answerback-same-bot-"));
  await mkdir(join(cwd, "config", "rules"), { recursive: true });
  await writeFile(join(cwd, "config/rules/a.yaml"), RULES);
  await writeFile(join(cwd, "config/live.yaml"), "version: 1\nstore: file:../data.live\n");
});
afterAll(() => rm(cwd, { recursive: true }));
beforeEach(async () => {
  dev = begin({ cwd, env: FREE_PORTS }, ["dev", "--live"]);
  await dev.until("Ctrl-C ends both");
});
afterEach(() => dev.end());

const live = (...args: readonly string[]): Promise<Ran> =>
  begin({ cwd }, [...args, "--live"]).ended;

/** Commands in a text that read settings, each with the flag after its name. */
function commandsIn({ out, err }: Ran): readonly string[] {
  const all = `${out}\n${err}`.match(/(?<![\w@/.-])answerback [a-z]+(?: [a-z]+)?(?: --[a-z]+)?/g);
  return (all ?? []).filter((command) => !/^answerback (?:init|explain|docs)\b/.test(command));
}

/** Commands without `--live` in the output of a command; the whole output if it names no command. */
function wrongAdvice(args: readonly string[], ran: Ran): readonly string[] {
  const commands = commandsIn(ran);
  if (commands.length === 0) return [`${args.join(" ")} names no command: ${ran.out}${ran.err}`];
  return commands.flatMap((command) =>
    command.endsWith(" --live") ? [] : [`${args.join(" ")}: ${command}`],
  );
}

describe("a command with --live", () => {
  it("names the live bot in the suggestions of dev", async () => {
    const { out } = await dev.end();

    expect(wrongAdvice(["dev"], { code: 0, out, err: "" })).toEqual([]);
  });

  it("names the live bot in all advice", async () => {
    const seen: (readonly [readonly string[], Ran])[] = [];
    const see = async (...args: string[]): Promise<void> =>
      void seen.push([args, await live(...args)]);
    await see("send", "@ana", "human", "--wait", "5");
    await see("status");
    await see("escalations", "show", "1");
    await see("why", "@ana");
    await see("answer", "@ana", "We look.");
    await see("journal", "--account", "404");
    await see("runs", "--failed");
    await see("outbox", "--status", "unknown");
    await see("escalations", "resolve");
    await see("escalations", "resolve", "99");
    await live("escalations", "resolve", "1");
    await see(
      "fault",
      "add",
      "status",
      "--status",
      "403",
      "--on",
      "request",
      "--path",
      "/2/dm*",
      "--method",
      "POST",
      "--always",
    );
    await see("send", "@ben", "hours", "--wait", "5");
    await see("outbox", "show", "2");
    await see("outbox", "show", "99");
    await see("outbox", "retry", "99");
    await see("trace", "99/rule:hours");
    await see("why", "last", "--rule", "nope");
    await see("forget", "@ana");
    await see("snapshot", "list");
    await see("snapshot", "save", "one");
    await see("snapshot", "restore", "none");
    await see("dm", "list", "--as", "@nobody");
    await live("pause");
    await see("status");
    await see("send", "@ben", "hours", "--wait", "1");

    expect(seen.flatMap(([args, ran]) => wrongAdvice(args, ran))).toEqual([]);
    expect((await live("dev")).err).toContain('talk to it with: answerback send --live @ana "hi"');
    expect(JSON.parse((await live("outbox", "retry", "99", "--json")).err)).toMatchObject({
      hint: expect.stringContaining("answerback outbox list --live"),
    });
  });

  it("names the live bot where none runs", async () => {
    await dev.end();
    for (const args of [["status"], ["open"], ["pause"], ["why", "@ana"], ["send", "@ana", "hi"]]) {
      expect(wrongAdvice(args, await live(...args))).toEqual([]);
    }
    await cp(join(cwd, "config/live.yaml"), join(cwd, "my live.yaml"));
    const other = await begin({ cwd }, ["status", "--config", "my live.yaml", "--data", "e 1"])
      .ended;

    expect(other.err).toContain("answerback run --config 'my live.yaml' --data 'e 1'");
  });
});
