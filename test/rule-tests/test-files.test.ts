import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Problem } from "../../src/config/problem.ts";
import { readTests } from "../../src/insight/tests/read-tests.ts";
import { runFiles } from "../../src/insight/tests/run-files.ts";
import { HOURS, runTests } from "./support.ts";

describe("a first test file", () => {
  const helpOf = (users: string, expected = "{reply_dm: {text: hi}}"): readonly unknown[] => {
    const tests = `tests: [{name: a, events: [{dm.received: {from: ann, text: hi}}], expect: [${expected}]}]`;
    const text = `version: 1\nrule_files: [a.yaml]\nstart_time: 2026-03-02T09:00:00Z\n${users}\n${tests}\n`;
    return readTests(text, "a.test.yaml", "/rules").problems.map(({ help }) => help);
  };

  it("has corrections that can be pasted", () => {
    expect(helpOf("")).toEqual(['add  users: { ann: { id: "1001" } }']);
    expect(helpOf("users: {ann: {}}")).toEqual(['add  id: "1001"']);
    expect(helpOf('users: {ann: {id: "1001"}}', "{reply_dm: hi}")).toEqual(["write  { text: hi }"]);
    expect(helpOf('users: {ann: {id: "1001"}}')).toEqual([]);
  });

  it.each(["", "rule_files: []\nbot_files: []\n"])(
    "names the rules or bots to test, because without them no test means anything: %j",
    (files) => {
      const text = `version: 1\n${files}users: {}\ntests: [{name: a, advance_to: 1h, expect: []}]\n`;
      const { file, problems } = readTests(text, "rules/a.test.yml", "/");
      expect(file).toBeUndefined();
      expect(problems.map(({ code, help }) => [code, help])).toEqual([
        ["missing-key", "add  rule_files: [a.yml]"],
      ]);
    },
  );
});

describe("a test of a bot that imports a missing package", () => {
  it.each([
    { file: "package.json", text: '{"type":"module"}', why: "an ES module" },
    { file: "package.json", text: "{}", why: "a CommonJS module" },
  ])("names the package and the bot, without frames of loaders: $why", async ({ file, text }) => {
    const base = await realpath(await mkdtemp(join(tmpdir(), "answerback-missing-package-")));
    onTestFinished(() => rm(base, { recursive: true, force: true }));
    const bot = join(base, "a.ts");
    await writeFile(join(base, file), text);
    await writeFile(bot, 'import x from "no-such-package-zz";\nexport default x;\n');
    const tests =
      'version: 1\nbot_files: [a.ts]\nusers: {ann: {id: "1"}}\ntests: [{name: a, advance_to: 1h, expect: []}]\n';

    const failure = runFiles([{ path: "a.test.yaml", text: tests }], { base });

    await expect(failure).rejects.toThrow(/Cannot find (?:package|module) 'no-such-package-zz'/);
    await expect(failure).rejects.toThrow(bot);
    await expect(failure).rejects.not.toThrow(/\n +at |tried again/);
  });
});

describe("a file of tests", () => {
  const EVENT = "events: [{dm.received: {from: ann, text: hi}}]";

  it.each([
    { test: `{name: a, evnts: []}`, at: "evnts", message: 'unknown key "evnts"' },
    { test: `{name: a}`, at: "{name: a}", message: "a test needs an event, or a time to go on to" },
    { test: `{name: a, events: [{at: 0s}]}`, at: "{at: 0s}", message: "this event has no trigger" },
    {
      test: `{name: a, events: [{dm.received: {from: an, text: hi}}]}`,
      at: "an",
      message: '"an" is not a user of this file',
    },
    {
      test: `{name: a, ${EVENT}, expect: [{at: 2s}]}`,
      at: "{at: 2s}",
      message: "this expectation names no action",
    },
    {
      test: `{name: a, ${EVENT}, expect: [{reply_dm: {txt: hi}}]}`,
      at: "txt",
      message: 'unknown key "txt" of reply_dm',
    },
    {
      test: `{name: a, ${EVENT}, expect: [{reply_dm: {to: bob}}]}`,
      at: "bob",
      message: '"bob" is not a user',
    },
    {
      test: `{name: a, ${EVENT}, expect: [{reply_dm: {text: {contain: hi}}}]}`,
      at: "contain",
      message: 'unknown key "contain"',
    },
    {
      test: `{name: a, ${EVENT}, expect: [{rule: houres, reply_dm: {}}]}`,
      at: "",
      message: 'no rule "houres" is in the rule files',
    },
    {
      test: `{name: a, ${EVENT}, http: [{match: {url: "https://a.test/"}, respond: {json: {}, fail: timeout}}]}`,
      at: "fail",
      message: '"json" and "fail" both set the response of the service',
    },
    {
      test: `{name: a, ${EVENT}, http: [{match: {url: {end_with: a}}, respond: {}}]}`,
      at: "end_with",
      message: 'unknown key "end_with"',
    },
    {
      test: `{name: a, ${EVENT}, expect: [{http: {address: a}}]}`,
      at: "address",
      message: 'unknown key "address" of http',
    },
    {
      test: `{name: a, events: [{at: 1h, dm.received: {from: ann, text: hi}}], advance_to: 10m}`,
      at: "10m",
      message: "the test ends at 10m, and its last event is at 1h",
    },
    {
      test: `{name: a, events: [{at: soon, dm.received: {from: ann, text: hi}}]}`,
      at: "soon",
      message: "not a duration",
    },
  ])("is refused with the place of its mistake: $message", async ({ test, at, message }) => {
    const { problems, tests } = await runTests(HOURS, `- ${test}`);

    expect(tests).toEqual([]);
    expect(problems.map(pointedAt)).toEqual([`8 ${at}`]);
    expect(problems[0]?.message).toContain(message);
  });
});

it("users of a test file with the same id are refused", async () => {
  const head = `version: 1
rule_files: [rules.yaml]
users: {ann: {id: "1001"}, bob: {id: "1002"}, cy: {id: "1001"}}
`;
  const { problems } = await runTests(HOURS, "- {name: a, advance_to: 1h}", head);

  expect(problems.map(({ message }) => message)).toEqual([
    'the users "ann" and "cy" have the same id',
  ]);
  expect(problems.map(pointedAt)).toEqual(['3 "1001"']);
});

/** Returns the line and the text that a caret underlines. */
function pointedAt({ line, column, length, sourceLine = "" }: Problem): string {
  return `${line} ${sourceLine.slice(column - 1, column - 1 + length)}`;
}
