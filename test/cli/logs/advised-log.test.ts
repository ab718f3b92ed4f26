import { expect, it, test } from "vitest";
import { advisedLog } from "../../../src/cli/logs/advised-log.ts";
import { UsageError } from "../../../src/errors.ts";
import { openLog, type Log } from "../../../src/runtime/log.ts";

/** Writes with a log that adds `--live` to commands. @returns The line. */
function lineOf(write: (log: Log) => void): Record<string, unknown> {
  const lines: string[] = [];
  const log = openLog({ level: "debug", destination: { write: (line) => void lines.push(line) } });
  write(advisedLog(log, (text) => text.replaceAll("answerback login", "$& --live")));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines.join(""));
}

const REFUSED = new UsageError("no account", { hint: "link one: answerback login" });

test.each<[string, (log: Log) => void, object]>([
  [
    "a message",
    (log) => log.warn("fix: answerback login"),
    { msg: "fix: answerback login --live" },
  ],
  [
    "a message beside fields",
    (log) => log.error({ account: "7" }, "fix: answerback login"),
    { account: "7", msg: "fix: answerback login --live" },
  ],
  [
    "a message of a child",
    (log) => log.child({ stage: "outbox" }).info("answerback login"),
    { stage: "outbox", msg: "answerback login --live" },
  ],
  [
    "the hint of an error",
    (log) => log.warn({ err: REFUSED }, "not sent"),
    {
      msg: "not sent",
      err: {
        type: "UsageError",
        code: "usage",
        message: "no account",
        hint: "link one: answerback login --live",
      },
    },
  ],
  [
    "the hint of a bare error",
    (log) => log.debug(REFUSED),
    { msg: "no account", err: { hint: "link one: answerback login --live" } },
  ],
])("%s names the operator's settings", (_, write, line) => {
  expect(lineOf(write)).toMatchObject(line);
});

test.each<[string, (log: Log) => void, object]>([
  [
    "the line of a rule",
    (log) => log.child({ stage: "runs" }).info({ rule: "a" }, "ana wrote: answerback login"),
    { stage: "runs", rule: "a", msg: "ana wrote: answerback login" },
  ],
  [
    "the line of a bot",
    (log) => log.warn({ bot: "dice" }, "ana wrote: answerback login"),
    { bot: "dice", msg: "ana wrote: answerback login" },
  ],
  [
    "the line of a dry run",
    (log) => log.info({ action: "reply_dm" }, 'would send: message to 200: "run answerback login"'),
    { msg: 'would send: message to 200: "run answerback login"' },
  ],
  ["fields without a message", (log) => log.info({ a: 1 }), { a: 1 }],
])("%s stays as it is", (_, write, line) => {
  expect(lineOf(write)).toMatchObject(line);
});

it("an error keeps its own hint", () => {
  lineOf((log) => log.warn({ err: REFUSED }, "not sent"));

  expect(REFUSED.hint).toBe("link one: answerback login");
});
