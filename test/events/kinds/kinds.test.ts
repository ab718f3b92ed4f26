import { describe, expect, it, test } from "vitest";
import {
  counterpartOf,
  EVENT_KIND_NAMES,
  EVENT_KINDS,
  eventKind,
} from "../../../src/events/kinds/kinds.ts";
import { OWN_KEYS } from "../../../src/events/kinds/event-kind.ts";
import { translate } from "../../../src/events/translate.ts";
import {
  INBOUND_TRIGGERS,
  maxAgeMsOf,
  TRIGGER_FACTS,
  TRIGGERS,
} from "../../../src/events/triggers.ts";
import { EVENT_KEYS } from "../../../src/protocol/event-keys.ts";
import * as wire from "../../support/wire.ts";

const HOUR_MS = 3_600_000;

/** Deliveries, one for each kind of event. */
const DELIVERIES = {
  message: wire.message(),
  typing: wire.typing(),
  read: wire.read(),
  post: wire.post({ mentions: ["100"], quoted: { id: "8", author: "300" } }),
  post_deleted: wire.deleted("post"),
  like: wire.like(),
  relation: wire.relation("follow_events", "follow"),
  revoked: wire.revoked(),
  replay_finished: wire.replayDone(),
  schedule: wire.schedule(),
  answer_by_hand: wire.answerByHand(),
  link_lost: wire.linkLost("lost"),
  link_restored: wire.linkLost("restored"),
  unrecognised: { for_user_id: "100", spaces_events: [{}] },
};
const eventsOf = (body: object) => translate(body, 0).map(({ event }) => event);

describe("the table of kinds", () => {
  it("has a delivery here for every kind but what follows from rules", () => {
    expect(Object.keys(DELIVERIES)).toEqual(EVENT_KIND_NAMES.filter((name) => name !== "count"));
  });

  it("reads every key of a delivery, each by one kind", () => {
    const keys = EVENT_KIND_NAMES.flatMap((name) => eventKind(name).wire?.keys ?? []);

    expect(keys.toSorted()).toEqual([...EVENT_KEYS, ...OWN_KEYS].toSorted());
  });

  test.each(Object.entries(DELIVERIES))(
    "%s reads its own, with a value for some field",
    (name, body) => {
      const [event, ...rest] = eventsOf(body);
      if (event === undefined) throw new Error("no event");
      const fields = Object.entries(eventKind(event.kind).fields);
      const values = fields.map(([, field]) => field.read(event));

      expect(rest).toEqual([]);
      expect(event.kind).toBe(name);
      expect(values.some((value) => value !== undefined)).toBe(fields.length > 0);
      for (const trigger of event.triggers) expect(TRIGGER_FACTS[trigger].kind).toBe(name);
    },
  );

  test.each(Object.entries(EVENT_KINDS))("%s that can be answered has a sender", (name, kind) => {
    if (kind.answeredBy === undefined || !isDelivered(name)) return;
    expect(Object.keys(kind.fields)).toContain("sender.id");
    expect(eventsOf(DELIVERIES[eventName(name)]).every((event) => "sender" in event)).toBe(true);
  });
});

function eventName(name: string): keyof typeof DELIVERIES {
  if (!isDelivered(name)) throw new Error(`there is no kind ${name}`);
  return name;
}

function isDelivered(name: string): name is keyof typeof DELIVERIES {
  return Object.hasOwn(DELIVERIES, name);
}

describe("the person of an event", () => {
  test.each([
    { why: "who wrote to it", body: wire.message(), person: "200" },
    { why: "to whom it wrote", body: wire.message({ from: "100", to: "300" }), person: "300" },
    { why: "who mentioned it", body: wire.post({ mentions: ["100"] }), person: "200" },
    {
      why: "whom it answered",
      body: wire.post({ author: "100", inReplyTo: { postId: "1", userId: "300" } }),
      person: "300",
    },
    { why: "itself, when it spoke to nobody", body: wire.post({ author: "100" }), person: "100" },
    { why: "who followed it", body: wire.relation("follow_events", "follow"), person: "200" },
    { why: "whom an operator answers", body: wire.answerByHand(), person: "200" },
    { why: "nobody", body: wire.replayDone(), person: undefined },
  ])("is $person: $why", ({ body, person }) => {
    expect(eventsOf(body).map(counterpartOf)).toEqual([person]);
  });
});

describe("the table of triggers", () => {
  test.each(TRIGGERS)("%s belongs to a kind", (trigger) => {
    expect(EVENT_KIND_NAMES).toContain(TRIGGER_FACTS[trigger].kind);
  });

  it("offers bots no triggers that only the account itself or a rule can cause", () => {
    expect(TRIGGERS.filter((one) => !INBOUND_TRIGGERS.some((other) => other === one))).toEqual([
      "dm.sent",
      "post.created",
      "post.found",
      "count.reached",
      "schedule",
      "link.lost",
      "link.restored",
    ]);
  });

  test.each([
    { trigger: "dm.received" as const, ms: 24 * HOUR_MS, why: "a question can wait a day" },
    { trigger: "post.liked" as const, ms: HOUR_MS, why: "thanks for a like can't" },
    { trigger: "replay.finished" as const, ms: Infinity, why: "what the webhook says has no age" },
  ])("gives $trigger $ms ms: $why", ({ trigger, ms }) => {
    expect(maxAgeMsOf(trigger)).toBe(ms);
  });
});
