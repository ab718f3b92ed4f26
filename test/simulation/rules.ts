import { compile } from "../../src/rules/compile/compile.ts";
import type { Ruleset } from "../../src/rules/ruleset.ts";

/** Rules of every simulation: they answer at once, twice, later, in parallel, once per cooldown, and in public. */
const TEXT = `version: 1
rules:
  - id: ask
    name: One answer, another one for each question
    triggers: [dm.received]
    conditions: [{ message.text: { starts_with: ask } }]
    actions:
      - reply_dm: "Answer to \${{ message.text }}"
  - id: hours
    name: The same answer to everybody, each time
    triggers: [dm.received]
    conditions: [{ message.text: { starts_with: hours } }]
    actions:
      - reply_dm: We are open.
  - id: twice
    name: The same text twice in one run, and meant so
    triggers: [dm.received]
    conditions: [{ message.text: { starts_with: twice } }]
    actions:
      - reply_dm: "Again: \${{ message.text }}"
      - reply_dm: "Again: \${{ message.text }}"
  - id: later
    name: An answer now, and one after a while
    triggers: [dm.received]
    conditions: [{ message.text: { starts_with: later } }]
    actions:
      - reply_dm: "Looking into \${{ message.text }}"
      - delay: 20s
      - reply_dm: "Done: \${{ message.text }}"
  - id: both
    name: Answers side by side, and one when both are through
    triggers: [dm.received]
    conditions: [{ message.text: { starts_with: both } }]
    actions:
      - parallel:
          now:
            - reply_dm: "First of \${{ message.text }}"
          then:
            - delay: 20s
            - reply_dm: "Second of \${{ message.text }}"
      - reply_dm: "All of \${{ message.text }}"
  - id: thanks
    name: One answer for each person in half a day
    triggers: [dm.received]
    conditions: [{ message.text: { starts_with: thanks } }]
    cooldown: { per: sender, for: 12h }
    actions:
      - reply_dm: You are welcome.
  - id: news
    name: One answer in half a day, whoever asks
    triggers: [dm.received]
    conditions: [{ message.text: { starts_with: news } }]
    cooldown: { per: rule, for: 12h }
    actions:
      - reply_dm: You are the first.
  - id: mention
    name: A like and a reply
    triggers: [post.mentioned]
    actions:
      - like
      - reply_post: { text: "Hello, \${{ post.text }}", third_parties: inert }
  - id: welcome
    name: A follow back and a message
    triggers: [user.followed]
    cooldown: { per: sender, for: 12h }
    actions:
      - follow
      - reply_dm: Welcome.
`;

let compiled: Ruleset | undefined;

/** Compiled rules. Compiling is slow compared with a simulation, so it is done once. */
export function simulatedRules(): Ruleset {
  if (compiled !== undefined) return compiled;
  const { ruleset, problems } = compile([{ path: "simulation.yaml", text: TEXT }]);
  if (problems.length > 0) throw new Error(JSON.stringify(problems, null, 2));
  compiled = ruleset;
  return compiled;
}
