import { example, type Explanation } from "../../../rules/example.ts";

/** Explanations of problems between several rules, or between rules, settings and bots. */
export const PROJECT_EXPLAINED = {
  "bot-module": {
    why: "The bot would be missing. check imports each bot module to find such errors, and calls none of its handlers.",
    wrong: {
      "config/answerback.yaml": "version: 1\n",
      "bots/hello.ts": example`
        export const hello = { name: "hello" };
      `,
    },
    right: {
      "config/answerback.yaml": "version: 1\n",
      "bots/hello.ts": example`
        import { defineBot } from "answerback";

        export default defineBot({
          name: "hello",
          on: { "dm.received": (ctx) => ctx.reply("hi") },
        });
      `,
    },
  },
  "silencing-rule": {
    why: "Only the first matching rule of a group runs for an event, even if it sends nothing. A rule that only stores or logs something should be in no group. To silence the other rules on purpose, end the steps with a stop.",
    wrong: example`
      version: 1
      groups: { talk: { match: first } }
      rules:
        - id: note
          group: talk
          triggers: [dm.received]
          conditions: [{ message.text: { contains: "@" } }]
          actions: [{ set: { state.sender.mail: "\${{ message.text }}" } }]
        - id: hello
          group: talk
          triggers: [dm.received]
          actions: [{ reply_dm: hi }]
    `,
    right: example`
      version: 1
      groups: { talk: { match: first } }
      rules:
        - id: note
          triggers: [dm.received]
          conditions: [{ message.text: { contains: "@" } }]
          actions: [{ set: { state.sender.mail: "\${{ message.text }}" } }]
        - id: hello
          group: talk
          triggers: [dm.received]
          actions: [{ reply_dm: hi }]
    `,
  },
  "env-expression": {
    why: "Settings are read before any event arrives, so they can read only environment variables.",
    wrong: {
      "config/answerback.yaml": example`
        version: 1
        app: { consumer_key: "\${{ secrets.CONSUMER_KEY }}" }
      `,
    },
    right: {
      "config/answerback.yaml": example`
        version: 1
        app: { consumer_key: "\${{ env.CONSUMER_KEY }}" }
      `,
      ".env": "CONSUMER_KEY=key\n",
    },
  },
  "env-missing": {
    why: "The setting would be empty. Set the variable in the environment, or in the file .env of the project's folder.",
    wrong: {
      "config/answerback.yaml": example`
        version: 1
        app: { consumer_key: "\${{ env.CONSUMER_KEY }}" }
      `,
    },
    right: {
      "config/answerback.yaml": example`
        version: 1
        app: { consumer_key: "\${{ env.CONSUMER_KEY }}" }
      `,
      ".env": "CONSUMER_KEY=key\n",
    },
  },
  "fallback-alone": {
    why: "A fallback answers when no other rule of its group does, so it needs other rules in its group.",
    wrong: example`
      fallback: true
    `,
    right: example`
      version: 1
      rules:
        - id: hours
          triggers: [dm.received]
          conditions: [{ message.text: { contains_word: hours } }]
          actions: [{ reply_dm: From nine to five. }]
        - id: else
          fallback: true
          triggers: [dm.received]
          actions: [{ reply_dm: Ask about our hours. }]
    `,
  },
  "fallback-without-group": {
    why: "With group: none the rule has no other rules to fall back from, so it would always run.",
    wrong: example`
      group: none
      fallback: true
    `,
    right: example`
      group: none
    `,
  },
  "glob-without-files": {
    why: "The glob is probably misspelled, and the bot would run without these files.",
    wrong: {
      "config/answerback.yaml": example`
        version: 1
        rules: [../answrs/*.yaml]
      `,
      "answers/hours.yaml": "version: 1\nrules: []\n",
    },
    right: {
      "config/answerback.yaml": example`
        version: 1
        rules: [../answers/*.yaml]
      `,
      "answers/hours.yaml": "version: 1\nrules: []\n",
    },
  },
  "file-not-loaded": {
    why: "The rules or the bot of this file don't run, because no glob in the settings leads to it: a glob takes one ending and one folder. If that is what you want, give the file another ending, such as .yaml.off.",
    wrong: {
      "config/answerback.yaml": example`
        version: 1
        rules: [../rules/*.yaml]
      `,
      "rules/hours.yaml": "version: 1\nrules: []\n",
      "rules/prices.yml": "version: 1\nrules: []\n",
    },
    right: {
      "config/answerback.yaml": example`
        version: 1
        rules: ["../rules/*.{yaml,yml}"]
      `,
      "rules/hours.yaml": "version: 1\nrules: []\n",
      "rules/prices.yml": "version: 1\nrules: []\n",
    },
  },
  "live-needs": {
    why: "Without the setting, the bot does not know where the platform is, or can't authenticate.",
    wrong: {
      "config/answerback.yaml": example`
        version: 1
        target: live
        platform: { base_url: https://api.example.com }
        app: { consumer_key: "\${{ env.CONSUMER_KEY }}", bearer_token: "\${{ env.BEARER_TOKEN }}" }
        webhook: { url: https://bot.example/webhook }
      `,
      ".env": "CONSUMER_KEY=key\nCONSUMER_SECRET=secret\nBEARER_TOKEN=token\n",
    },
    right: {
      "config/answerback.yaml": example`
        version: 1
        target: live
        platform: { base_url: https://api.example.com }
        app:
          consumer_key: \${{ env.CONSUMER_KEY }}
          consumer_secret: \${{ env.CONSUMER_SECRET }}
          bearer_token: \${{ env.BEARER_TOKEN }}
        webhook: { url: https://bot.example/webhook }
      `,
      ".env": "CONSUMER_KEY=key\nCONSUMER_SECRET=secret\nBEARER_TOKEN=token\n",
    },
  },
  "reply-loop": {
    why: "The rule's own action causes an event that triggers the rule again. Add a cooldown, or remove direction: outbound.",
    wrong: example`
      triggers: [{ trigger: post.replied, direction: outbound }]
      actions: [{ reply_post: And another one }]
    `,
    right: example`
      triggers: [{ trigger: post.replied, direction: outbound }]
      cooldown: { per: conversation, for: 1h }
      actions: [{ reply_post: And another one }]
    `,
  },
  "secret-not-set": {
    why: "The service would reject the request. Set the secret in the environment, or in the file .env of the project's folder.",
    wrong: {
      "config/answerback.yaml": "version: 1\nsecrets: [ORDERS_TOKEN]\n",
      "config/rules/orders.yaml": orders(),
    },
    right: {
      "config/answerback.yaml": "version: 1\nsecrets: [ORDERS_TOKEN]\n",
      "config/rules/orders.yaml": orders(),
      ".env": "ORDERS_TOKEN=token\n",
    },
  },
  "permission-level": {
    why: "The platform would reject the request, or never deliver the event. A token keeps the level that the app had when the token was issued, so log in again after you change the level.",
    wrong: {
      "config/answerback.yaml":
        "version: 1\nsource: polling\napp: { permission_level: read-write }\n",
      "config/rules/thanks.yaml": thank("reply_dm"),
    },
    right: {
      "config/answerback.yaml":
        "version: 1\nsource: polling\napp: { permission_level: read-write }\n",
      "config/rules/thanks.yaml": thank("reply_post"),
    },
  },
  "trigger-not-delivered": {
    why: "Polling delivers only messages and mentions, the activity interface does not deliver every trigger, and a rule for an account that is not in the settings gets no events.",
    wrong: {
      "config/answerback.yaml": "version: 1\nsource: polling\n",
      "config/rules/follow.yaml": follow(),
    },
    right: {
      "config/answerback.yaml": "version: 1\nsource: webhook\n",
      "config/rules/follow.yaml": follow(),
    },
  },
  "two-files-answer": {
    why: "Each file is a separate group, so one message would get both answers. In one group, only one rule answers.",
    wrong: {
      "rules/one.yaml": answer("one", "hours"),
      "rules/two.yaml": answer("two", "[hours, open]"),
    },
    right: {
      "rules/one.yaml": answer("one", "hours"),
      "rules/two.yaml": answer("two", "refund"),
    },
  },
  "setting-without-effect": {
    why: "The bot would run without these limits or quiet hours.",
    wrong: {
      "config/answerback.yaml": example`
        version: 1
        accounts: [shop_bot]
        limits: { accounts: { shop_bt: { replies: 5 in 1m } } }
      `,
    },
    right: {
      "config/answerback.yaml": example`
        version: 1
        accounts: [shop_bot]
        limits: { accounts: { shop_bot: { replies: 5 in 1m } } }
      `,
    },
  },
  "unknown-environment": {
    why: "The name is probably misspelled, so the setting would have no effect.",
    wrong: {
      "config/answerback.yaml": "version: 1\n",
      ".env": "ANSWERBACK_TARGT=sandbox\n",
    },
    right: {
      "config/answerback.yaml": "version: 1\n",
      ".env": "ANSWERBACK_TARGET=sandbox\n",
    },
  },
  "unreachable-rule": {
    why: "At most one rule of a group answers, and the earlier rule matches every event that this rule matches.",
    wrong: example`
      version: 1
      rules:
        - id: refund
          triggers: [dm.received]
          conditions: [{ message.text: { contains_word: [refund, money back] } }]
          actions: [{ reply_dm: It takes five days. }]
        - id: refund-of-regulars
          triggers: [dm.received]
          conditions: [{ message.text: { contains_word: refund } }, { sender.is_new: false }]
          actions: [{ reply_dm: It takes two days for you. }]
    `,
    right: example`
      version: 1
      rules:
        - id: refund-of-regulars
          triggers: [dm.received]
          conditions: [{ message.text: { contains_word: refund } }, { sender.is_new: false }]
          actions: [{ reply_dm: It takes two days for you. }]
        - id: refund
          triggers: [dm.received]
          conditions: [{ message.text: { contains_word: [refund, money back] } }]
          actions: [{ reply_dm: It takes five days. }]
    `,
  },
} as const satisfies Readonly<Record<string, Explanation>>;

/** Returns an example rule that sends a secret with a request. */
function orders(): string {
  return example`
    version: 1
    rules:
      - id: orders
        triggers: [dm.received]
        actions:
          - http:
              url: https://orders.example.test/
              headers: { authorization: "Bearer \${{ secrets.ORDERS_TOKEN }}" }
  `;
}

/** Returns a rule with a trigger that polling does not support. */
function follow(): string {
  return example`
    version: 1
    rules:
      - id: welcome
        triggers: [user.followed]
        actions: [{ reply_dm: Welcome! }]
  `;
}

/** Returns a rule that answers a mention by a message or in public. */
function thank(verb: "reply_dm" | "reply_post"): string {
  return example`
    version: 1
    rules:
      - id: thanks
        triggers: [post.mentioned]
        actions: [{ ${verb}: Thank you! }]
  `;
}

/** Returns an example file with one rule, which replies to a word. */
function answer(id: string, word: string): string {
  return example`
    version: 1
    rules:
      - id: ${id}
        triggers: [dm.received]
        conditions: [{ message.text: { contains_word: ${word} } }]
        actions: [{ reply_dm: hi }]
  `;
}
