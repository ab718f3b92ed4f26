import { valueAt } from "../../../config/value-at.ts";
import type { Path, YamlDocument } from "../../../config/yaml-document.ts";
import { fold } from "../../../text/fold.ts";

/** Returns the answers that the question at `path` lists (`expect: {in: […]}`); empty if it lists none. */
export function choicesAt(document: YamlDocument, path: Path): readonly string[] {
  const at = [...path, "ask", "expect", "in"];
  const listed = valueAt(document.value, at);
  if (!Array.isArray(listed)) return [];
  return listed.map((one: unknown, index) =>
    typeof one === "string" ? one : (document.sourceAt([...at, index]) ?? String(one)),
  );
}

/** Returns the listed answer that a text equals; `undefined` if there is none. */
export function choiceOf(
  choices: readonly string[],
  said: string,
  isCased: boolean,
): string | undefined {
  if (isCased) return choices.find((one) => one === said);
  return choices.find((one) => isSame(one, said));
}

/** Returns whether two texts are equal, ignoring case, kinds of quotes and hyphens, and white space at the ends. */
export function isSame(one: string, other: string): boolean {
  return fold(one).trim() === fold(other).trim();
}
