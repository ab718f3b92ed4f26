import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { askLive, type LiveAnswers } from "../../../src/cli/live/ask-live.ts";
import { APP_KEY_NAMES } from "../../../src/cli/live/portal.ts";

const ENTER = "\r";
const DOWN = "\u001B[B";

/** Types an answer whenever the prompt for it is shown. */
function typing(answers: readonly (readonly [question: string, keys: string])[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = "";
  const remaining = [...answers];
  output.on("data", (chunk: Buffer) => {
    shown += stripVTControlCharacters(chunk.toString());
    const [next] = remaining;
    if (next === undefined || !shown.includes(next[0])) return;
    remaining.shift();
    setImmediate(() => input.write(next[1]));
  });
  return { input, output, shown: () => shown };
}

const NOTHING: LiveAnswers = { keys: {} };

describe("the questions of init --live", () => {
  it("ask only for missing values, refuse invalid ones, and show no key", async () => {
    const terminal = typing([
      ["Where does the platform's interface answer?", `https://api.example.com/${ENTER}`],
      ["Public https address", `bot.example:8443${ENTER}`],
      ["has no port", `${"\u007F".repeat(5)}${ENTER}`],
      ["What leads that address", `${DOWN}${ENTER}`],
      ["API key", `key"1${ENTER}`],
      ['has the character "', `${"\u007F".repeat(2)}-1${ENTER}`],
      ["API secret", ENTER],
      ["bearer token", `AAAA%2Fbb${ENTER}`],
    ]);
    const errors: (string | undefined)[] = [];
    const answers = await askLive(NOTHING, APP_KEY_NAMES, (url) => void errors.push(url), terminal);

    expect(answers).toEqual({
      baseUrl: "https://api.example.com",
      webhookUrl: "https://bot.example/webhook",
      proxy: "nginx",
      keys: { CONSUMER_KEY: "key-1", BEARER_TOKEN: "AAAA%2Fbb" },
    });
    expect(errors).toEqual(["https://bot.example/webhook"]);
    expect(terminal.shown()).not.toMatch(/key-1|AAAA/);
  });

  it("are skipped if all values are set", async () => {
    const answers: LiveAnswers = {
      baseUrl: "https://api.example.com",
      webhookUrl: "https://bot.example/webhook",
      proxy: "caddy",
      keys: {},
    };

    expect(await askLive(answers, [], () => {})).toEqual(answers);
  });

  it("can be left by Ctrl-C", async () => {
    const terminal = typing([["Where does the platform's interface answer?", "\u0003"]]);

    await expect(askLive(NOTHING, [], () => {}, terminal)).rejects.toThrow("nothing was written");
  });
});
