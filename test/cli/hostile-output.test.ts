import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../support/command-line.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";

/**
 * A harmful character of each kind: cursor move, bell, C1 control, text direction, zero width, soft hyphen, tag, line
 * separator.
 */
const HOSTILE = "\u001b[2J\u0007\u009b8m\u202eevil\u2066\u200b\u00ad\u{e0041}\u2028end";
const UNSEEN = /(?![\n\t])[\p{Cc}\u00ad\u200b\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;

/** The characters of {@link HOSTILE} that YAML accepts. */
const IN_YAML = HOSTILE.replaceAll("\u001b", "").replaceAll("\u0007", "");

const RULES = `version: 1
rules:
  - id: echo
    triggers: [dm.received]
    conditions: [{text: {starts_with: say}}]
    actions:
      - log: {message: "log \${{ message.text }}"}
      - escalate: {queue: support, note: "\${{ message.text }}"}
      - reply: "You said: \${{ message.text }}"
  - id: fails
    triggers: [dm.received]
    conditions: [{text: {starts_with: fail}}]
    actions: [{call: ./fail.ts#fail, with: {text: "\${{ message.text }}"}}]
`;
const FAIL = `export function fail({ text }: { text: string }): never { console.log(text); throw new Error("failed on " + text); }\n`;

let bot: BotOnSandbox;
/** User id of the person who writes. */
let person: string;
beforeAll(async () => {
  bot = await botOnSandbox({ rules: { "a.yaml": RULES, "fail.ts": FAIL } });
  await bot.start();
  person = await bot.sandbox.control.user("mallory", { name: `Mallory${HOSTILE}` });
  for (const text of [`say ${HOSTILE}`, `fail ${HOSTILE}`]) {
    await bot.sandbox.control.act(person, { type: "dm", to: bot.file.bot.id, text });
  }
  await bot.quiet();
  await writeFile(
    join(bot.folder, "config", "hostile.yaml"),
    `version: 1\nrules:\n  - id: "x${IN_YAML}"\n    trig${IN_YAML}gers: [dm.recieved]\n`,
  );
});
afterAll(() => bot.close());

const COMMANDS = [
  ["journal"],
  ["runs"],
  ["journal", "--json"],
  ["why", "last"],
  ["why", "last", "--json"],
  ["trace", "last"],
  ["outbox", "list"],
  ["outbox", "list", "--json"],
  ["escalations"],
  ["escalations", "list", "--json"],
  ["status"],
  ["status", "--json"],
  ["rules", "list"],
  ["doctor"],
  ["doctor", "--json"],
  ["coverage"],
  ["backtest"],
  ["check", "config/hostile.yaml"],
  ["check", "config/hostile.yaml", "--json"],
  ["check", `config/${HOSTILE}.yaml`],
  ["explain", HOSTILE],
  [HOSTILE],
  ["status", `--${HOSTILE}`],
] as const;

it.each(COMMANDS.map((args) => ({ args, line: args.join(" ").replaceAll(HOSTILE, "HOSTILE") })))(
  "answerback $line prints nothing that a reader does not see",
  async ({ args }) => {
    const { out, err } = await run(bot.folder, ...args, "--config", "config/answerback.yaml");

    expect(out + err).not.toBe("");
    expect(out).not.toMatch(UNSEEN);
    expect(err).not.toMatch(UNSEEN);
    if (args.some((one) => one === "--json")) {
      for (const line of out.trim().split("\n")) JSON.parse(line);
    }
  },
);

it("answerback api prints escapes that keep the JSON value", async () => {
  const { out } = await run(
    bot.folder,
    "api",
    "GET",
    `/2/users/${person}`,
    "--config",
    "config/answerback.yaml",
  );

  expect(out).not.toMatch(UNSEEN);
  expect(JSON.parse(out)).toMatchObject({ data: { name: `Mallory${HOSTILE}` } });
});
