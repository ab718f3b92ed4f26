import { readFile } from "node:fs/promises";
import { findFiles } from "../../config/find-files.ts";
import type { Settings } from "../../config/settings.ts";
import { readYaml } from "../../config/yaml-document.ts";

/** Something to try: what to add to the program's name, and what comes of it. */
export interface Suggestion {
  readonly args: string;
  readonly comes: string;
}

/**
 * What to say to this bot, read from its rules: a word that a rule waits for, a mention, a follow.
 */
export async function suggestions(
  settings: Settings,
  handle: string,
): Promise<readonly Suggestion[]> {
  const rules = await rulesOf(settings);
  const heard = (trigger: string) => rules.filter(({ triggers }) => triggers.includes(trigger));
  const word = heard("dm.received").flatMap(({ words }) => words)[0];
  const found: Suggestion[] = [];
  if (word !== undefined) {
    found.push({ args: `send @ana "${word}"`, comes: "a rule answers" });
  }
  if (heard("post.mentioned").length > 0) {
    const args = `send @ben --post "@${handle} are you open?"`;
    found.push({ args, comes: "a mention gets a reply" });
  }
  if (heard("user.followed").length > 0) {
    found.push({ args: "send @ben --follow", comes: "a follow gets a welcome" });
  }
  return [...found, { args: "chat", comes: "a conversation, line by line" }];
}

interface RuleWords {
  readonly triggers: readonly string[];
  /** Words that its conditions wait for. */
  readonly words: readonly string[];
}

async function rulesOf({ rules: globs }: Settings): Promise<readonly RuleWords[]> {
  const files = await findFiles(globs);
  const documents = await Promise.all(
    files.map(async (file) => readYaml(await readFile(file, "utf8"), file).value),
  );
  return documents
    .flatMap((document) => listAt(document, "rules"))
    .map((rule) => ({
      triggers: listAt(rule, "triggers").filter((one) => typeof one === "string"),
      words: listAt(rule, "conditions").flatMap(wordsIn),
    }));
}

/** Every text below a `contains_word`, in the order in which they stand. */
function wordsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (key !== "contains_word") return wordsIn(inner);
    return [inner].flat().filter((word) => typeof word === "string");
  });
}

function listAt(value: unknown, key: string): unknown[] {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const found: unknown = entries.find(([name]) => name === key)?.[1];
  return Array.isArray(found) ? found : [];
}
