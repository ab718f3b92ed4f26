import { didYouMean } from "../../text/did-you-mean.ts";
import { functionTopics, operatorTopics, stepTopics } from "./language.ts";
import { problemTopics } from "./problems.ts";
import { settingTopics } from "./settings.ts";
import { ruleKeyTopics, stepKeyTopics } from "./rule-keys.ts";
import type { Topic } from "./topic.ts";
import { triggerTopics } from "./triggers.ts";

/** All topics (triggers, operators, steps, settings and so on), in the order of the reference. */
export const TOPICS: readonly Topic[] = [
  ...triggerTopics(),
  ...ruleKeyTopics(),
  ...operatorTopics(),
  ...functionTopics(),
  ...stepTopics(),
  ...stepKeyTopics(),
  ...settingTopics(),
  ...problemTopics(),
];

/** Names of all topics, without duplicates; a function is listed by its short name. */
export const TOPIC_NAMES: readonly string[] = [
  ...new Set(
    TOPICS.map(({ name, aliases, kind }) => (kind === "function" ? (aliases[0] ?? name) : name)),
  ),
];

/**
 * Returns the topics with a name, in any case. A word may name several topics, or a group of settings. Empty for
 * unknown names.
 */
export function topicsOf(word: string): readonly Topic[] {
  const name = word.toLowerCase();
  const exact = TOPICS.filter((topic) =>
    [topic.name, ...topic.aliases].some((one) => one.toLowerCase() === name),
  );
  if (exact.length > 0) return exact;
  return TOPICS.filter((topic) => topic.kind === "setting" && topic.name.startsWith(`${name}.`));
}

/** Returns the topic name that is closest to a misspelt word; undefined if none is close. */
export function nearestTopic(word: string): string | undefined {
  return didYouMean(word, TOPIC_NAMES);
}
