import { checkValue } from "../../../config/check-value.ts";
import { didYouMean } from "../../../text/did-you-mean.ts";
import type { Mistake, Problem } from "../../../config/problem.ts";
import type { Path, YamlDocument } from "../../../config/yaml-document.ts";
import { contentHash } from "../../../system/content-hash.ts";
import { sharedText } from "../../file-schema/shared-keys.ts";
import { LANGUAGE_TAG } from "../../texts/language.ts";
import type { Looked } from "./dependency.ts";
import { definitions, type Definitions } from "./definitions.ts";

/** Shared text of a rule file, before its expressions are evaluated. */
export interface SharedText {
  /** Languages in the order of the file. A text in only one language has a single entry with an empty name. */
  readonly languages: readonly {
    readonly name: string;
    /** Path of each variant of the text in the document, of which a run draws one. */
    readonly variants: readonly Path[];
  }[];
}

/** Creates the lookup of the texts that a rule file defines. */
export function textsOf(document: YamlDocument): Definitions<SharedText> {
  return definitions(document, "texts", {
    compile: (at) => definedText(document, at),
    unknown: noText,
  });
}

function noText(name: string, names: readonly string[]): Mistake {
  const guess = didYouMean(name, names);
  const help =
    guess === undefined
      ? `add to the file:  texts: {${/^[\w-]+$/.test(name) ? name : "NAME"}: {en: "…"}}`
      : `did you mean "${guess}"?`;
  return { code: "unknown-text", message: `there is no text "${name}"`, help };
}

function definedText(document: YamlDocument, at: Path): Looked<SharedText> {
  const { value, problems } = checkValue(sharedText, document, { at, within: " in this text" });
  if (value === undefined) return { problems };
  const variantsAt = (path: Path, written: string | readonly string[]): readonly Path[] =>
    typeof written === "string" ? [path] : written.map((_, index) => [...path, index]);
  const dependency = {
    revision: contentHash(JSON.stringify(["text", at.at(-1), value])),
    files: [],
  };
  if (typeof value === "string" || Array.isArray(value)) {
    const languages = [{ name: "", variants: variantsAt(at, value) }];
    return { value: { languages }, dependency };
  }
  const all = Object.entries(value);
  const wrong = all.flatMap(([name]): Problem[] =>
    LANGUAGE_TAG.test(name) ? [] : [document.problemAt([...at, name], noLanguage(name), "key")],
  );
  if (wrong.length > 0) return { problems: wrong };
  if (all.length === 0) return { problems: [document.problemAt(at, EMPTY)] };
  const languages = all.map(([name, written]) => ({
    name,
    variants: variantsAt([...at, name], written),
  }));
  return { value: { languages }, dependency };
}

function noLanguage(name: string): Mistake {
  const help = "write  en: …  de: …  and under each a text, or a list of texts";
  return { code: "unknown-language", message: `"${name}" is not a language code`, help };
}

const EMPTY: Mistake = {
  code: "empty-text",
  message: "this text has no languages",
  help: 'write  {en: "…"}  or the text itself',
};
