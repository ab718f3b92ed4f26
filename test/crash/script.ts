/** Kinds of messages that people send, each with its own answers. */
export const KINDS = ["one", "two", "late", "bot"] as const;

export type Kind = (typeof KINDS)[number];

/** Rules that answer once, twice, and after a delay. The bot module answers messages that begin with "bot". */
export const RULES = `version: 1
rules:
  - id: one
    triggers: [dm.received]
    conditions: [{message.text: {starts_with: "one "}}]
    actions: [{reply_dm: "\${{ message.text }} done"}]
  - id: two
    triggers: [dm.received]
    conditions: [{message.text: {starts_with: "two "}}]
    actions:
      - reply_dm: "\${{ message.text }} first"
      - reply_dm: "\${{ message.text }} second"
  - id: late
    triggers: [dm.received]
    conditions: [{message.text: {starts_with: "late "}}]
    actions:
      - delay: 20s
      - reply_dm: "\${{ message.text }} done"
`;

/** A message of a person. */
export interface Said {
  /** The platform's id of the message. */
  readonly id: string;
  readonly person: string;
  readonly account: string;
  readonly kind: Kind;
  readonly text: string;
}

/** Answers that the rules call for, in their order. */
export function answersTo({ kind, text }: Pick<Said, "kind" | "text">): readonly string[] {
  return kind === "two" ? [`${text} first`, `${text} second`] : [`${text} done`];
}

/**
 * Returns the track of an answer. Answers of the same track must arrive in the order in which their messages arrived.
 * There are four tracks: answers queued when a message is decided, second answers, answers after a timer, and answers
 * of bot modules.
 */
export function trackOf(kind: Kind, place: number): string {
  if (kind === "late" || kind === "bot") return kind;
  return place === 0 ? "at once" : "second";
}
