/** Syntax of another tool that people try first, and the equivalent in the rule language. */
export interface Habit {
  /** Part of a rule file to which `wrong` and `right` belong. */
  readonly place: "rule" | "trigger" | "condition" | "step" | "file";
  readonly wrong: readonly string[];
  readonly right: string;
}

/** Most frequent mistakes of authors who write their first rule file, see `test/first-attempts/corpus`. */
export const HABITS: readonly Habit[] = [
  {
    place: "rule",
    wrong: ["on: dm.received", "trigger: message", "event: dm.received", "when: message"],
    right: "triggers: [dm.received]",
  },
  { place: "trigger", wrong: ["follow", "on_follow"], right: "user.followed" },
  {
    place: "trigger",
    wrong: ['{ cron: "0 7 * * *" }', '{ trigger: time, at: "07:00" }'],
    right: '{ trigger: schedule, cron: "0 7 * * *", zone: Europe/Berlin }',
  },
  {
    place: "condition",
    wrong: ["{ contains: hello }", "{ field: message.text, contains: hello }"],
    right: "{ message.text: { contains_word: hello } }",
  },
  { place: "condition", wrong: ["{ user.verified: true }"], right: "{ sender.verified: true }" },
  {
    place: "step",
    wrong: [
      "{ action: reply_dm, text: Hi! }",
      "{ type: reply_dm, text: Hi! }",
      "{ send_message: Hi! }",
    ],
    right: "{ reply_dm: Hi! }",
  },
  {
    place: "step",
    wrong: ["{ reply_dm: { random: [Hi, Hello] } }"],
    right: "{ reply_dm: { options: [Hi, Hello] } }",
  },
  {
    place: "step",
    wrong: ["{ wait: 5 minutes }", "{ sleep: 300 }", "{ delay: { minutes: 5 } }"],
    right: "{ delay: 5m }",
  },
  {
    place: "step",
    wrong: ['{ reply_dm: "Hi {{ sender.name }}!" }', '{ reply_dm: "Hi {name}!" }'],
    right: '{ reply_dm: "Hi ${{ sender.name }}!" }',
  },
  {
    place: "step",
    wrong: ["{ set: { name: greeted, value: true } }", "{ set_state: { greeted: true } }"],
    right: "{ set: { state.sender.greeted: true } }",
  },
  {
    place: "step",
    wrong: ["{ increment: n }", "{ increment: { name: state.sender.n, amount: 1 } }"],
    right: "{ increment: state.sender.n }",
  },
  {
    place: "step",
    wrong: ['{ prompt: "Who are you?" }', '{ ask: { question: "Who are you?" } }'],
    right: '{ id: who, ask: { text: "Who are you?", within: 10m } }',
  },
  {
    place: "step",
    wrong: ['{ if: "${{ sender.verified }}", then: [{ stop: done }] }'],
    right: "{ if: sender.verified, then: [{ stop: done }] }",
  },
  {
    place: "rule",
    wrong: ["cooldown: 10m", "throttle: 10m"],
    right: "cooldown: { per: sender, for: 10m }",
  },
  { place: "rule", wrong: ["default: true"], right: "fallback: true" },
  { place: "rule", wrong: ["concurrency: queued"], right: "mode: queued" },
  {
    place: "file",
    wrong: ["state: [sender.n]", "state: { sender: { n: 0 } }"],
    right: "state: { sender.n: 0 }",
  },
];

/** Returns a rule file that contains the text `form` at this place. */
export function fileWith(place: Habit["place"], form: string): string {
  const key = /^\w+/.exec(form)?.[0];
  const parts: Readonly<Record<string, string>> = {
    triggers: "triggers: [dm.received]",
    conditions: "conditions: [{ message.text: { contains_word: hello } }]",
    actions: "actions: [{ reply_dm: Hi! }]",
    ...(place === "trigger" && {
      triggers: `triggers: [${form}]`,
      conditions: "",
      actions: "actions: [{ log: now }]",
    }),
    ...(place === "condition" && { conditions: `conditions: [${form}]` }),
    ...(place === "step" && { actions: `actions: [${form}, { reply_dm: Bye! }]` }),
    ...(place === "rule" && { [key === "triggers" ? "triggers" : "own"]: form }),
  };
  const isTrigger = place === "rule" && /^(on|trigger|event|when): /.test(form);
  const lines = Object.entries(parts).filter(([name]) => !(isTrigger && name === "triggers"));
  const beside =
    "  - id: beside\n    triggers: [dm.received]\n    conditions: [{ message.text: bye }]\n    actions: [{ reply_dm: Bye! }]\n";
  return `version: 1\n${place === "file" ? `${form}\n` : ""}rules:\n${beside}  - id: example\n${lines
    .filter(([, line]) => line !== "")
    .map(([, line]) => `    ${line}\n`)
    .join("")}`;
}
