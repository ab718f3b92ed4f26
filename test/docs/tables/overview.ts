import { processIo } from "../../../src/cli/io.ts";
import { programOf } from "../../../src/cli/program.ts";
import { table } from "../markdown.ts";

/** Renders the commands under their headings, as the first page of the help lists them. */
export async function overview(): Promise<string> {
  const program = await programOf(processIo(), "0.0.0-test");
  const help = program.createHelp();
  const groups = new Map<string, string[]>();
  const add = (heading: string, term: string, about: string): void => {
    groups.set(heading, [...(groups.get(heading) ?? []), `  ${term}  ${about}`]);
  };
  for (const option of help.visibleOptions(program)) {
    add("Options:", help.optionTerm(option), help.optionDescription(option));
  }
  for (const command of help.visibleCommands(program)) {
    const heading = command.helpGroup() === "" ? "Commands:" : command.helpGroup();
    add(heading, help.subcommandTerm(command), help.subcommandDescription(command));
  }
  return [...groups].map(([heading, rows]) => [heading, ...rows].join("\n")).join("\n");
}

/** Renders the commands with their descriptions: a table for each heading of the help. */
export async function commandsTable(): Promise<string> {
  const program = await programOf(processIo(), "0.0.0-test");
  const help = program.createHelp();
  const groups = new Map<string, (readonly string[])[]>();
  for (const command of help.visibleCommands(program)) {
    const heading = command.helpGroup().replace(/:$/, "");
    if (heading === "") continue;
    const row = [`\`${help.subcommandTerm(command)}\``, help.subcommandDescription(command)];
    groups.set(heading, [...(groups.get(heading) ?? []), row]);
  }
  return [...groups]
    .map(([heading, rows]) => `## ${heading}\n\n${table(["Command", "What it does"], rows)}`)
    .join("\n\n");
}
