import type { Example } from "../../rules/example.ts";
import type { Key } from "./written.ts";

/** What a topic is; in this order they are listed. */
export const TOPIC_KINDS = [
  "trigger",
  "rule key",
  "operator",
  "function",
  "step",
  "step key",
  "setting",
  "problem",
] as const;
export type TopicKind = (typeof TOPIC_KINDS)[number];

/** One thing that can be explained. Words of the language are in backticks. */
export interface Topic {
  readonly kind: TopicKind;
  /** As people write it: `dm.received`, `contains_word`, `webhook.listen`. */
  readonly name: string;
  /** Other names under which it is found: a variable of the environment, a function's signature. */
  readonly aliases: readonly string[];
  /** One sentence. */
  readonly about: string;
  /** Of problems: why it is refused, or warned of. */
  readonly why?: string;
  readonly facts: readonly TopicFact[];
  readonly keys: readonly Key[];
  readonly examples: readonly TopicExample[];
  /** Page of the reference, `steps` for `config/reference/steps.md`. */
  readonly section: string;
}

/** Something that is known of a topic. */
export interface TopicFact {
  readonly label: string;
  readonly value: string;
}

/** An example of a topic. */
export interface TopicExample {
  readonly title: "Example" | "Wrong" | "Right";
  readonly example: Example;
  /** Of settings: it stands in the settings file, below `version: 1`. */
  readonly inSettings?: true;
}
