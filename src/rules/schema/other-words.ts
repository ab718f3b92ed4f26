type Place = "file" | "rule" | "step" | "operator" | "combinator";

/** Words of this language by the words of other tools with the same meaning: `triggers` for `when`. */
const MEANT: Readonly<Record<Place, Readonly<Record<string, string>>>> = {
  file: {
    ...same("rules", ["rule", "automations", "automation", "handlers", "stories", "intents"]),
    ...same("rules", ["flows", "flow", "workflows", "commands", "jobs"]),
    ...same("texts", ["responses", "templates", "messages"]),
  },
  rule: {
    ...same("triggers", ["on", "when", "event", "events"]),
    ...same("actions", ["steps", "do", "then", "run", "reply", "reply_dm", "response"]),
    ...same("actions", ["sequence", "nodes", "tasks"]),
    ...same("conditions", ["if", "where", "filter", "filters", "match", "condition"]),
    ...same("name", ["description", "title", "alias", "comment"]),
    ...same("fallback", ["catch_all"]),
    ...same("cooldown", ["throttle", "debounce", "rate_limit"]),
    ...same("variables", ["vars", "let", "env"]),
  },
  step: {
    ...same("reply_dm", ["send", "dm", "message", "say", "text", "respond", "answer", "send_dm"]),
    ...same("reply_dm", ["send_message", "send_direct_message", "direct_message", "utter"]),
    ...same("create_post", [
      "tweet",
      "post",
      "publish",
      "post_tweet",
      "create_tweet",
      "update_status",
    ]),
    ...same("reply_post", ["comment", "reply_tweet"]),
    ...same("ask", ["question", "prompt"]),
    ...same("run", ["goto", "next", "transition"]),
    ...same("set", ["set_state", "set_slot", "remember", "assign"]),
    ...same("repeat", ["loop"]),
    ...same("continue_on_error", ["continueOnFail"]),
    ...same("then", ["do"]),
    ...same("delay", ["wait", "sleep", "pause"]),
    ...same("call", ["script", "function", "exec", "uses"]),
    ...same("log", ["print", "echo", "debug"]),
    ...same("stop", ["end", "exit", "return", "break", "abort"]),
    ...same("if", ["when", "condition", "conditions"]),
    ...same("block", ["ban", "kick", "block_user", "ban_user"]),
    ...same("unblock", ["unban", "unblock_user"]),
    ...same("repost", ["retweet", "share", "boost"]),
    ...same("like", ["favorite", "favourite", "heart"]),
    ...same("hide_reply", ["hide", "hide_comment"]),
    ...same("escalate", ["handover", "hand_over", "handoff", "transfer", "ticket"]),
    ...same("else", ["otherwise", "default"]),
    ...same("increment", ["increase", "add", "inc", "plus"]),
    ...same("else_if", ["elif", "elsif", "elseif", "else if"]),
    ...same("on_error", ["catch", "rescue", "onerror", "on_failure"]),
  },
  operator: {
    ...same("matches", [
      "regex",
      "regexp",
      "re",
      "pattern",
      "match",
      "like",
      "ilike",
      "rlike",
      "matchregex",
    ]),
    ...same("equals", ["is", "eq", "equal", "iequals", "==", "=", "===", "value"]),
    ...same("contains", [
      "includes",
      "include",
      "has",
      "substring",
      "contain",
      "icontains",
      "contains_text",
    ]),
    ...same("contains_word", ["word", "words", "keyword", "keywords", "has_word"]),
    ...same("in", ["one_of", "any_of", "any", "oneof", "inside"]),
    ...same("starts_with", [
      "prefix",
      "begins_with",
      "startswith",
      "startsWith",
      "start_with",
      "begins",
    ]),
    ...same("ends_with", ["suffix", "endswith", "endsWith", "end_with"]),
    ...same("gt", [">", "greater_than", "greaterthan", "more_than", "above", "over", "larger"]),
    ...same("gte", [">=", "at_least", "ge", "min"]),
    ...same("lt", ["<", "less_than", "lessthan", "below", "under", "smaller"]),
    ...same("lte", ["<=", "at_most", "le", "max"]),
    ...same("exists", ["present", "is_set", "defined"]),
  },
  combinator: {
    ...same("all", ["and", "every", "all_of", "allof"]),
    ...same("any", ["or", "some", "any_of", "anyof", "one_of"]),
    ...same("not", ["none", "none_of", "nor", "unless"]),
    ...same("if", ["expression", "expr", "when", "template"]),
  },
};

function same(word: string, others: readonly string[]): Record<string, string> {
  return Object.fromEntries(others.map((other) => [other, word]));
}

/** Returns the word of this language for a word of another tool at this place. */
export function meantWord(place: Place, word: string): string | undefined {
  const words = MEANT[place];
  return Object.hasOwn(words, word) ? words[word] : undefined;
}
