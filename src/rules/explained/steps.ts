import { example, type Explanation } from "./explanation.ts";

/** Problems with what a rule does. */
export const STEPS_EXPLAINED = {
  "action-not-on-trigger": {
    why: "A message can't be liked, and a schedule has nobody to answer: some events would leave the step with nothing to act on.",
    wrong: example`
      triggers: [dm.received]
      actions: [like]
    `,
    right: example`
      triggers: [post.mentioned]
      actions: [like]
    `,
  },
  "body-without-use": {
    why: "A GET or HEAD request has no body, so it would not be sent.",
    wrong: example`
      actions:
        - http: { url: "https://orders.example.test/", json: { id: 1 } }
    `,
    right: example`
      actions:
        - http: { method: POST, url: "https://orders.example.test/", json: { id: 1 } }
    `,
  },
  "call-target": {
    why: "The step would fail for every event. The module is imported to see what it exports, and nothing of it is called.",
    wrong: {
      "rules/codes.yaml": example`
        version: 1
        rules:
          - id: codes
            triggers: [dm.received]
            actions:
              - call: ./codes.ts#reedem
      `,
      "rules/codes.ts": example`
        export async function redeem() { return "ok"; }
      `,
    },
    right: {
      "rules/codes.yaml": example`
        version: 1
        rules:
          - id: codes
            triggers: [dm.received]
            actions:
              - call: ./codes.ts#redeem
      `,
      "rules/codes.ts": example`
        export async function redeem() { return "ok"; }
      `,
    },
  },
  "conversion-value": {
    why: "The measurement interface would refuse it, and nothing would be measured.",
    wrong: example`
      actions:
        - report_conversion:
            app_id: "7"
            conversion_type: SIGNUP
            conversion_time: \${{ event.time }}
            os_type: IOS
            hashed_device_id: a1b2
    `,
    right: example`
      actions:
        - report_conversion:
            app_id: "7"
            conversion_type: SIGN_UP
            conversion_time: \${{ event.time }}
            os_type: IOS
            hashed_device_id: a1b2
    `,
  },
  "delay-range": {
    why: "There is no time that is longer than four minutes and shorter than half a one.",
    wrong: example`
      actions:
        - delay: { min: 4m, max: 30s }
    `,
    right: example`
      actions:
        - delay: { min: 30s, max: 4m }
    `,
  },
  "http-url": {
    why: "Services are asked by http or https, and the address is written whole.",
    wrong: example`
      actions:
        - http: { url: orders.example.test }
    `,
    right: example`
      actions:
        - http: { url: "https://orders.example.test/" }
    `,
  },
  "key-inside-verb": {
    why: "It says how the step does what it does, so it stands under the verb. Beside it stands what every step can have.",
    wrong: example`
      actions:
        - log: hello
          level: warn
    `,
    right: example`
      actions:
        - log: { message: hello, level: warn }
    `,
  },
  "key-without-mode": {
    why: "A key says which runs are the same, which matters only where a mode says what becomes of the second one.",
    wrong: example`
      key: \${{ conversation.id }}
    `,
    right: example`
      mode: queued
      key: \${{ conversation.id }}
    `,
  },
  "lang-without-say": {
    why: "A text that is written here is in one language. Only those under texts have several to choose from.",
    wrong: example`
      actions:
        - reply_dm: { text: Hallo, lang: de }
    `,
    right: example`
      actions:
        - reply_dm: { text: Hallo }
    `,
  },
  "max-without-use": {
    why: "With this mode there is one run at a time and nothing waits, so there is nothing to count.",
    wrong: example`
      mode: single
      max: 3
    `,
    right: example`
      mode: queued
      max: 3
    `,
  },
  "media-file": {
    why: "The platform would refuse it, and the person would get nothing. Files are looked at when the rules are read.",
    wrong: {
      "rules/hours.yaml": example`
        version: 1
        rules:
          - id: hours
            triggers: [dm.received]
            actions:
              - reply_dm: { text: Our hours, media: hours.bmp }
      `,
      "rules/hours.bmp": "BM",
    },
    right: {
      "rules/hours.yaml": example`
        version: 1
        rules:
          - id: hours
            triggers: [dm.received]
            actions:
              - reply_dm: { text: Our hours, media: hours.gif }
      `,
      "rules/hours.gif": "GIF89a\u0001\0\u0001\0\0\0\0;",
    },
  },
  "mis-indented-step": {
    why: "A step does one thing. The second verb is a step of its own, and its dash is missing.",
    wrong: example`
      actions:
        - log: a
          reply_dm: b
    `,
    right: example`
      actions:
        - log: a
        - reply_dm: b
    `,
  },
  "no-verb": {
    why: "The step has a name or a condition and nothing to do.",
    wrong: example`
      actions:
        - name: greet
    `,
    right: example`
      actions:
        - name: greet
          reply_dm: hi
    `,
  },
  "parallel-branches": {
    why: "One branch alone goes beside nothing, and more than ten are more than one run should do at once.",
    wrong: example`
      actions:
        - parallel: { one: [{ reply_dm: hi }] }
    `,
    right: example`
      actions:
        - parallel: { one: [{ reply_dm: hi }], other: [{ log: somebody wrote }] }
    `,
  },
  "parallel-in-parallel": {
    why: "Branches of branches can be written as branches of the outer one, which is easier to follow.",
    wrong: example`
      actions:
        - parallel:
            one:
              - parallel: { a: [{ log: a }], b: [{ log: b }] }
            other: [{ log: c }]
    `,
    right: example`
      actions:
        - parallel: { a: [{ log: a }], b: [{ log: b }], other: [{ log: c }] }
    `,
  },
  "pause-without-end": {
    why: "The bot would never speak to this person again.",
    wrong: example`
      actions:
        - escalate: { queue: support, pause_bot: { per: sender } }
    `,
    right: example`
      actions:
        - escalate: { queue: support, pause_bot: { per: sender, for: 12h, until: resolved } }
    `,
  },
  "post-too-long": {
    why: "The platform would refuse the post. The longest names that people can have are counted with it.",
    wrong: example`
      triggers: [post.mentioned]
      actions:
        - reply_post: "\${{ sender.name }}, thank you for writing to us! We have passed your question on to the people who know most about it, and one of them looks into it as soon as they can. Until then you may find an answer on our page of questions that people ask us most often."
    `,
    right: example`
      triggers: [post.mentioned]
      actions:
        - reply_post: "\${{ sender.name.truncate(20) }}, thank you for writing to us! We have passed your question on to the people who know most about it, and one of them looks into it as soon as they can. Until then you may find an answer on our page of questions that people ask us most often."
    `,
  },
  "repeat-how": {
    why: "It says one of: how often, while what, until what, or for each of which list.",
    wrong: example`
      actions:
        - repeat:
            sequence: [{ reply_dm: hi }]
    `,
    right: example`
      actions:
        - repeat:
            count: 3
            sequence: [{ reply_dm: hi }]
    `,
  },
  "step-after-stop": {
    why: "A stop ends the steps, so what stands below it never happens.",
    wrong: example`
      actions:
        - stop: done
        - reply_dm: hi
    `,
    right: example`
      actions:
        - reply_dm: hi
        - stop: done
    `,
  },
  "two-bodies": {
    why: "A request is sent with one body.",
    wrong: example`
      actions:
        - http: { method: PUT, url: "https://orders.example.test/", json: { id: 1 }, body: id=1 }
    `,
    right: example`
      actions:
        - http: { method: PUT, url: "https://orders.example.test/", json: { id: 1 } }
    `,
  },
  "two-branches-listen": {
    why: "An answer of the person can't be for two questions at once.",
    wrong: example`
      actions:
        - parallel:
            name: [{ ask: { text: "What is your name?", within: 5m } }]
            size: [{ ask: { text: "Which size?", within: 5m } }]
    `,
    right: example`
      actions:
        - ask: { text: "What is your name?", within: 5m }
        - ask: { text: "Which size?", within: 5m }
    `,
  },
  "two-texts": {
    why: "One of the two would not be sent.",
    wrong: example`
      version: 1
      texts: { hours: We open at nine. }
      rules:
        - id: example
          triggers: [dm.received]
          actions: [{ reply_dm: { text: At nine., say: hours } }]
    `,
    right: example`
      version: 1
      texts: { hours: We open at nine. }
      rules:
        - id: example
          triggers: [dm.received]
          actions: [{ reply_dm: { say: hours } }]
    `,
  },
  "wait-without-limit": {
    why: "Who does not answer would keep the run open for ever, and with it what they write later.",
    wrong: example`
      actions:
        - ask: { text: "What is your order number?" }
    `,
    right: example`
      actions:
        - ask:
            text: "What is your order number?"
            within: 15m
            on_timeout: [{ stop: no answer }]
    `,
  },
} as const satisfies Readonly<Record<string, Explanation>>;
