import { expect, it } from "vitest";
import type { Person } from "../../src/events/event.ts";
import { messageReceived, postMentioned } from "../support/events.ts";
import { personOf } from "../../src/insight/tests/event-of.ts";
import {
  userKey,
  writtenEvents,
  writtenPerson,
} from "../../src/insight/traces/as-test/test-event.ts";
import { failuresOf } from "./support.ts";

const HEAD = `version: 1
rule_files: [rules.yaml]
users:
  ann: { id: "1001", url: "https://ann.example.test" }
`;

/** A person with a value for each field that rules can read. */
const FULL: Required<Person> = {
  id: "1001",
  username: "ann",
  name: "Ann",
  description: "Baker",
  location: "Berlin",
  url: "https://ann.example.test",
  followersCount: 1,
  followingCount: 2,
  postCount: 3,
  listedCount: 4,
  likeCount: 5,
  profileImageUrl: "https://ann.example.test/a.png",
  verified: true,
  protected: true,
  createdAt: Date.UTC(2020, 0, 1),
};

it("a person of a test has an address, and the numbers and flags of a new account", async () => {
  const failures = await failuresOf(
    `
    - id: site
      triggers: [dm.received, post.mentioned]
      conditions:
        - sender.url: https://ann.example.test
        - sender.verified: false
        - if: "!sender.verified && !sender.protected && sender.followers_count + sender.following_count + sender.post_count == 0"
      actions: [{ reply: hi }]
    - id: blocked
      triggers: [post.mentioned]
      group: none
      conditions: [{ if: sender.blocked }]
      actions: [{ reply: You again }]
    `,
    `
    - name: each field has a value
      events:
        - { dm.received: { from: ann, text: hello } }
        - { at: 1m, post.mentioned: { from: ann, text: hello } }
        - { at: 2m, post.mentioned: { from: ann, text: hello, sender_blocked: true } }
      expect:
        - { at: 0s, rule: site, reply_dm: {} }
        - { at: 1m, rule: site, reply_post: {} }
        - { at: 2m, rule: site, reply_post: {} }
        - { at: 2m, rule: blocked, reply_post: {} }
    `,
    "",
    HEAD,
  );

  expect(failures).toEqual([]);
});

it("a person of an event has the same fields in a saved test", () => {
  const written = JSON.parse(JSON.stringify(writtenPerson(FULL)));

  expect(personOf(userKey(FULL), written)).toEqual(FULL);
});

it("the author of a saved post stays blocked", () => {
  const [blocked] = writtenEvents({ ...postMentioned(), senderIsBlocked: true }, "ann");
  const [message] = writtenEvents(messageReceived(), "ann");

  expect(blocked?.doing).toHaveProperty("sender_blocked", true);
  expect(message?.doing).not.toHaveProperty("sender_blocked");
});
