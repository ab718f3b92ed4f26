import { readFile } from "node:fs/promises";
import { findRuleFiles } from "../../config/find-files.ts";
import type { Settings } from "../../config/settings.ts";
import { type WordsOfRule, wordsToTry } from "../../rehearsal/words-to-try.ts";
import { shellText } from "../../text/shell.ts";

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
  cwd: string,
): Promise<readonly Suggestion[]> {
  const rules = await rulesOf(settings, cwd);
  const rulesFor = (trigger: string) => rules.filter(({ triggers }) => triggers.includes(trigger));
  const word = rulesFor("dm.received").flatMap(({ words }) => words)[0];
  const found: Suggestion[] = [];
  if (word !== undefined) {
    found.push({ args: `send @ana ${shellText(word)}`, outcome: "a rule answers" });
  }
  if (rulesFor("post.mentioned").length > 0) {
    const args = `send @ben --post ${shellText(`@${handle} are you open?`)}`;
    found.push({ args, outcome: "a mention gets a reply" });
  }
  if (rulesFor("user.followed").length > 0) {
    found.push({ args: "send @ben --follow", outcome: "a follow gets a welcome" });
  }
  return [...found, { args: "chat", outcome: "a conversation, line by line" }];
}

async function rulesOf({ rules: globs }: Settings, base: string): Promise<readonly WordsOfRule[]> {
  const files = await findRuleFiles(globs, base);
  const found = await Promise.all(
    files.map(async (file) => wordsToTry(await readFile(file, "utf8"), file)),
  );
  return found.flat();
}
