import type { Trigger } from "../../../events/triggers.ts";
import { example } from "../../../rules/example.ts";

/** Example of a rule for each trigger. */
export const TRIGGER_EXAMPLES: Readonly<Record<Trigger, string>> = {
  "dm.received": example`
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: [hours, open] } }]
    actions: [{ reply_dm: We open at nine. }]
  `,
  "dm.sent": example`
    triggers: [{ trigger: dm.sent, direction: outbound }]
    actions: [{ set: { state.conversation.answered: true, for: 7d } }]
  `,
  "dm.typing": example`
    triggers: [dm.typing]
    cooldown: { per: sender, for: 1d }
    conditions: [{ sender.is_new: true }]
    actions: [{ reply_dm: Take your time. A person reads along. }]
  `,
  "dm.read": example`
    triggers: [dm.read]
    actions: [{ log: "@\${{ sender.username }} has read \${{ read.last_message_id }}" }]
  `,
  "post.created": example`
    triggers: [{ trigger: post.created, direction: outbound }]
    actions: [{ log: "published: \${{ post.id }}" }]
  `,
  "post.mentioned": example`
    triggers: [post.mentioned]
    actions: [{ reply_post: Thanks! Send us a message. }]
  `,
  "post.replied": example`
    triggers: [post.replied]
    conditions: [{ post.text: { contains_word: [thanks, great] } }]
    actions: [like]
  `,
  "post.quoted": example`
    triggers: [post.quoted]
    conditions: [{ post.author.followers_count: { gte: 1000 } }]
    actions: [repost]
  `,
  "post.found": example`
    triggers: [{ trigger: post.found, query: '"acme shoes" -is:retweet lang:en' }]
    actions: [{ escalate: { queue: brand, note: "@\${{ sender.username }}: \${{ post.text }}" } }]
  `,
  "post.edited": example`
    triggers: [post.edited]
    actions: [{ log: "\${{ post.former_text.orValue('') }} is now \${{ post.text }}" }]
  `,
  "post.reposted": example`
    triggers: [post.reposted]
    actions: [{ count: { name: reposts, per: account, window: 1d } }]
  `,
  "post.liked": example`
    triggers: [post.liked]
    cooldown: { per: sender, for: 180d }
    actions: [{ label: { add: [fan] } }]
  `,
  "post.deleted": example`
    triggers: [post.deleted]
    actions: [{ log: "post \${{ post.id }} is gone" }]
  `,
  "user.followed": example`
    triggers: [user.followed]
    cooldown: { per: sender, for: 180d }
    actions: [{ reply_dm: "Thanks for following, \${{ sender.name }}!" }]
  `,
  "user.unfollowed": example`
    triggers: [user.unfollowed]
    actions: [{ label: { remove: [fan] } }]
  `,
  "user.blocked": example`
    triggers: [{ trigger: user.blocked, direction: outbound }]
    actions: [{ log: { level: warn, message: "blocked: @\${{ target.username }}" } }]
  `,
  "user.unblocked": example`
    triggers: [{ trigger: user.unblocked, direction: outbound }]
    actions: [{ log: "no longer blocked: @\${{ target.username }}" }]
  `,
  "user.muted": example`
    triggers: [{ trigger: user.muted, direction: outbound }]
    actions: [{ log: "muted: @\${{ target.username }}" }]
  `,
  "user.unmuted": example`
    triggers: [{ trigger: user.unmuted, direction: outbound }]
    actions: [{ log: "no longer muted: @\${{ target.username }}" }]
  `,
  "account.authorization_revoked": example`
    triggers: [account.authorization_revoked]
    actions: [{ escalate: { queue: ops, note: "log in again: \${{ account.id }}", pause_bot: { per: account, until: resolved } } }]
  `,
  "replay.finished": example`
    triggers: [replay.finished]
    conditions: [{ replay.complete: false }]
    actions: [{ log: { level: warn, message: "replay \${{ replay.job_id }} is not complete" } }]
  `,
  "count.reached": example`
    triggers: [{ trigger: count.reached, of: abuse, at: 3 }]
    actions: [block, { escalate: { queue: trust, note: three strikes in a week } }]
  `,
  schedule: example`
    triggers:
      - { trigger: schedule, cron: "0 9 * * mon-fri", zone: Europe/Berlin }
    actions: [{ create_post: Good morning! We are here until five. }]
  `,
  "link.lost": example`
    triggers: [link.lost]
    actions: [{ log: { level: error, message: "no events since \${{ link.since }}: \${{ link.reason }}" } }]
  `,
  "link.restored": example`
    triggers: [link.restored]
    conditions: [{ link.lasted_seconds: { gte: 600 } }]
    actions: [{ escalate: { queue: ops, note: "no events came for \${{ link.lasted_seconds }} s" } }]
  `,
};
