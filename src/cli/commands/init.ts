import { basename, relative, resolve } from "node:path";
import { Command, Option } from "commander";
import { UsageError } from "../../errors.ts";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";

export type TemplateName = "echo" | "faq";

interface InitFlags {
  readonly template?: TemplateName;
  readonly yes?: boolean;
  readonly force?: boolean;
}

/** `init`: a small project that runs as it is. */
export function init(io: Io): Command {
  const command = new Command("init")
    .description("make a small project that runs: settings, rules, a TypeScript bot")
    .argument("[folder]", "where to; made when it is not there", ".")
    .addOption(
      new Option(
        "-t, --template <name>",
        "echo: says back what it hears; faq: answers questions",
      ).choices(["echo", "faq"]),
    )
    .option("-y, --yes", "ask nothing, take what is not said from the defaults")
    .option(
      "--force",
      "even into a folder that is not empty; files that are there stay as they are",
    );
  const examples = ["answerback init hello-bot --yes", "answerback init faq-bot --template faq"];
  return withExamples(command, examples).action(async (folder: string, flags: InitFlags) => {
    const { isEmpty, writeProject } = await import("../init/write-project.ts");
    const { projectFiles } = await import("../init/project-files.ts");
    const { version } = await import("../version.ts");
    const target = resolve(io.cwd, folder);
    if (flags.force !== true && !(await isEmpty(target))) {
      throw new UsageError(`${folder === "." ? "this folder" : folder} is not empty`, {
        hint: "name another folder, or add --force: files that are there stay as they are",
      });
    }
    const template = flags.template ?? (await chosen(io, flags));
    const files = projectFiles({ name: basename(target), template, version: version() });
    const { written, kept } = await writeProject(target, files);
    const shown = relative(io.cwd, target) || ".";
    for (const file of written) io.out(`${shown === "." ? "" : `${shown}/`}${file}\n`);
    if (kept.length > 0) io.err(`Left as they were: ${kept.join(", ")}\n`);
    io.err(`\nNext: ${shown === "." ? "" : `cd ${shown} && `}npx answerback dev\n`);
  });
}

/** Asks somebody at a terminal; everybody else gets the default. */
async function chosen(io: Io, { yes }: InitFlags): Promise<TemplateName> {
  if (yes === true || !io.interactive || !io.input.isTerminal) return "echo";
  const { isCancel, select } = await import("@clack/prompts");
  const answer = await select<TemplateName>({
    message: "What should the bot do?",
    options: [
      { value: "echo", label: "echo", hint: "greets, and says back what it hears" },
      { value: "faq", label: "faq", hint: "answers questions by rules, and looks orders up" },
    ],
  });
  if (isCancel(answer)) throw new UsageError("nothing was made");
  return answer;
}
