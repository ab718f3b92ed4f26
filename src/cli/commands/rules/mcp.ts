import { Command } from "commander";
import { type SettingsFlags, withSettings } from "../../arguments/settings-flags.ts";
import { withGracefulStop } from "../../graceful-stop.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";

/** Commands that the MCP server offers as tools. */
const COMMANDS = {
  docs: async () => (await import("./docs.ts")).docs,
  explain: async () => (await import("./explain.ts")).explain,
  check: async () => (await import("../bot/check.ts")).check,
  test: async () => (await import("./test.ts")).test,
  send: async () => (await import("../bot/send.ts")).send,
  why: async () => (await import("./why.ts")).why,
  backtest: async () => (await import("./backtest.ts")).backtest,
  journal: async () => (await import("../bot/journal.ts")).journal,
};

/** `mcp`: offers commands to a coding assistant as tools. */
export function mcp(io: Io): Command {
  const command = withSettings(new Command("mcp")).description(
    "serve check, test, why and more to a coding assistant over the Model Context Protocol",
  );
  const examples = ["answerback mcp"];
  const after =
    "An assistant starts it in the project's folder; answerback docs coding assistant has the settings to paste.\n" +
    "Its tools read the project and write to the bot on the sandbox. None sends anything on the live platform.\n" +
    "It speaks over stdin and stdout, and ends when stdin does. Logs go to stderr.";
  return withGracefulStop(
    withExamples(command, examples, after).action(async ({ config, data }: SettingsFlags) => {
      const { serve } = await import("../../mcp/serve.ts");
      const settings = {
        ...(config === undefined ? {} : { config }),
        ...(data === undefined ? {} : { data }),
      };
      await serve(io, settings, COMMANDS);
    }),
  );
}
