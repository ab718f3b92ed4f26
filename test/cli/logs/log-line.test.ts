import pc from "picocolors";
import { describe, expect, it } from "vitest";
import { formatLogLine, readLogLine } from "../../../src/cli/logs/log-line.ts";

const colors = pc.createColors(false);
const TIME = "2030-01-31T09:00:00.123Z";

describe("a line of the log", () => {
  it.each([
    {
      line: { level: 30, time: TIME, stage: "link", msg: "subscribed", account: "7" },
      shown: "2030-01-31T09:00:00Z info  link: subscribed account=7",
      why: "stage, message and fields",
    },
    {
      line: { level: 50, time: TIME, msg: "broke", err: { stack: "Error: no\n    at here" } },
      shown: "2030-01-31T09:00:00Z error broke \n    Error: no\n        at here",
      why: "an error with its stack",
    },
    {
      line: {
        level: 50,
        time: TIME,
        msg: "broke",
        err: { type: "StoreError", message: "no room", hint: "make some" },
      },
      shown: "2030-01-31T09:00:00Z error broke \n    StoreError: no room\n    help: make some",
      why: "an error without its stack, and what to do",
    },
    {
      line: { level: 50, time: TIME, msg: "Error: no", bot: "b", place: "/bots/b.ts:3:4" },
      shown: "2030-01-31T09:00:00Z error Error: no bot=b \n    at /bots/b.ts:3:4",
      why: "a fault of a bot in two lines",
    },
    {
      line: { level: 30, time: TIME, msg: "a table\nof two lines" },
      shown: "2030-01-31T09:00:00Z info  a table\n    of two lines",
      why: "a message of several lines",
    },
    {
      line: { level: 35, time: TIME, msg: "a\u001B[2Jb" },
      shown: "2030-01-31T09:00:00Z 35    a\\u001b[2Jb",
      why: "an unknown level, and no control characters",
    },
  ])("is formatted for people: $why", ({ line, shown }) => {
    expect(formatLogLine(JSON.stringify(line), colors)).toBe(shown);
  });

  it.each([
    { text: '{"level":30,"time":"20', why: "cut off by a crash" },
    { text: '{"level":"30","time":"x"}', why: "of another program" },
    { text: "plain text", why: "not JSON" },
  ])("is only what the bot's log writes: $why", ({ text }) => {
    expect(readLogLine(text)).toBeUndefined();
    expect(formatLogLine(text, colors)).toBeUndefined();
  });
});
