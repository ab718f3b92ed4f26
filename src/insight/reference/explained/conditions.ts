import { example, type Explanation } from "../../../rules/example.ts";

/** Explanations of problems with triggers and conditions. */
export const CONDITIONS_EXPLAINED = {
  "any-skin-colour": {
    why: "People set a skin tone once for all their emoji, so it says nothing about the message. Comparisons ignore it, unless the condition has cased: true.",
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
    why: "every takes a number of whole days or weeks, from a date, at a time of day. For anything more frequent, write a cron expression.",
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
    why: "A cron expression has five fields: minute, hour, day of the month, month, day of the week. It runs once a minute at most, so it has no seconds field. A date that never occurs, such as 30 February, is rejected.",
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
    why: "The platform rejects a query that it can't parse, and a query that only excludes or narrows. Each part of an OR needs a word, a phrase, a hashtag, a handle, or an operator such as from: that finds posts by itself.",
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
    why: "How the entries of a list are compared is set once, in the list, and applies to every condition that uses it.",
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
    why: "An empty condition would hold for every event. It was probably left unfinished.",
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
    why: "The text has only invisible characters. Comparisons ignore these, so every text would contain it.",
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
    why: "A rule may read only the fields that all of its triggers carry. A follow, for example, carries no message.",
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
    why: "By default, a list compares whole texts, so a message would have to equal one entry exactly. To find entries inside a message, set match: word in the list.",
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
    why: "The field can never have this value, so the rule would never run. All conditions must hold, so write alternative values as a list in one condition.",
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
    why: "Only the account itself causes this event. By default, rules react only to what other people do, so the rule would never run.",
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
    why: "Conditions are compiled when the file is loaded, so that a thousand rules are as fast as ten. To compare two fields, write an if condition.",
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
    why: "A list under `not` means that none of its conditions holds. In an earlier version it meant that at least one does not hold. Write any or all to make the meaning explicit.",
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
    why: "A field never equals a value of another type.",
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
    why: "A text has no numeric order and a number contains no words, so the condition would never hold.",
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
    why: "Only `matches` reads patterns. Other operators compare literally, so the message would have to contain the star, bar or anchor itself. If that is what you want, end the line with `# check: ignore pattern-elsewhere`.",
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
    why: "Patterns use RE2, which searches in linear time, so that no message can hang the bot. Back-references can't be searched for in linear time.",
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
    why: "Patterns use RE2, which searches in linear time, so that no message can hang the bot. RE2 has no lookahead or lookbehind.",
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
    why: "Before a text is searched, white space at its ends is removed, and each run of white space is replaced by one space. So the searched text has no line breaks, tabs or double spaces. A sign such as ½ becomes several characters, which one character of a class can't be.",
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
    why: "Patterns have the syntax of RE2. Features that other dialects add are not available.",
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
    why: "Every message is searched, and a larger pattern takes longer. A counted repetition such as {1,60} multiplies the size of what it repeats.",
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
    why: "A pattern is written without the slashes that other languages put around it. Here, the slashes would have to be in the text.",
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
    why: "Each list item is one condition, so that a problem, or the why command, can point to it.",
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
    why: "Fields are checked when the file is loaded, so a misspelled name is an error with a line number instead of a rule that never matches.",
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
