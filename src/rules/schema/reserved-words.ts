/** Words of the language that this version doesn't have: refused by name, never ignored. */
const RESERVED: Readonly<
  Record<"file" | "rule" | "step" | "operator" | "field" | "trigger", readonly string[]>
> = {
  file: ["account", "inputs", "lists", "defaults", "include", "use"],
  rule: ["formerly", "active", "limit", "mode", "key", "max", "timeout", "on_reload", "labels"],
  step: [
    "create_post",
    "repost",
    "quote",
    "unfollow",
    "block",
    "mute",
    "typing",
    "set",
    "count",
    "http",
    "report_conversion",
    "escalate",
    "ask",
    "wait_for",
    "choose",
    "repeat",
    "parallel",
    "run",
    "retry",
  ],
  operator: ["in_list", "normalize"],
  field: ["sender.labels", "user", "match", "count", "answer"],
  trigger: ["schedule", "timer", "count.reached", "webhook"],
};

/** A sentence for a word of the language that is not in this version, else `undefined`. */
export function reservedWord(place: keyof typeof RESERVED, word: string): string | undefined {
  return RESERVED[place].includes(word) ? `this version has no "${word}" yet` : undefined;
}
