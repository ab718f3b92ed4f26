import { example, type Explanation } from "../../../rules/example.ts";

/** Explanations of problems with expressions and the texts that contain them. */
export const EXPRESSIONS_EXPLAINED = {
  "draw-range": {
    why: "chance takes a probability: 1 means always, 0.3 means three times in ten. random takes the minimum first.",
    wrong: example`
      conditions:
        - if: chance(30)
    `,
    right: example`
      conditions:
        - if: chance(0.3)
    `,
  },
  "exact-comparison": {
    why: "People write Hours, hours and HOURS!, and an exact comparison would miss most of them. same and has_word ignore case, as conditions do. For a question with expect: {in: [yes, no]} compare steps.ID.choice, which has the spelling of the list.",
    wrong: example`
      actions:
        - if: message.text == "hours"
          then: [{ reply_dm: From nine to five. }]
    `,
    right: example`
      actions:
        - if: message.text.same("hours")
          then: [{ reply_dm: From nine to five. }]
    `,
  },
  "handle-in-front": {
    why: "post.text omits the handles at its beginning that address the bot, so a condition that expects one there never holds. post.full_text includes them.",
    wrong: example`
      triggers: [post.mentioned]
      conditions:
        - post.text: { starts_with: "@hello_bot status" }
    `,
    right: example`
      triggers: [post.mentioned]
      conditions:
        - post.text: { starts_with: status }
    `,
  },
  "expr-no-loops": {
    why: "People could send messages that make a loop run very long, and all other people would have to wait.",
    wrong: example`
      conditions:
        - if: message.hashtags.exists(tag, tag == "sale")
    `,
    right: example`
      conditions:
        - if: '"sale" in message.hashtags'
    `,
  },
  "expr-no-matches": {
    why: "A malicious message can make CEL's own patterns run for minutes. Patterns in conditions run in linear time.",
    wrong: example`
      conditions:
        - if: message.text.matches("(a+)+$")
    `,
    right: example`
      conditions:
        - message.text: { matches: 'a+$' }
    `,
  },
  "state-type": {
    why: "A rule can't calculate with a number that was stored as a text: it would fail when it runs.",
    wrong: example`
      actions:
        - set: { state.sender.age: "\${{ message.text }}" }
        - if: state.sender.age.orValue(0) > 17
          then: [{ reply_dm: Welcome. }]
    `,
    right: example`
      actions:
        - set: { state.sender.age: "\${{ number(message.text) }}" }
        - if: state.sender.age.orValue(0) > 17
          then: [{ reply_dm: Welcome. }]
    `,
  },
  "operand-types": {
    why: "A text and a number are never equal and can't be added.",
    wrong: example`
      actions:
        - set: { state.account.votes: '\${{ state.account.votes.orValue("") + 1 }}' }
    `,
    right: example`
      actions:
        - set: { state.account.votes: "\${{ state.account.votes.orValue(0) + 1 }}" }
    `,
  },
  "expr-not-boolean": {
    why: "A condition must be true or false, and a text is neither.",
    wrong: example`
      conditions:
        - if: sender.name
    `,
    right: example`
      conditions:
        - if: sender.name != ""
    `,
  },
  "expr-not-here": {
    why: "The cost of the function can't be known in advance, or another function does the same.",
    wrong: example`
      conditions:
        - if: message.text.split(" ") == []
    `,
    right: example`
      conditions:
        - if: message.text == ""
    `,
  },
  "expr-operator": {
    why: "Expressions have the operators of most programming languages: &&, ||, !, == and !=.",
    wrong: example`
      conditions:
        - if: sender.verified and sender.followers_count > 100
    `,
    right: example`
      conditions:
        - if: sender.verified && sender.followers_count > 100
    `,
  },
  "expr-syntax": {
    why: "An invalid expression would fail for every event.",
    wrong: example`
      conditions:
        - if: (sender.followers_count > 100
    `,
    right: example`
      conditions:
        - if: (sender.followers_count > 100)
    `,
  },
  "expr-too-long": {
    why: "The cost is estimated before the rule runs. With the longest message that the platform allows, this expression would make all other people wait.",
    wrong: example`
      conditions:
        - if: (${Array.from({ length: 40 }, () => "text").join(" + ")}).contains("a")
    `,
    right: example`
      conditions:
        - if: text.contains_any(["a"])
    `,
  },
  "expression-as-text": {
    why: "In such a value, only ${{ }} marks an expression. Without it, the variable would contain exactly these characters.",
    wrong: example`
      variables: { urgent: sender.verified }
    `,
    right: example`
      variables: { urgent: "\${{ sender.verified }}" }
    `,
  },
  "expression-in-text": {
    why: "The value of if is already an expression. With ${{ }} or other text around it, it would become a text.",
    wrong: example`
      conditions:
        - if: \${{ sender.verified }}
    `,
    right: example`
      conditions:
        - if: sender.verified
    `,
  },
  "expression-not-closed": {
    why: "Without the closing }}, the end of the expression is unknown.",
    wrong: example`
      actions:
        - reply_dm: "Hi \${{ sender.name"
    `,
    right: example`
      actions:
        - reply_dm: "Hi \${{ sender.name }}"
    `,
  },
  "may-be-absent": {
    why: "The value may not exist for this person yet, and then the expression would fail.",
    wrong: example`
      conditions:
        - if: state.sender.tier == 3
    `,
    right: example`
      conditions:
        - if: state.sender.tier.orValue(0) == 3
    `,
  },
  "not-a-field": {
    why: "The name is a group of fields. A condition tests one field.",
    wrong: example`
      conditions:
        - sender: { exists: true }
    `,
    right: example`
      conditions:
        - sender.location: { exists: true }
    `,
  },
  "not-showable": {
    why: "A map has no text form that people could read. Name the field to show.",
    wrong: example`
      actions:
        - reply_dm: "Hi \${{ sender }}"
    `,
    right: example`
      actions:
        - reply_dm: "Hi \${{ sender.name }}"
    `,
  },
  "other-template": {
    why: "Rules evaluate only ${{ }}. Other marks are plain text, so people would receive them unchanged. If that is what you want, end the line with `# check: ignore other-template`.",
    wrong: example`
      actions:
        - reply_dm: "Hi {{ sender.name }}"
    `,
    right: example`
      actions:
        - reply_dm: "Hi \${{ sender.name }}"
    `,
  },
  "outside-repeat": {
    why: "repeat.index exists only in the steps of a repeat, and repeat.item only if the repeat has for_each.",
    wrong: example`
      actions:
        - reply_dm: Number \${{ repeat.index }}
    `,
    right: example`
      actions:
        - repeat:
            count: 3
            sequence:
              - reply_dm: Number \${{ repeat.index }}
    `,
  },
  "private-to-public": {
    why: "Everyone could read what a person wrote to the account in private. If that is what you want, allow it in the rule.",
    wrong: example`
      actions:
        - create_post: "Somebody told us: \${{ message.text.truncate(100) }}"
    `,
    right: example`
      allow: [private-to-public]
      actions:
        - create_post: "Somebody told us: \${{ message.text.truncate(100) }}"
    `,
  },
  "words-of-others": {
    why: "People can put anything into a name or a post, including mentions and links, and the bot would publish it. By default, such a mention or link has no effect: it notifies no one and can't be clicked. The handle of the person that the bot answers is safe.",
    wrong: example`
      triggers: [post.mentioned]
      actions:
        - reply: Welcome, \${{ sender.name }}!
    `,
    right: example`
      triggers: [post.mentioned]
      actions:
        - reply: Welcome, @\${{ sender.username }}!
        - reply: {text: "You are \${{ sender.name }}?", third_parties: hold}
    `,
  },
  "result-before-step": {
    why: "Steps run from top to bottom, so the result does not exist yet.",
    wrong: example`
      actions:
        - log: \${{ steps.note.ok }}
        - { id: note, log: hello }
    `,
    right: example`
      actions:
        - { id: note, log: hello }
        - log: \${{ steps.note.ok }}
    `,
  },
  "secret-in-text": {
    why: "People could read the secret in a message or in the logs. Secrets are allowed only in requests to services and in calls of modules.",
    wrong: example`
      actions:
        - reply_dm: "\${{ secrets.ORDERS_TOKEN }}"
    `,
    right: example`
      actions:
        - http:
            url: https://orders.example.test/
            headers: { authorization: "Bearer \${{ secrets.ORDERS_TOKEN }}" }
    `,
  },
  "secret-not-named": {
    why: "A rule can read only the environment variables that it names literally, so that no message can select another variable.",
    wrong: example`
      actions:
        - http:
            url: https://orders.example.test/
            headers: { authorization: "\${{ secrets[sender.username] }}" }
    `,
    right: example`
      actions:
        - http:
            url: https://orders.example.test/
            headers: { authorization: "\${{ secrets.ORDERS_TOKEN }}" }
    `,
  },
} as const satisfies Readonly<Record<string, Explanation>>;
