import { processIo } from "../../../src/cli/io.ts";
import { programOf } from "../../../src/cli/program.ts";

/** The commands by their headings, as the first page of the help lists them. */
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
