import { Command } from "commander";
import { UsageError } from "../../../errors.ts";
import { withJson, type JsonFlag } from "../../arguments/settings-flags.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";

/** `docs`: searches the documentation in the package. */
export function docs(io: Io): Command {
  const command = withJson(new Command("docs"))
    .description("search the guide, the reference and the examples")
    .argument("[words...]", "words to search for (default: list all pages)");
  const examples = [
    "answerback docs wait for an answer",
    "answerback docs post every morning",
    "answerback docs secret --json",
    "answerback docs",
  ];
  return withExamples(command, examples).action(
    async (words: readonly string[], { json }: JsonFlag) => {
      const { placeOf, readPages } = await import("../../../docs/read-docs.ts");
      const { indexPages } = await import("../../../docs/search-pages.ts");
      const wanted = words.join(" ");
      const everyPage = await readPages();
      const pages =
        wanted === ""
          ? everyPage.filter(({ path }) => !path.includes("#"))
          : indexPages(everyPage)(wanted);
      if (pages.length === 0) {
        throw new UsageError(`no page has the words "${wanted}"`, {
          hint: "all pages are listed by: answerback docs",
        });
      }
      for (const page of pages) {
        const { title, about } = page;
        const place = placeOf(page, io.cwd);
        const text = wanted === "" ? "" : `  ${about}\n`;
        io.out(
          json === true
            ? `${JSON.stringify({ title, path: place, about })}\n`
            : `${io.dataColors.bold(title)}\n  ${place}\n${text}`,
        );
      }
    },
  );
}
