import { example } from "../../../rules/example.ts";

/** Example of each key of a rule, by key. */
export const RULE_KEY_EXAMPLES: Readonly<Record<string, string>> = {
  id: example`
    version: 1
    rules:
      - id: opening-hours
        triggers: [dm.received]
        actions: [{ reply_dm: We open at nine. }]
  `,
  formerly: example`
    formerly: [hours, old-hours]
  `,
  name: example`
    name: Opening hours
  `,
  enabled: example`
    enabled: false
  `,
  stage: example`
    stage: shadow
  `,
  account: example`
    account: shop_bot
  `,
  group: example`
    group: none
  `,
  fallback: example`
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
  interrupts: example`
    interrupts: true
    conditions: [{ message.text: { contains_word: human } }]
    actions: [{ escalate: { queue: support } }]
  `,
  triggers: example`
    triggers: [dm.received, post.mentioned]
    actions: [{ reply: Hi! }]
  `,
  conditions: example`
    conditions:
      - message.text: { contains_word: [refund, money back] }
      - any:
          - sender.verified: true
          - sender.followers_count: { gte: 1000 }
      - not: { sender.labels: { contains: staff } }
  `,
  variables: example`
    variables: { urgent: "\${{ message.text.has_word('now') }}" }
    actions: [{ if: vars.urgent, then: [{ escalate: { queue: on-call } }] }]
  `,
  cooldown: example`
    cooldown: { per: sender, for: 10m }
  `,
  active: example`
    active: { from: 2026-03-01T00:00:00+01:00, to: 2026-03-31T23:59:59+02:00 }
  `,
  labels: example`
    labels: [support, spring]
  `,
  limit: example`
    limit: { per: account, max: 20, in: 1h, overflow: drop }
  `,
  allow: example`
    allow: [private-to-public]
    actions: [{ create_post: "Somebody told us: \${{ message.text.truncate(100) }}" }]
  `,
  max_age: example`
    max_age: 1h
  `,
  on_replay: example`
    on_replay: notify
  `,
  mode: example`
    mode: restart
    actions: [{ delay: 10m }, { reply_dm: Still there? }]
  `,
  key: example`
    mode: queued
    key: \${{ conversation.id }}
  `,
  max: example`
    mode: queued
    max: 3
  `,
  timeout: example`
    timeout: 24h
    actions: [{ delay: 1h }, { reply_dm: Still there? }]
  `,
  on_reload: example`
    on_reload: cancel
  `,
  actions: example`
    actions:
      - typing: 2s
      - reply_dm: Hi \${{ sender.name }}!
  `,
  on_error: example`
    actions: [{ http: { method: POST, url: "https://orders.example.test/" } }]
    on_error: [{ escalate: { queue: support, note: "\${{ error.message }}" } }]
  `,
};

/** Example of each key that any step may have in addition to its verb, by key. */
export const STEP_KEY_EXAMPLES: Readonly<Record<string, string>> = {
  id: example`
    actions:
      - { id: order, http: { url: "https://orders.example.test/" } }
      - reply_dm: The service says \${{ steps.order.status }}.
  `,
  name: example`
    actions:
      - { name: say hello, reply_dm: Hello! }
  `,
  enabled: example`
    actions:
      - { log: not yet, enabled: false }
      - reply_dm: Hello!
  `,
  if: example`
    actions:
      - { if: sender.is_new, reply_dm: Welcome! }
  `,
  continue_on_error: example`
    actions:
      - { reply_dm: Hello!, continue_on_error: true }
  `,
  on_error: example`
    actions:
      - http: { method: POST, url: "https://orders.example.test/" }
        on_error: [{ reply_dm: Our order system does not answer. }]
  `,
  on_held: example`
    actions:
      - id: offer
        reply_dm: Would you like to hear of our offers?
        on_held: [{ escalate: { queue: support, note: "\${{ steps.offer.held }}" } }]
  `,
  timeout: example`
    actions:
      - { http: { url: "https://orders.example.test/" }, timeout: 4s }
  `,
  retry: example`
    actions:
      - http: { url: "https://orders.example.test/" }
        retry: { attempts: 5, backoff: 2s, give_up_after: 1h }
  `,
};
