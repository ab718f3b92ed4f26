import { example, type Explanation } from "../../../rules/example.ts";

/** Explanations of problems with expressions and the texts that contain them. */
export const EXPRESSIONS_EXPLAINED = {
  "draw-range": {
    why: "chance takes a share: 1 is always, 0.3 is three times in ten. random takes the least number first.",
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
    why: "People write Hours, hours and HOURS!. An expression compares exactly, so it would miss most of them; same and has_word compare as conditions do. Of a question with expect: {in: [yes, no]} compare steps.ID.choice: it is the text as the list has it.",
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
    why: "post.text is the person's own words: the handles that address the bot are taken off its beginning, so a condition that wants one there never holds. post.full_text has them.",
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
    why: "A loop over what people write could be made as long as they like, and all others would wait for it.",
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
    why: "CEL's own patterns can be made to run for minutes by a message that is written for it. Those of conditions can't.",
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
    why: "A text that is kept can't be reckoned with later: the rule would fail when it runs.",
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
    why: "A text and a number are never equal, and have no sum.",
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
    why: "A test has to come to true or false; a text is neither.",
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
    why: "Its cost can't be told before it runs, or it makes of a text what no rule can use.",
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
    why: "Expressions have the signs of most programming languages: && and || and !, == and !=.",
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
    why: "What can't be read would fail for every event.",
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
    why: "With the longest message that the platform takes, this would keep all others waiting. It is worked out before anything runs.",
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
    why: "Without its marks an expression is a text: the variable would hold these very letters.",
    wrong: example`
      variables: { urgent: sender.verified }
    `,
    right: example`
      variables: { urgent: "\${{ sender.verified }}" }
    `,
  },
  "expression-in-text": {
    why: "An if is an expression as it is; marks or words around it would make a text of it.",
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
    why: "Without its end nobody knows where the text goes on.",
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
    why: "Nothing may be kept for this person yet, and then the expression would fail for them.",
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
    why: "The name stands for a group of fields; a condition asks one of them.",
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
    why: "A map or a list has no form that people are meant to read. Name the field that they are to see.",
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
    why: "These marks belong to another tool; here they are letters, and people would be sent them. Where they are meant so, end the line with `# check: ignore other-template`.",
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
    why: "Only inside the steps of a repeat there is a round, and only with for_each an item.",
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
    why: "What somebody wrote to the account in private would be read by everybody. Where that is wanted, the rule says so.",
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
    why: "People write what they like into a name or a post, a mention or a link among it, and the bot would publish that. Unless the rule says otherwise, such a mention or link has no effect: it notifies nobody and leads nowhere. The handle of the person who is answered is safe.",
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
    why: "Steps run from top to bottom, so there is no result yet.",
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
    why: "People or logs would show it. Secrets stand in what a service is asked, and in what a module is called with.",
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
    why: "Only the variables that a rule names are read from the environment, so that nobody can ask for another one.",
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
