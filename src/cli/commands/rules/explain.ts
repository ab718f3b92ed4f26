import { Command } from "commander";
import { UsageError } from "../../../errors.ts";
import { withJson, type JsonFlag } from "../../arguments/settings-flags.ts";
import { withExamples } from "../../help/examples.ts";
import { withLateWords } from "../../help/late-words.ts";
import type { Io } from "../../io.ts";
import { shell } from "../../../text/shell.ts";

/** `explain`: explains a word of the rule language, a setting, or a problem code of `check`. */
export function explain(io: Io): Command {
  const command = withJson(new Command("explain"))
    .description("explain a problem's code, a trigger, step, operator, function or setting")
    .argument(
      "[name]",
      "code or word, as you read or write it (default: list what can be explained)",
    );
  withLateWords(
    command,
    async () => (await import("../../../insight/reference/topics.ts")).TOPIC_NAMES,
  );
  const examples = [
    "answerback explain unknown-field",
    "answerback explain dm.received",
    "answerback explain contains_word",
    "answerback explain webhook.listen --json",
    "answerback explain",
  ];
  return withExamples(command, examples).action(
    async (name: string | undefined, flags: JsonFlag) => {
      const { nearestTopic, topicsOf, TOPICS } =
        await import("../../../insight/reference/topics.ts");
      const { printTopics, listTopics } = await import("../../explain/print-topics.ts");
      if (name === undefined) return listTopics(io, TOPICS, flags);
      const matchingTopics = topicsOf(name);
      if (matchingTopics.length > 0) return printTopics(io, matchingTopics, flags);
      const guess = nearestTopic(name);
      const hint =
        guess === undefined
          ? "all names are listed by: answerback explain"
          : `did you mean: ${shell`answerback explain ${guess}`}`;
      const { placeOf, readPages } = await import("../../../docs/read-docs.ts");
      const { indexPages } = await import("../../../docs/search-pages.ts");
      const pages = indexPages(await readPages())(name);
      throw new UsageError(`"${name}" can't be explained: nothing has that name`, {
        hint: [hint, ...pages.map((page) => `${page.title}: ${placeOf(page, io.cwd)}`)].join("\n"),
      });
    },
  );
}
