import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { everyCommand, programOf } from "../../../src/cli/program.ts";
import { processIo } from "../../../src/cli/io.ts";
import { withSameSettings } from "../../../src/cli/output/same-settings.ts";

const LIVE = { config: "config/live.yaml" };

describe("advice of a command with --live, --config or --data", () => {
  it.each([
    { flags: LIVE, advice: "answerback resume", becomes: "answerback resume --live" },
    {
      flags: { config: "my bots/a.yaml" },
      advice: "see: answerback outbox show 5",
      becomes: "see: answerback outbox show --config 'my bots/a.yaml' 5",
    },
    {
      flags: { ...LIVE, data: "it's" },
      advice: "answerback outbox",
      becomes: String.raw`answerback outbox --live --data 'it'\''s'`,
    },
    {
      flags: { data: "$HOME" },
      advice: "answerback outbox --status unknown",
      becomes: "answerback outbox --data '$HOME' --status unknown",
    },
    {
      flags: LIVE,
      advice: "start one: answerback run, or answerback dev for both",
      becomes: "start one: answerback run --live, or answerback dev --live for both",
    },
    {
      flags: LIVE,
      advice: "npx answerback send @answerback hi",
      becomes: "npx answerback send --live @answerback hi",
    },
  ])("names the same bot: $becomes", ({ flags, advice, becomes }) => {
    expect(withSameSettings(advice, flags)).toBe(becomes);
    expect(withSameSettings(becomes, flags)).toBe(becomes);
  });

  it.each([
    "answerback init --live",
    "answerback init",
    "answerback explain CODE, or answerback docs",
    "answerback login --config other.yaml",
    "the account @answerback resume",
    "config/answerback run",
    "Answerback starts",
  ])("stays as it is: %s", (advice) => {
    expect(withSameSettings(advice, LIVE)).toBe(advice);
  });

  it("stays as it is without these flags", () => {
    expect(withSameSettings("answerback resume", {})).toBe("answerback resume");
  });

  it("has the flags that each command knows, after the command's name", async () => {
    const program = await programOf(processIo(), "0.0.0-test");
    const leaves = everyCommand(program).filter(({ commands }) => commands.length === 0);
    const wanted = leaves.map((command) => {
      const has = (flag: string): boolean => command.options.some(({ long }) => long === flag);
      const flags = `${has("--config") ? " --config a" : ""}${has("--data") ? " --data b" : ""}`;
      return { name: nameOf(command), flags };
    });

    expect(wanted.length).toBeGreaterThan(60);
    for (const { name, flags } of wanted) {
      expect(withSameSettings(`answerback ${name} 5`, { config: "a", data: "b" })).toBe(
        `answerback ${name}${flags} 5`,
      );
    }
  });
});

/** Name of a command with the names of its parents, without the program's. */
function nameOf(command: Command): string {
  const { parent } = command;
  if (parent === null) return "";
  return `${nameOf(parent)} ${command.name()}`.trim();
}
