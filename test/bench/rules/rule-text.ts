import { seeded, type Draw } from "./seeded.ts";

/** A rule of the benchmark. Each compared implementation gets the rule in its own form. */
export interface BenchRule {
  readonly id: string;
  /** Words: the rule matches a text that has one of them as a whole word. */
  readonly words: readonly string[];
  /** Alternative to `words`: a pattern that matches, case ignored. */
  readonly pattern: string | undefined;
  /** Additional condition: the sender has more followers than this. */
  readonly followers: number | undefined;
}

/** Message of the benchmark, with the follower count of its sender. */
export interface BenchEvent {
  readonly text: string;
  readonly followers: number;
}

const SYLLABLES =
  "ba be bo da de di fo ga ki la le lo ma me mi na no pa po ra re ri sa se so ta te ti to va".split(
    " ",
  );

/**
 * Returns the first `count` rules, of three words each. Every eighth rule also has a pattern, and every tenth also a condition on
 * followers.
 *
 * @param unindexed Percentage of rules with a pattern without a required word.
 */
export function benchRules(count: number, unindexed = 0): readonly BenchRule[] {
  const draw = seeded(1);
  return Array.from({ length: count }, (_, number) => ({
    id: `rule-${number}`,
    words: [topic(draw), topic(draw), `${topic(draw)} ${common(draw)}`],
    pattern: number % 8 === 0 ? `\\b${topic(draw)}.{0,20}\\b${common(draw)}\\b` : undefined,
    followers: number % 10 === 0 ? 1_000 : undefined,
  })).map((rule, number) =>
    number % 1_000 < unindexed * 10 ? { ...rule, pattern: codePattern(draw) } : rule,
  );
}

/** A pattern for codes such as `bda1234`, without a required letter. */
function codePattern(draw: Draw): string {
  const from = "abcdefghijklm"[draw(13)] ?? "a";
  return `\\b[${from}-${"nopqrstuvwxyz"[draw(13)]}]{${1 + draw(3)}}\\d{${3 + draw(4)}}\\b`;
}

/** Returns messages of about ten words. Every second one has a word that a rule requires. */
export function benchEvents(count: number, rules: readonly BenchRule[]): readonly BenchEvent[] {
  const draw = seeded(2);
  return Array.from({ length: count }, () => {
    const words = Array.from({ length: 6 + draw(8) }, () => common(draw));
    if (draw(2) === 0) {
      const rule = rules[draw(rules.length)];
      words.splice(draw(words.length), 0, rule?.words[draw(3)] ?? "");
    }
    const text = words.join(" ");
    return { text: `${text.slice(0, 1).toUpperCase()}${text.slice(1)}?`, followers: draw(3_000) };
  });
}

/** Returns the rules as the text of a rule file. */
export function yamlOf(rules: readonly BenchRule[]): string {
  return `version: 1\nrules:\n${rules.map(yamlOfRule).join("")}`;
}

function yamlOfRule({ id, words, pattern, followers }: BenchRule): string {
  const condition = `message.text: {contains_word: [${words.join(", ")}]}`;
  const either =
    pattern === undefined
      ? condition
      : `any:\n          - ${condition}\n          - message.text: {matches: '(?i)${pattern}'}`;
  return `  - id: ${id}
    group: none
    triggers: [dm.received]
    conditions:
      - ${either}
${followers === undefined ? "" : `      - sender.followers_count: {gt: ${followers}}\n`}    actions:
      - reply_dm: Thanks for asking about this, an answer will come soon.
`;
}

/** A word that rules require: four syllables. */
function topic(draw: Draw): string {
  return `${common(draw)}${syllable(draw)}${syllable(draw)}`;
}

/** A word that occurs in many messages: two syllables. */
function common(draw: Draw): string {
  return `${syllable(draw)}${syllable(draw)}`;
}

function syllable(draw: Draw): string {
  return SYLLABLES[draw(SYLLABLES.length)] ?? "";
}
