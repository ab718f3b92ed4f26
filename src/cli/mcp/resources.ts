import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from "@modelcontextprotocol/server";
import { findRuleFiles, findTestFiles } from "../../config/find-files.ts";
import { AnswerbackError, UsageError } from "../../errors.ts";
import { globFolder } from "../../system/files/glob-folder.ts";
import { printable } from "../../text/unseen.ts";
import { readTextFile } from "../arguments/read-input.ts";
import { settingsFor } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { type ServedSettings, settingsFlags, type ToolCall } from "./call-tool.ts";
import { errorFor, formatError } from "../output/error-text.ts";
import { capture, jsonLines, PLAIN } from "./capture.ts";
import { ABOUT_STRANGERS } from "./strangers.ts";

/** Prefix of the rule files' resource URIs. The path from the project's folder follows. */
export const RULE_FILES = "answerback://project/";
export const JOURNAL = "answerback://journal/last";
export const LANGUAGE = "answerback://docs/llms-full.txt";

/** Number of events in the resource {@link JOURNAL}, as a flag's value. */
const LAST_EVENTS = "20";
const YAML = "application/yaml";

/** Lists the rule files that match the settings, and the test files beside them. */
export async function listRuleFiles(
  io: Io,
  settings: ServedSettings,
): Promise<ListResourcesResult> {
  const paths = await ruleFiles(io, settings);
  return {
    resources: paths.map((path) => ({
      uri: RULE_FILES + path.split("/").map(encodeURIComponent).join("/"),
      name: path,
      mimeType: YAML,
    })),
  };
}

async function ruleFiles(io: Io, settings: ServedSettings): Promise<readonly string[]> {
  const { rules } = await settingsFor(io, settings);
  const tests = rules.map((glob) => `${globFolder(glob)}/*.test.{yaml,yml}`);
  const files = [
    ...(await findRuleFiles(rules, io.cwd)),
    ...(await findTestFiles([...new Set(tests)], io.cwd)),
  ];
  return files.map((file) => relative(io.cwd, file));
}

/**
 * Reads a rule file or test file of the project.
 *
 * @throws {UsageError} if {@link listRuleFiles} does not list the file.
 */
export async function readRuleFile(
  io: Io,
  settings: ServedSettings,
  uri: URL,
): Promise<ReadResourceResult> {
  const path = decodedPath(uri);
  if (!(await ruleFiles(io, settings)).includes(path)) {
    throw new UsageError(`${path} is not a rule file of this project`, {
      hint: "list the resources to see all of them",
    });
  }
  const text = printable(await readTextFile(io.cwd, path), false);
  return { contents: [{ uri: uri.href, mimeType: YAML, text }] };
}

/** @throws {UsageError} if the path has a percent sign that encodes no character. */
function decodedPath({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname.replace(/^\//, ""));
  } catch (error) {
    throw new UsageError(`${pathname} is not an encoded path`, {
      cause: error,
      hint: "write a percent sign of a file name as %25",
    });
  }
}

/** Reads the last events of the journal, newest first. */
export async function readJournal(
  uri: URL,
  { io, settings, commands }: Omit<ToolCall, "signal">,
): Promise<ReadResourceResult> {
  const flags = settingsFlags(settings, ["config", "data"]);
  const args = ["--json", "--limit", LAST_EVENTS, ...flags];
  const { out } = await capture(await commands.journal(), args, io);
  const fromStrangers = { about: ABOUT_STRANGERS, records: jsonLines<unknown>(out) };
  const text = JSON.stringify({ fromStrangers });
  return { contents: [{ uri: uri.href, mimeType: "application/json", text }] };
}

/** Adds an error's hint to the error's message, because MCP clients show only the message. */
export async function withHelp<T>(settings: ServedSettings, reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    if (!(error instanceof AnswerbackError)) throw error;
    const text = printable(formatError(errorFor(error, settings), PLAIN), false);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
  });
}

const LANGUAGE_PAGE = new URL("../../../config/llms-full.txt", import.meta.url);

/** Reads the documentation page with the whole rule language. */
export async function readLanguage(uri: URL): Promise<ReadResourceResult> {
  const text = await readFile(LANGUAGE_PAGE, "utf8");
  return { contents: [{ uri: uri.href, mimeType: "text/markdown", text }] };
}
