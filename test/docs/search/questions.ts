/**
 * Questions of newcomers, as they type them, each with the page that answers it. Written before the search was tuned.
 */
export const QUESTIONS: readonly (readonly [question: string, page: string])[] = [
  ["how do I ask a question and wait for the answer", "config/guide/rules/wait-for-an-answer.md"],
  ["how do I remember a customer's name", "config/guide/rules/remember-something.md"],
  ["how do I post every morning at nine", "config/guide/rules/post-at-nine.md"],
  ["how do I hand a conversation over to a human", "config/guide/rules/hand-over-to-a-person.md"],
  [
    "find posts that name our brand without a mention",
    "config/guide/rules/find-posts-by-search.md",
  ],
  ["how do I block people who insult us", "config/guide/rules/moderate.md"],
  ["how do I call my REST API from a rule", "config/guide/rules/call-a-service.md"],
  ["how do I let my coding assistant write rules", "config/guide/operating/coding-assistant.md"],
  ["how do I test my rules", "config/guide/rules/test-rules.md"],
  ["how do I go live with my real account", "config/guide/operating/go-live.md"],
  ["why did the bot not answer", "config/guide/operating/why-no-answer.md"],
  ["where do I put my API key", "config/guide/operating/settings-and-secrets.md"],
  ["how do I run the bot on two servers", "config/guide/operating/several-machines.md"],
  ["how do I make a backup", "config/guide/operating/back-up.md"],
  ["how do I start the bot with systemd or docker", "examples/deploy/README.md"],
  [
    "how do I stop the bot from answering the same person too often",
    "config/guide/rules/choose-which-rule-answers.md",
  ],
  ["how do I use regex", "config/guide/rules/match-text.md"],
  [
    "how do I answer in the language of the user",
    "config/guide/rules/say-it-in-several-languages.md",
  ],
  ["how do I send a picture", "config/guide/rules/send-pictures.md"],
  [
    "how do I unsubscribe people who write STOP",
    "config/guide/operating/opt-out-and-quiet-hours.md",
  ],
  ["how do I write a bot in TypeScript", "bots/guide/first-bot.md"],
  ["how do I connect ChatGPT or another LLM", "examples/assistant/README.md"],
  ["what happens if the process crashes", "config/guide/operating/promises.md"],
  ["how do I monitor it with prometheus", "config/guide/operating/watch-a-bot.md"],
  ["how do I welcome new followers", "examples/welcome/README.md"],
  ["how do I use the mock platform in my own integration tests", "bots/guide/sandbox.md"],
  ["how do I wait ten minutes before replying", "config/guide/rules/wait-some-time.md"],
];
