import * as z from "zod";
import { wordsToTry } from "../../insight/rehearsal/words-to-try.ts";
import { operation } from "./operation.ts";
import { runtimeOf } from "./runtime-operations.ts";

/** Message, post or follow to try on the bot, and the rule that listens to it. */
export interface SuggestedWord {
  readonly kind: "dm" | "post" | "follow";
  /** Suggested text, without the bot's handle; empty for a follow. */
  readonly text: string;
  readonly rule: string;
}

const MAX_SUGGESTIONS = 6;

/** Returns one suggestion for each of the first rules that listen to messages, posts or follows. */
export const suggestedWords = operation(z.strictObject({}), (needs): readonly SuggestedWord[] => {
  const { rules } = runtimeOf(needs).rules.ruleset;
  const sources = new Map(rules.map(({ source }) => [source.path, source.text]));
  return [...sources]
    .flatMap(([file, text]) => wordsToTry(text, file))
    .flatMap(({ id, triggers, words: [text] }): readonly SuggestedWord[] => {
      if (triggers.includes("user.followed")) return [{ kind: "follow", text: "", rule: id }];
      if (text === undefined) return [];
      if (triggers.includes("dm.received")) return [{ kind: "dm", text, rule: id }];
      return triggers.includes("post.mentioned") ? [{ kind: "post", text, rule: id }] : [];
    })
    .slice(0, MAX_SUGGESTIONS);
});
