import type { Example } from "../../rules/example.ts";
import type { Key } from "./written.ts";

/** Kinds of topics, in the order in which they are listed. */
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

/** A part of the rule language or of the settings that can be explained. Words of the language are in backticks. */
export interface Topic {
  readonly kind: TopicKind;
  /** Name as people write it, such as `dm.received`, `contains_word` or `webhook.listen`. */
  readonly name: string;
  /** Other names under which the topic is found, such as an environment variable or a function's signature. */
  readonly aliases: readonly string[];
  /** Summary of the topic in one sentence. */
  readonly about: string;
  /** Reason why `check` reports a problem; only topics about problems have it. */
  readonly why?: string;
  readonly facts: readonly TopicFact[];
  readonly keys: readonly Key[];
  readonly examples: readonly TopicExample[];
  /** Name of the topic's page in the reference: `steps` for `config/reference/steps.md`. */
  readonly section: string;
}

/** A labelled fact about a topic. */
export interface TopicFact {
  readonly label: string;
  readonly value: string;
}

/**
 * Text of a rule or settings file that shows the topic; for a problem, with the problem (`Wrong`) or corrected
 * (`Right`).
 */
export interface TopicExample {
  readonly title: "Example" | "Wrong" | "Right";
  readonly example: Example;
  /** Whether the example belongs in the settings file, below `version: 1`; set for settings. */
  readonly inSettings?: true;
}
