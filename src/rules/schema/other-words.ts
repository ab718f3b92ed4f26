type Place = "file" | "rule" | "step" | "operator" | "combinator" | "trigger";

/** Words that other tools have for the words of this language. */
const MEANT: Readonly<Record<Place, Readonly<Record<string, string>>>> = {
  file: { rule: "rules", automations: "rules", automation: "rules", handlers: "rules" },
  rule: {
    ...same("triggers", ["on", "when", "event", "events"]),
    ...same("actions", ["steps", "do", "then", "run", "reply", "reply_dm", "response"]),
    ...same("conditions", ["if", "where", "filter", "filters", "match", "condition"]),
    ...same("name", ["description", "title", "alias", "comment"]),
    ...same("cooldown", ["throttle", "debounce", "rate_limit"]),
    ...same("variables", ["vars", "let", "env"]),
  },
  step: {
    ...same("reply_dm", ["send", "dm", "message", "say", "text", "respond", "answer", "send_dm"]),
    ...same("reply_post", ["tweet", "post", "comment"]),
    ...same("delay", ["wait", "sleep", "pause"]),
    ...same("call", ["script", "function", "exec", "uses"]),
    ...same("log", ["print", "echo", "debug"]),
    ...same("stop", ["end", "exit", "return", "break", "abort"]),
    ...same("if", ["when", "condition", "conditions", "unless"]),
    ...same("else_if", ["elif", "elsif", "elseif", "else if"]),
    ...same("on_error", ["catch", "rescue", "onerror", "on_failure"]),
  },
  operator: {
    ...same("matches", ["regex", "regexp", "re", "pattern", "match", "like", "ilike", "rlike"]),
    ...same("equals", ["is", "eq", "equal", "iequals", "==", "=", "===", "value"]),
    ...same("contains", ["includes", "include", "has", "substring", "contain", "icontains"]),
    ...same("contains_word", ["word", "words", "keyword", "keywords", "has_word"]),
    ...same("in", ["one_of", "any_of", "any", "oneof"]),
    ...same("starts_with", [
      "prefix",
      "begins_with",
      "startswith",
      "startsWith",
      "start_with",
      "begins",
    ]),
    ...same("ends_with", ["suffix", "endswith", "endsWith", "end_with"]),
    ...same("gt", [">", "greater_than", "more_than", "above", "over", "min"]),
    ...same("gte", [">=", "at_least", "ge"]),
    ...same("lt", ["<", "less_than", "below", "under", "max"]),
    ...same("lte", ["<=", "at_most", "le"]),
    ...same("exists", ["present", "is_set", "defined"]),
  },
  combinator: {
    ...same("all", ["and", "every", "all_of", "allof"]),
    ...same("any", ["or", "some", "any_of", "anyof", "one_of"]),
    ...same("not", ["none", "none_of", "nor", "unless"]),
    ...same("if", ["expression", "expr", "when", "template"]),
  },
  trigger: {
    ...same("dm.received", [
      "message.created",
      "message.received",
      "message",
      "dm",
      "direct_message",
    ]),
    ...same("post.mentioned", ["mention", "mentioned", "post.mention"]),
    ...same("post.replied", ["reply", "replied", "post.reply"]),
    ...same("user.followed", ["follow", "followed", "follower", "user.follow"]),
    ...same("post.liked", ["like", "liked", "favorite", "post.like"]),
  },
};

function same(word: string, others: readonly string[]): Record<string, string> {
  return Object.fromEntries(others.map((other) => [other, word]));
}

/** The word of this language for a word that other tools have there. */
export function meantWord(place: Place, word: string): string | undefined {
  const words = MEANT[place];
  return Object.hasOwn(words, word) ? words[word] : undefined;
}
