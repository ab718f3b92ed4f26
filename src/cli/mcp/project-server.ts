import { McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import * as z from "zod";
import { packageVersion } from "../../system/package-version.ts";
import type { Io } from "../io.ts";
import { callTool, type ServedSettings } from "./call-tool.ts";
import {
  JOURNAL,
  LANGUAGE,
  listRuleFiles,
  readJournal,
  readLanguage,
  readRuleFile,
  RULE_FILES,
  withHelp,
} from "./resources.ts";
import { ABOUT_STRANGERS } from "./strangers.ts";
import type { CommandLoaders } from "./tool.ts";
import { TOOLS } from "./tools.ts";

const RECORDS = {
  records: z
    .array(z.record(z.string(), z.unknown()))
    .describe("what the command prints with --json"),
  messages: z.array(z.string()).describe("what the command prints on stderr"),
};
const OUTCOME = { ok: z.boolean(), exitCode: z.int() };
const OUTPUT = z.object({ ...OUTCOME, ...RECORDS });
const OUTPUT_WITH_STRANGERS = z.object({
  ...OUTCOME,
  fromStrangers: z.object({ about: z.string(), ...RECORDS }).describe(ABOUT_STRANGERS),
});

const INSTRUCTIONS = `Writes and tests the rules of a chat bot. For a new rule: search with docs, look up words with explain, write rules/NAME.yaml
and rules/NAME.test.yaml, run check until it is ok, then test. With a running "answerback dev", try it with send, and ask why. ${ABOUT_STRANGERS}`;

/**
 * Creates the MCP server of a project. Its tools can read the project and write to the bot on the sandbox; no tool
 * sends anything on the live platform.
 *
 * @param ioFor Returns the Io for the next call.
 */
export function projectServer(
  ioFor: () => Io,
  settings: ServedSettings,
  commands: CommandLoaders,
): McpServer {
  const server = new McpServer(
    { name: "answerback", version: packageVersion() },
    { instructions: INSTRUCTIONS },
  );
  for (const tool of TOOLS) {
    const { name, title, description, input, readOnly, quotesStrangers } = tool;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: input,
        outputSchema: quotesStrangers ? OUTPUT_WITH_STRANGERS : OUTPUT,
        annotations: { readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false },
      },
      async (args, { mcpReq }) =>
        callTool(tool, args, { io: ioFor(), settings, commands, signal: mcpReq.signal }),
    );
  }
  server.registerResource(
    "rule language",
    LANGUAGE,
    {
      description: "the whole rule language, with its tests, on one page",
      mimeType: "text/markdown",
    },
    (uri) => readLanguage(uri),
  );
  server.registerResource(
    "journal",
    JOURNAL,
    {
      description: `the last events that the bot received, newest first. ${ABOUT_STRANGERS}`,
      mimeType: "application/json",
    },
    (uri) => withHelp(settings, readJournal(uri, { io: ioFor(), settings, commands })),
  );
  server.registerResource(
    "rule files",
    new ResourceTemplate(`${RULE_FILES}{+path}`, {
      list: () => withHelp(settings, listRuleFiles(ioFor(), settings)),
    }),
    { description: "rule files of the project, and their tests" },
    (uri) => withHelp(settings, readRuleFile(ioFor(), settings, uri)),
  );
  return server;
}
