import { seeded, type Draw } from "./seeded.ts";

/** A rule of the benchmark, as each engine is given it. */
export interface BenchRule {
  readonly id: string;
  /** One of them is in the text as a whole word. */
  readonly words: readonly string[];
  /** Or this matches, whatever the case. */
  readonly pattern: string | undefined;
  /** And the sender has more followers. */
  readonly followers: number | undefined;
}

/** What people write, and how many follow them. */
export interface BenchEvent {
  readonly text: string;
  readonly followers: number;
}

const SYLLABLES =
  "ba be bo da de di fo ga ki la le lo ma me mi na no pa po ra re ri sa se so ta te ti to va".split(
    " ",
  );

/**
 * The first `count` rules: three words each; each eighth a pattern as well, each tenth asks for followers, too.
 *
 * @param unindexed So many of a hundred have a pattern of which no word is certain.
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

/** A pattern for codes as `bda1234`: no letter of it is certain. */
function codePattern(draw: Draw): string {
  const from = "abcdefghijklm"[draw(13)] ?? "a";
  return `\\b[${from}-${"nopqrstuvwxyz"[draw(13)]}]{${1 + draw(3)}}\\d{${3 + draw(4)}}\\b`;
}

/** Messages of some ten words; one in two has a word that a rule asks for. */
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

/** The rules as a rule file has them. */
export function yamlOf(rules: readonly BenchRule[]): string {
  return `version: 1\nrules:\n${rules.map(yamlOfRule).join("")}`;
}

function yamlOfRule({ id, words, pattern, followers }: BenchRule): string {
  const asked = `message.text: {contains_word: [${words.join(", ")}]}`;
  const either =
    pattern === undefined
      ? asked
      : `any:\n          - ${asked}\n          - message.text: {matches: '(?i)${pattern}'}`;
  return `  - id: ${id}
    group: none
    triggers: [dm.received]
    conditions:
      - ${either}
${followers === undefined ? "" : `      - sender.followers_count: {gt: ${followers}}\n`}    actions:
      - reply_dm: Thanks for asking about this, an answer will come soon.
`;
}

/** A word that rules ask for: four syllables. */
function topic(draw: Draw): string {
  return `${common(draw)}${syllable(draw)}${syllable(draw)}`;
}

/** A word that is in any message: two syllables. */
function common(draw: Draw): string {
  return `${syllable(draw)}${syllable(draw)}`;
}

function syllable(draw: Draw): string {
  return SYLLABLES[draw(SYLLABLES.length)] ?? "";
}
