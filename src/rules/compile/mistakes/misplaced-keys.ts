import type * as z from "zod";
import { didYouMean } from "../../../text/did-you-mean.ts";
import { knownKeys } from "../../../config/known-keys.ts";
import type { Path } from "../../../config/yaml-document.ts";
import { valueAt } from "../../../config/check-value.ts";
import { inlineYaml } from "../habits/inline-yaml.ts";
import { meantWord } from "../../schema/other-words.ts";
import { stepMap } from "../../file-schema/rule-file.ts";
import { PUBLIC_KEYS } from "../../steps/platform/said-text.ts";
import { BARE_VERBS, STEPS, VERBS } from "../../steps/steps.ts";
import type { CompileContext } from "../compile-context.ts";

/** Reports a key beside a verb that belongs inside the map under the verb. Returns whether there is such a key. */
export function misplacedKey(context: CompileContext, path: Path, item: unknown): boolean {
  if (typeof item !== "object" || item === null) return false;
  const entries = new Map<string, unknown>(Object.entries(item));
  const verb = VERBS.find((one) => entries.has(one));
  if (verb === undefined) return false;
  const inside = knownKeys(stepMap, [verb]);
  const stray = [...entries.keys()].find((key) => !(key in stepMap.shape) && inside.includes(key));
  if (stray === undefined) return false;
  const value = entries.get(verb);
  const message = `"${stray}" belongs inside "${verb}"`;
  const help =
    value === null
      ? `indent it by two more columns, or write  ${verb}: { ${stray}: ${written(entries.get(stray))} }`
      : `write ${verb}: {${insideOf(verb, value, stray, entries.get(stray))}}`;
  context.report([...path, stray], { code: "key-inside-verb", message, help }, "key");
  return true;
}

function insideOf(verb: string, value: unknown, stray: string, own: unknown): string {
  const main = typeof value === "object" ? undefined : requiredKey(verb);
  const first = main === undefined || main === stray ? "" : `${main}: ${written(value)}, `;
  return `${first}${stray}: ${written(own)}`;
}

/** Returns the required key of a map under `verb`. A bare text is the short form of a map with only this key. */
function requiredKey(verb: string): string | undefined {
  const [schema] = Object.values(STEPS[verb]?.shape ?? {});
  const parsed = schema && (schema as z.ZodType).safeParse({});
  const issues = parsed?.error?.issues.flatMap((issue) =>
    issue.code === "invalid_union" ? issue.errors.flat() : [issue],
  );
  const key = issues?.find((issue) => issue.path.length === 1)?.path[0];
  return typeof key === "string" ? key : undefined;
}

function written(value: unknown): string {
  return typeof value === "string" && /^[A-Za-z][\w ]*$/.test(value)
    ? value
    : (JSON.stringify(value) ?? "");
}

/**
 * Returns the help for a key of posts, such as `poll`, in a step that does not know it: the verbs that do.
 *
 * @param path Path of the map that has the key, relative to the step.
 */
export function helpForPublicKey(key: string, path: Path): string | undefined {
  if (path.length > 1 || !PUBLIC_KEYS.includes(key)) return undefined;
  const verbs = VERBS.filter((verb) => knownKeys(stepMap, [verb]).includes(key));
  return `"${key}" works in: ${verbs.join(", ")}`;
}

/**
 * Returns the help for a key of a text that other tools have: languages, or the question of a poll.
 *
 * @param path Path of the map that has the key, relative to the step.
 */
export function helpForText(step: unknown, key: string, path: Path): string | undefined {
  const [verb] = path;
  const map = valueAt(step, path);
  if (typeof verb !== "string" || typeof map !== "object" || map === null) return undefined;
  if (path.at(-1) === "poll" && /^(?:question|title|text)$/.test(key))
    return "remove it: the text of the post is the question";
  const keys = Object.keys(map);
  const isOfLanguages = keys.length > 1 && keys.every((one) => /^[a-z]{2}$/.test(one));
  if (path.length > 1 || !isOfLanguages) return undefined;
  if (key !== keys[0]) return "move it to the texts, too";
  return `write above  rules:  texts: { answer: ${inlineYaml(map)} }  and here  ${verb}: { say: answer }`;
}

/** Returns the help for a word that can't be a step on its own. */
export function helpForBareWord(word: string): string {
  if (/^action_(?:listen|restart|default_fallback)$/.test(word)) {
    return "remove it: a rule ends after its last step";
  }
  const [, verb, rest] = /^(\w+):(\S.*)$/.exec(word) ?? [];
  if (verb !== undefined && VERBS.includes(verb)) return `write ${verb}: ${rest ?? ""}`;
  if (VERBS.includes(word)) return `write ${word}: and its value`;
  const guess = meantWord("step", word) ?? didYouMean(word, VERBS);
  if (guess !== undefined) return `did you mean "${guess}"?`;
  return `steps without a value: ${BARE_VERBS.join(", ")}`;
}
