import { readFile } from "node:fs/promises";
import { findRuleFiles } from "../../config/find-files.ts";
import type { Settings } from "../../config/settings.ts";
import { readYaml } from "../../config/yaml-document.ts";

/** Something to try: arguments of the program, and what happens then. */
export interface Suggestion {
  readonly args: string;
  readonly outcome: string;
}

/**
 * What to try with this bot, derived from its rules: a word that a rule matches, a mention, a follow.
 */
export async function suggestions(
  settings: Settings,
  handle: string,
): Promise<readonly Suggestion[]> {
  const rules = await rulesOf(settings);
  const rulesFor = (trigger: string) => rules.filter(({ triggers }) => triggers.includes(trigger));
  const word = rulesFor("dm.received").flatMap(({ words }) => words)[0];
  const found: Suggestion[] = [];
  if (word !== undefined) {
    found.push({ args: `send @ana "${word}"`, outcome: "a rule answers" });
  }
  if (rulesFor("post.mentioned").length > 0) {
    const args = `send @ben --post "@${handle} are you open?"`;
    found.push({ args, outcome: "a mention gets a reply" });
  }
  if (rulesFor("user.followed").length > 0) {
    found.push({ args: "send @ben --follow", outcome: "a follow gets a welcome" });
  }
  return [...found, { args: "chat", outcome: "a conversation, line by line" }];
}

interface RuleWords {
  readonly triggers: readonly string[];
  /** Words that its conditions match. */
  readonly words: readonly string[];
}

async function rulesOf({ rules: globs }: Settings): Promise<readonly RuleWords[]> {
  const files = await findRuleFiles(globs);
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

/** Every text below a `contains_word`, in the order of the file. */
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
