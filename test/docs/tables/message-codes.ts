import { problemTopics } from "../../../src/insight/reference/problems.ts";
import { table } from "../markdown.ts";

/** Renders the list of all codes of messages of `check`. */
export function messageCodes(): string {
  const rows = problemTopics().map(({ name, about }) => [`\`${name}\``, about]);
  return table(["Code", "What is wrong"], rows);
}
