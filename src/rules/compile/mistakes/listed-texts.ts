import { knownKeys } from "../../../config/known-keys.ts";
import { valueAt } from "../../../config/value-at.ts";
import type { Path } from "../../../config/yaml-document.ts";
import { stepMap } from "../../schema/rule-file.ts";
import { VERBS } from "../../steps/steps.ts";
import type { CompileContext } from "../compile-context.ts";

/** Reports a list of texts where one text is said: of several, one is drawn by `options`. */
export function listedTexts(context: CompileContext, path: Path, item: unknown): boolean {
  const verb = VERBS.find((one) => valueAt(item, [one]) !== undefined);
  if (verb === undefined || !knownKeys(stepMap, [verb]).includes("options")) return false;
  const places: readonly Path[] = [[verb], [verb, "text"], [verb, "options"]];
  const place = places.find((one) => textsIn(valueAt(item, one)).length > 1);
  if (place === undefined) return false;
  const texts = textsIn(valueAt(item, place)).map((text) => `{text: ${written(text)}}`);
  const options = `options: [${texts.join(", ")}]`;
  const help = `write  ${place.length === 1 ? `${verb}: {${options}}` : options}`;
  const message =
    place.at(-1) === "options"
      ? "an option is a map with its text"
      : "this is a list of texts: to have one of them drawn, write options";
  context.report([...path, ...place], { code: "wrong-type", message, help });
  return true;
}

function textsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const texts = value.filter((one) => typeof one === "string");
  return texts.length === value.length ? texts : [];
}

function written(text: string): string {
  return /^[A-Za-z][\w ]*\w[.!]?$/.test(text) && !/^(?:true|false|null)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
