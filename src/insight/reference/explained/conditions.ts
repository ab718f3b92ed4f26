import { example, type Explanation } from "../../../rules/example.ts";

/** Explanations of problems with triggers and conditions. */
export const CONDITIONS_EXPLAINED = {
  "any-skin-colour": {
    why: "People choose a colour once for all their pictures, so that it says nothing about what they mean.",
    wrong: example`
      conditions:
        - message.text: { contains: "👍🏽" }
    `,
    right: example`
      conditions:
        - message.text: { contains: "👍" }
    `,
  },
  "bad-schedule": {
    why: "every counts whole days and weeks, from a date on, at a time of the day. What comes more often is a cron expression.",
    wrong: example`
      triggers:
        - { trigger: schedule, every: 12 hours, from: 2026-01-05, at: "09:00", zone: Europe/Berlin }
      actions: [{ create_post: Good day! }]
    `,
    right: example`
      triggers:
        - { trigger: schedule, every: 2 weeks, from: 2026-01-05, at: "09:00", zone: Europe/Berlin }
      actions: [{ create_post: Good day! }]
    `,
  },
  "bad-cron": {
    why: "A schedule has five fields: minute, hour, day of the month, month, day of the week. It comes once a minute at most, so it has no seconds, and a date that no year has would never come.",
    wrong: example`
      triggers:
        - { trigger: schedule, cron: "0 25 * * *", zone: Europe/Berlin }
      actions: [{ create_post: Good night }]
    `,
    right: example`
      triggers:
        - { trigger: schedule, cron: "0 21 * * *", zone: Europe/Berlin }
      actions: [{ create_post: Good night }]
    `,
  },
  "bad-query": {
    why: "The platform refuses a query that it can't read, and one that only excludes or narrows. Each part of an OR needs a word, a phrase, a tag, a handle, or an operator such as from: that finds posts by itself.",
    wrong: example`
      triggers:
        - { trigger: post.found, query: "-is:retweet lang:en" }
      actions: [like]
    `,
    right: example`
      triggers:
        - { trigger: post.found, query: "acme -is:retweet lang:en" }
      actions: [like]
    `,
  },
  "cased-list": {
    why: "How the entries of a list are compared is said once, at the list, for all who ask about it.",
    wrong: example`
      version: 1
      lists: { codes: { match: word, entries: [SPRING, AUTUMN] } }
      rules:
        - id: example
          triggers: [dm.received]
          conditions: [{ message.text: { in_list: codes, cased: true } }]
          actions: [{ reply_dm: hi }]
    `,
    right: example`
      version: 1
      lists: { codes: { match: word, normalize: [], entries: [SPRING, AUTUMN] } }
      rules:
        - id: example
          triggers: [dm.received]
          conditions: [{ message.text: { in_list: codes } }]
          actions: [{ reply_dm: hi }]
    `,
  },
  "empty-condition": {
    why: "It would hold for every event, as if it were not there. Something is probably still to be written.",
    wrong: example`
      conditions:
        - message.text: {}
    `,
    right: example`
      conditions:
        - message.text: { contains_word: hours }
    `,
  },
  "empty-operand": {
    why: "It is made of signs that nobody sees, which do not count when texts are compared: it would be in every text.",
    wrong: example`
      conditions:
        - message.text: { contains: "\u200b" }
    `,
    right: example`
      conditions:
        - message.text: { contains: hours }
    `,
  },
  "field-not-on-trigger": {
    why: "A rule may use the fields that every one of its triggers carries: who follows has written no message.",
    wrong: example`
      triggers: [user.followed]
      conditions:
        - message.text: { contains: sale }
    `,
    right: example`
      triggers: [dm.received]
      conditions:
        - message.text: { contains: sale }
    `,
  },
  "list-of-whole-texts": {
    why: "Unless a list says otherwise its entries are whole texts, so a message would have to be one entry and nothing else.",
    wrong: example`
      version: 1
      lists: { rude: [fool, idiot] }
      rules:
        - id: example
          triggers: [dm.received]
          conditions: [{ message.text: { in_list: rude } }]
          actions: [block]
    `,
    right: example`
      version: 1
      lists: { rude: { match: word, entries: [fool, idiot] } }
      rules:
        - id: example
          triggers: [dm.received]
          conditions: [{ message.text: { in_list: rude } }]
          actions: [block]
    `,
  },
  "never-holds": {
    why: "The field never has this value, whatever happens, so the rule would never run. A list of several values is one condition.",
    wrong: example`
      conditions:
        - message.hashtags: { contains: "#sale" }
    `,
    right: example`
      conditions:
        - message.hashtags: { contains: sale }
    `,
  },
  "never-inbound": {
    why: "Only the account itself causes this event, and rules answer what others do unless they say otherwise.",
    wrong: example`
      triggers: [dm.sent]
      actions: [{ log: an answer is out }]
    `,
    right: example`
      triggers: [{ trigger: dm.sent, direction: outbound }]
      actions: [{ log: an answer is out }]
    `,
  },
  "no-expression-here": {
    why: "What a field is compared with is known when the file is read, which makes a thousand rules as quick as ten. An expression can compare two fields.",
    wrong: example`
      conditions:
        - sender.id: "\${{ account.id }}"
    `,
    right: example`
      conditions:
        - if: sender.id == account.id
    `,
  },
  "not-list": {
    why: "A list under `not` is read as none of them. In an earlier version it was enough that one of them did not hold, so say which is meant.",
    wrong: example`
      conditions:
        - not:
            - sender.location: Berlin
            - sender.location: Paris
    `,
    right: example`
      conditions:
        - not:
            any:
              - sender.location: Berlin
              - sender.location: Paris
    `,
  },
  "operand-type": {
    why: "A field of one type is never equal to a value of another.",
    wrong: example`
      conditions:
        - sender.verified: yes
    `,
    right: example`
      conditions:
        - sender.verified: true
    `,
  },
  "operator-not-for-type": {
    why: "A text has no size to compare, and a number holds no words: the condition would never hold.",
    wrong: example`
      conditions:
        - message.text: { gt: 3 }
    `,
    right: example`
      conditions:
        - sender.followers_count: { gt: 3 }
    `,
  },
  "pattern-elsewhere": {
    why: "Only `matches` reads patterns. Every other operator looks for the very signs, so a star, a bar or an anchor would have to be in the message. Where they are meant so, end the line with `# check: ignore pattern-elsewhere`.",
    wrong: example`
      conditions:
        - message.text: { contains_word: "hi|hello" }
    `,
    right: example`
      conditions:
        - message.text: { contains_word: [hi, hello] }
    `,
  },
  "regex-backreference": {
    why: "Patterns run in time that grows with the text only, so that no message can hang the bot. What refers back to a group can't.",
    wrong: example`
      conditions:
        - message.text: { matches: '(ha)\1' }
    `,
    right: example`
      conditions:
        - message.text: { matches: 'haha' }
    `,
  },
  "regex-lookaround": {
    why: "Patterns run in time that grows with the text only, so that no message can hang the bot. Looking ahead or behind can't.",
    wrong: example`
      conditions:
        - message.text: { matches: '^(?!stop).*order' }
    `,
    right: example`
      conditions:
        - message.text: { contains: order }
        - not: { message.text: { starts_with: stop } }
    `,
  },
  "regex-never-matches": {
    why: "Before a text is searched, each run of white space becomes one blank, so there is no line break in it.",
    wrong: example`
      conditions:
        - message.text: { matches: 'order\n\d+' }
    `,
    right: example`
      conditions:
        - message.text: { matches: 'order\s\d+' }
    `,
  },
  "regex-syntax": {
    why: "Patterns are those of RE2; what other dialects add is not there.",
    wrong: example`
      conditions:
        - message.text: { matches: '(refund' }
    `,
    right: example`
      conditions:
        - message.text: { matches: '(refund)' }
    `,
  },
  "regex-too-long": {
    why: "Each message is searched for the pattern, which takes longer the bigger it is. Counted repeats multiply what they repeat.",
    wrong: example`
      conditions:
        - message.text: { matches: '(\w{1,60}-){9}' }
    `,
    right: example`
      conditions:
        - message.text: { matches: '(\w+-){9}' }
    `,
  },
  "slashes-in-pattern": {
    why: "A pattern stands by itself, without the slashes that other languages put around it: here they would be sought in the text.",
    wrong: example`
      conditions:
        - message.text: { matches: /refund/ }
    `,
    right: example`
      conditions:
        - message.text: { matches: 'refund' }
    `,
  },
  "two-conditions": {
    why: "One item is one condition, so that each can be told, found and silenced by itself.",
    wrong: example`
      conditions:
        - message.text: { contains: refund }
          sender.verified: true
    `,
    right: example`
      conditions:
        - message.text: { contains: refund }
        - sender.verified: true
    `,
  },
  "unknown-field": {
    why: "Fields are known when the file is read, so a slip is a mistake with a place, not a rule that never matches.",
    wrong: example`
      conditions:
        - message.txt: { contains: refund }
    `,
    right: example`
      conditions:
        - message.text: { contains: refund }
    `,
  },
} as const satisfies Readonly<Record<string, Explanation>>;
