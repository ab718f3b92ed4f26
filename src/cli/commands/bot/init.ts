import { basename, relative, resolve } from "node:path";
import { Command, Option } from "commander";
import { UsageError } from "../../../errors.ts";
import { withExamples } from "../../help/examples.ts";
import { TEMPLATE_NAMES, type TemplateName } from "../../init/project-template.ts";
import type { Io } from "../../io.ts";
import { oneOf } from "../../arguments/one-of.ts";

interface InitFlags {
  readonly template?: TemplateName;
  readonly yes?: boolean;
  readonly force?: boolean;
}

/** `init`: create a small project that runs as it is. */
export function init(io: Io): Command {
  const command = new Command("init")
    .description("create a small working project: settings, rules and a TypeScript bot")
    .argument("[folder]", "folder of the project; created if it does not exist", ".")
    .addOption(
      oneOf(
        new Option(
          "-t, --template <name>",
          "echo: repeats each message; faq: answers questions; conversation: asks and remembers; typescript: a game",
        ),
        TEMPLATE_NAMES,
      ),
    )
    .option("-y, --yes", "do not ask, use the defaults")
    .option("--force", "write into a folder that is not empty; existing files are kept");
  const examples = ["answerback init hello-bot --yes", "answerback init faq-bot --template faq"];
  return withExamples(command, examples).action(async (folder: string, flags: InitFlags) => {
    const { isEmpty, writeProject } = await import("../../init/write-project.ts");
    const { projectFiles } = await import("../../init/project-files.ts");
    const { schemaTexts } = await import("../../schema/schema-files.ts");
    const { toolRanges, version } = await import("../../version.ts");
    const target = resolve(io.cwd, folder);
    if (flags.force !== true && !(await isEmpty(target))) {
      throw new UsageError(`${folder === "." ? "this folder" : folder} is not empty`, {
        hint: "name another folder, or add --force: existing files are kept",
      });
    }
    const template = flags.template ?? (await chosen(io, flags));
    const files = projectFiles({
      name: basename(target),
      template,
      version: version(),
      tools: toolRanges(),
      schemas: schemaTexts(),
    });
    const { written, kept } = await writeProject(target, files);
    const shown = relative(io.cwd, target) || ".";
    for (const file of written) io.out(`${shown === "." ? "" : `${shown}/`}${file}\n`);
    if (kept.length > 0) io.err(`Kept existing files: ${kept.join(", ")}\n`);
    io.err(`\nNext: ${shown === "." ? "" : `cd ${shown} && `}npx answerback dev\n`);
  });
}

/** Asks at a terminal; without one the default is used. */
async function chosen(io: Io, { yes }: InitFlags): Promise<TemplateName> {
  if (yes === true || !io.interactive || !io.input.isTerminal) return "echo";
  const { isCancel, select } = await import("@clack/prompts");
  const answer = await select<TemplateName>({
    message: "What should the bot do?",
    options: [
      { value: "echo", label: "echo", hint: "greets, and repeats each message" },
      { value: "faq", label: "faq", hint: "answers questions by rules, and looks up orders" },
      { value: "conversation", label: "conversation", hint: "asks, waits and remembers, in rules" },
      { value: "typescript", label: "typescript", hint: "a game in TypeScript" },
    ],
  });
  if (isCancel(answer)) throw new UsageError("cancelled: no project was created");
  return answer;
}
