import type { CallToolResult } from "@modelcontextprotocol/server";
import { CommanderError } from "commander";
import { AnswerbackError, UsageError } from "../../errors.ts";
import { endingWith } from "../../system/ending.ts";
import { UnsafeFileError } from "../../system/files/own-file.ts";
import { EXIT } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { errorFor, formatError } from "../output/error-text.ts";
import { printable } from "../../text/unseen.ts";
import { capture, jsonLines, PLAIN } from "./capture.ts";
import { messagesOf } from "./messages.ts";
import { ABOUT_STRANGERS, marked } from "./strangers.ts";
import type { CommandLoaders, UncheckedTool } from "./tool.ts";

/** Settings with which the MCP server was started. They apply to each tool call. */
export interface ServedSettings {
  readonly config?: string;
  readonly data?: string;
}

/** Io, settings and commands for one tool call. */
export interface ToolCall {
  readonly io: Io;
  readonly settings: ServedSettings;
  /** Aborts if the client cancels the call. */
  readonly signal: AbortSignal;
  readonly commands: CommandLoaders;
}

/** Runs a command as a tool. Errors become results with `isError`, because an assistant can act on them. */
export async function callTool(
  tool: UncheckedTool,
  input: unknown,
  { io, settings, signal, commands }: ToolCall,
): Promise<CallToolResult> {
  const ending = endingWith([io.signal, signal]);
  const own: Io = { ...io, signal: ending.signal };
  try {
    const args = [...settingsFlags(settings, tool.settings), ...(await tool.args(input, io.cwd))];
    const maker = await commands[tool.name]();
    const output = await capture(maker, ["--json", ...args], own);
    const text = tool.summary?.(output) ?? (await capture(maker, args, own)).out;
    const records = jsonLines<Readonly<Record<string, unknown>>>(output.out);
    const messages = messagesOf(output);
    const said = { records, messages };
    return {
      content: [{ type: "text", text: tool.quotesStrangers ? marked(text) : text.trimEnd() }],
      structuredContent: {
        ok: output.code === EXIT.ok,
        exitCode: output.code,
        ...(tool.quotesStrangers ? { fromStrangers: { about: ABOUT_STRANGERS, ...said } } : said),
      },
    };
  } catch (error) {
    return refusal(error, settings);
  } finally {
    ending.release();
  }
}

const FLAGS = { config: "--config", data: "--data" } as const;

/** Converts the MCP server's settings to command-line flags. Only settings in `names` are converted. */
export function settingsFlags(
  settings: ServedSettings,
  names: readonly (keyof ServedSettings)[],
): readonly string[] {
  return names.flatMap((name) => {
    const value = settings[name];
    return value === undefined ? [] : [FLAGS[name], value];
  });
}

function refusal(caught: unknown, settings: ServedSettings): CallToolResult {
  const error = caught instanceof UnsafeFileError ? new UsageError(caught.message, caught) : caught;
  if (error instanceof AnswerbackError) {
    const text = `${formatError(errorFor(error, settings), PLAIN)}\n  code: ${error.code}`;
    return { isError: true, content: [{ type: "text", text: printable(text, false) }] };
  }
  if (error instanceof CommanderError) {
    return { isError: true, content: [{ type: "text", text: printable(error.message, false) }] };
  }
  throw error;
}
