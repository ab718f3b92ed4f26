import * as z from "zod";
import { didYouMean } from "../../text/did-you-mean.ts";
import type { CapturedOutput, ServedCommand } from "./capture.ts";

/** Names of the tools; each is the name of its command. */
export type ToolName = "docs" | "explain" | "check" | "test" | "send" | "why" | "backtest";

/** Loads the commands that the server runs, by name. */
export type CommandLoaders = Readonly<Record<ToolName | "journal", () => Promise<ServedCommand>>>;

/** A command that an assistant may run as a tool, with its arguments as an object. */
export interface CommandTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /**
   * Converts a tool's input to command-line arguments, except `--json` and the flags in `settings`.
   *
   * @param project Absolute folder.
   * @throws {UsageError} for a path outside the project.
   */
  readonly args: (input: z.infer<Input>, project: string) => Promise<readonly string[]>;
  /** Flags of the MCP server that are passed on to the command. */
  readonly settings: readonly ("config" | "data")[];
  /** Whether the output contains texts by unknown people, such as messages. */
  readonly quotesStrangers: boolean;
  /** Whether the call changes nothing, not even on the sandbox. */
  readonly readOnly: boolean;
  /** Returns the text that accompanies the structured output; default: the command's output without `--json`. */
  readonly summary?: (output: CapturedOutput) => string;
}

/** A tool whose `args` accepts input of any type and validates the input itself. */
export type UncheckedTool = Omit<CommandTool, "args"> & {
  readonly args: (input: unknown, project: string) => Promise<readonly string[]>;
};

/** Returns a tool that checks its input with its schema, and refuses arguments that the schema does not have. */
export function defineTool<Input extends z.ZodObject>(tool: CommandTool<Input>): UncheckedTool {
  return {
    ...tool,
    input: z.strictObject(tool.input.shape, {
      error: (issue) =>
        issue.code === "unrecognized_keys"
          ? issue.keys.map((key) => unknownArgument(key, tool.input)).join("; ")
          : undefined,
    }),
    args: async (input, project) => tool.args(tool.input.parse(input), project),
  };
}

function unknownArgument(name: string, { shape }: z.ZodObject): string {
  const guess = didYouMean(name, Object.keys(shape));
  const help =
    guess === undefined
      ? `the arguments are: ${Object.keys(shape).join(", ")}`
      : `did you mean "${guess}"?`;
  return `unknown argument "${name}"; ${help}`;
}
