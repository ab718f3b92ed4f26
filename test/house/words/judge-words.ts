import type { HouseText } from "./read-texts.ts";

/** Rule of plain English that a text breaks. */
export type WordRule = "openings" | "words" | "names" | "sentences";

/** Place that breaks a rule. `excerpt`: the opening, the word with its neighbours, or the sentence. */
export interface WordFinding extends Pick<HouseText, "path" | "line" | "kind"> {
  readonly rule: WordRule;
  readonly excerpt: string;
}

/** Words with which a text never begins. */
const OPENINGS =
  /^(what(ever)?|who(ever|se)?|which(ever)?|those|that|of|where|as|by|one|such|somebody|nobody|so|them|they|it|its)\b/i;

/** Words that describe a program as a person or a play, and descriptions for which there is a technical term. */
const FORBIDDEN = [
  /\banew\b/i,
  /\bby then\b/i,
  /\b(some|no|any|every)body\b/i,
  /\bwho(so)?ever\b/i,
  /\bso (many|much)\b/i,
  /\bas it is\b/i,
  /\bgo(es|ing)? by\b/i,
  /\bis had\b/i,
  /\btaken in\b/i,
] as const;

/** Verbs that only people do: a program logs, returns, reports, publishes or rejects. */
const VERBS_OF_PEOPLE =
  /\b(tells?|told|telling|says?|said|hears?|heard|speaks? of|kn(ow|ows|own|ew) of|look(s|ed)? at)\b/i;

/** Words that mark a sentence about people. */
const PEOPLE =
  /\b(person|persons|people|humans?|users?|operators?|authors?|senders?|owners?|followers?|strangers?|readers?|newcomers?|customers?|friends?|ana|ben|you|your|she|he)\b|@\w/i;

const BARE_NAMES = /^(found|known|given|left|kept|told|asked|made|taken|MOST(_\w+)?|LEAST(_\w+)?)$/;

/** Keys of stored or published data, by file: data of earlier versions and answers to programs have these names. */
const DATA_KEYS = new Set([
  // output of `why --json`
  "src/insight/words/condition.ts: found",
  // responses of the sandbox's control API
  "src/insight/rehearsal/backtest/backtest.ts: left",
  "src/runtime/reload/bots-in-force.ts: kept",
  "src/runtime/reload/rules-in-force.ts: kept",
  "src/runtime/store/listings.ts: left",
  "src/sandbox/control/objects.ts: given",
  // stored state
  "src/rules/run/run-state.ts: asked",
  "src/runtime/outbox/gate/gate.ts: left",
]);

const MAX_SENTENCE_WORDS = 30;
const EXCERPT_CHARS = 110;

/** Returns the forbidden words of a text, each with the words before it. */
function wordsIn(prose: string): readonly string[] {
  const matches = sentencesOf(prose).flatMap((sentence) => [
    ...FORBIDDEN.map((word) => ({ sentence, match: word.exec(sentence) })),
    { sentence, match: PEOPLE.test(sentence) ? null : VERBS_OF_PEOPLE.exec(sentence) },
  ]);
  return matches.flatMap(({ sentence, match }) =>
    match === null ? [] : [sentence.slice(Math.max(0, match.index - 40))],
  );
}

/** Returns each place of a text that breaks a rule of plain English. */
export function findingsIn({ kind, path, line, text }: HouseText): readonly WordFinding[] {
  const finding = (rule: WordRule, excerpt: string): WordFinding => ({
    path,
    line,
    kind,
    rule,
    excerpt: excerpt.replace(/\s+/g, " ").slice(0, EXCERPT_CHARS),
  });
  if (kind === "name") {
    return BARE_NAMES.test(text) && !DATA_KEYS.has(`${path}: ${text}`)
      ? [finding("names", text)]
      : [];
  }
  const prose = withoutCode(text);
  if (kind === "paragraph") {
    return [
      ...wordsIn(prose).map((excerpt) => finding("words", excerpt)),
      ...sentencesOf(prose)
        .filter((sentence) => sentence.split(/\s+/).length > MAX_SENTENCE_WORDS)
        .map((sentence) => finding("sentences", sentence)),
    ];
  }
  return [
    ...partsOf(prose)
      .filter((part) => OPENINGS.test(part))
      .map((part) => finding("openings", part)),
    ...wordsIn(prose).map((excerpt) => finding("words", excerpt)),
  ];
}

/** Replaces code and links by a noun, so that their words do not count. */
function withoutCode(text: string): string {
  return text
    .replace(/^@example[\s\S]*?(?=^@|$(?![\s\S]))/gm, "")
    .replace(/`[^`]*`|"[^"\n]*"|“[^”]*”/g, "X")
    .replace(/\{@link [^}]*\}/g, "X")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** Description and tags of a docstring, each without its tag and the name after it. */
function partsOf(text: string): readonly string[] {
  return text
    .split(/^@/m)
    .map((part, index) =>
      index === 0
        ? part
        : part.replace(
            /^(param|property|template)\s+\S+\s*(-\s*)?|^(throws)\s+(\{[^}]*\}\s*)?|^\w+\s*/,
            "",
          ),
    )
    .map((part) => part.trim());
}

function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?])\s+/);
}
