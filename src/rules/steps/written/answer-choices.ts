import { valueAt } from "../../../config/value-at.ts";
import type { Path, YamlDocument } from "../../../config/yaml-document.ts";
import { fold } from "../../../text/fold.ts";

/** The texts that the question of the step at `path` lists as answers (`expect: {in: […]}`); none where it lists none. */
export function choicesAt(document: YamlDocument, path: Path): readonly string[] {
  const at = [...path, "ask", "expect", "in"];
  const listed = valueAt(document.value, at);
  if (!Array.isArray(listed)) return [];
  return listed.map((one: unknown, index) =>
    typeof one === "string" ? one : (document.sourceAt([...at, index]) ?? String(one)),
  );
}

/** The listed text that an answer is the same as; `undefined` where it is none of them. */
export function choiceOf(
  choices: readonly string[],
  said: string,
  isCased: boolean,
): string | undefined {
  if (isCased) return choices.find((one) => one === said);
  return choices.find((one) => isSame(one, said));
}

/** Tells whether two texts are the same as people read them. */
export function isSame(one: string, other: string): boolean {
  return fold(one).trim() === fold(other).trim();
}
