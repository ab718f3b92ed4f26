import { describe, expect, it, test } from "vitest";
import { groupOfLane } from "../../../src/events/lane.ts";
import { messageDelivery } from "../../../src/events/read/message.ts";
import { translate } from "../../../src/events/translate.ts";
import { explain } from "../../../src/rules/decide/decide.ts";
import { triggersFor } from "../../../src/runtime/runs/bot-run.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";
import { actionsOf, play } from "../support/playing.ts";

const GROUP = "1585094756761149440";
const NOW = Date.UTC(2026, 0, 1);
const inPrivate = messageReceived();
const inGroup = messageReceived({
  conversationId: GROUP,
  conversationKind: "group",
  participants: ["200", "300", "100"],
});

describe("a trigger", () => {
  test.each([
    { written: "dm.received", isPrivate: true, isGroup: false },
    { written: "{trigger: dm.received, in: private}", isPrivate: true, isGroup: false },
    { written: "{trigger: dm.received, in: group}", isPrivate: false, isGroup: true },
    { written: "{trigger: dm.received, in: any}", isPrivate: true, isGroup: true },
  ])("$written starts a rule in the conversations it names", (one) => {
    const rules = `
rules:
  - id: a
    triggers: [${one.written}]
    actions: [{reply: hi}]
`;
    const ruleset = rulesetOf(rules);
    const reason = (event: typeof inGroup): string =>
      explain(event, ruleset, { now: NOW })[0]?.reason ?? "";

    expect(reason(inPrivate)).toBe(one.isPrivate ? "matched" : "other-conversation");
    expect(reason(inGroup)).toBe(one.isGroup ? "matched" : "other-conversation");
  });
});

describe("a bot", () => {
  test.each([
    { scope: undefined, isPrivate: true, isGroup: false },
    { scope: "private", isPrivate: true, isGroup: false },
    { scope: "group", isPrivate: false, isGroup: true },
    { scope: "any", isPrivate: true, isGroup: true },
  ] as const)("with in: $scope is called in those conversations", (one) => {
    const bot = {
      name: "a",
      file: "a.ts",
      triggers: ["dm.received"] as const,
      ...(one.scope !== undefined && { scope: one.scope }),
    };

    expect(triggersFor(bot, inPrivate, NOW).triggers.length).toBe(one.isPrivate ? 1 : 0);
    expect(triggersFor(bot, inGroup, NOW).triggers.length).toBe(one.isGroup ? 1 : 0);
  });
});

describe("conversation.participants", () => {
  const RULES = rulesetOf(`
rules:
  - id: a
    triggers: [{trigger: dm.received, in: group}]
    actions: [{reply: 'of \${{ size(conversation.participants) }}, with Ben: \${{ "300" in conversation.participants }}'}]
`);
  const repliesTo = (delivery: object | undefined): unknown[] => {
    const [read] = translate(delivery, NOW);
    return read === undefined ? [] : actionsOf(play(read.event, RULES));
  };

  it("has all people of a group if the platform lists them, as webhooks do", () => {
    const target = { dm_conversation_id: GROUP, participant_ids: ["200", "300", "100"] };
    const message_create = { sender_id: "200", target, message_data: { text: "hello" } };
    const message = { id: "5001", type: "message_create", created_timestamp: "1", message_create };

    expect(repliesTo({ for_user_id: "100", direct_message_events: [message] })).toMatchObject([
      { text: "of 3, with Ben: true" },
    ]);
  });

  it.each([
    { participant_ids: ["200", "300"], text: "of 3, with Ben: true", why: "the list is shown" },
    { participant_ids: undefined, text: "of 2, with Ben: false", why: "there is no list" },
  ])("has at least sender and account in a message read back: $why", ({ text, ...more }) => {
    const message = {
      id: "5001",
      event_type: "MessageCreate",
      text: "hello",
      sender_id: "200",
      dm_conversation_id: GROUP,
      created_at: new Date(NOW).toISOString(),
      participant_ids: more.participant_ids,
    };

    expect(repliesTo(messageDelivery("100", message))).toMatchObject([{ text }]);
  });
});

describe("a message read from the data interface", () => {
  it("has the key, lane and group of the delivered message", () => {
    const delivery = messageDelivery("100", {
      id: "5001",
      event_type: "MessageCreate",
      text: "hello",
      sender_id: "200",
      dm_conversation_id: GROUP,
      created_at: new Date(NOW).toISOString(),
    });
    const [read] = translate(delivery, NOW);

    expect(read?.event).toMatchObject({
      key: "message:5001",
      lane: `100/group:${GROUP}`,
      direction: "inbound",
      message: { conversationId: GROUP, conversationKind: "group", participants: ["200", "100"] },
    });
    expect(groupOfLane(read?.event.lane ?? "")).toBe(GROUP);
    expect(groupOfLane("100/200")).toBeUndefined();
  });
});
