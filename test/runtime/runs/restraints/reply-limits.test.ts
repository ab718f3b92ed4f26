import { describe, expect, it } from "vitest";
import type { Action } from "../../../../src/actions/actions.ts";
import {
  type ReplyLimits,
  withLimits,
} from "../../../../src/runtime/runs/restraints/reply-limits.ts";
import { messageReceived } from "../../../support/events.ts";
import { entry, item } from "../../store/builders.ts";

const limits: ReplyLimits = {
  replies: { max: 30, inMs: 600_000, written: "30 in 10m" },
  loop: { max: 10, inMs: 600_000, written: "10 in 10m" },
  equalReplies: { max: 3, inMs: 60_000, written: "3 in 1m" },
  equalPosts: { max: 2, inMs: 3_600_000, written: "2 in 1h" },
};
const message: Action = { type: "reply_dm", to: "200", text: "hi" };
const post: Action = { type: "reply_post", inReplyTo: "7", to: "200", text: "hi" };
const event = messageReceived({ text: "hello" });
const storedEntry = { ...entry({ at: 5 }), seq: 1, partition: 0 };

describe("the limits that an answer counts for", () => {
  it.each([
    { action: message, isOwn: false, of: ["answers 30", "equal-answers 3"], why: "a message" },
    { action: post, isOwn: false, of: ["answers 30", "equal-posts 2"], why: "a post" },
    { action: message, isOwn: true, of: ["answers 10", "equal-answers 3"], why: "an own account" },
  ])("are $of for $why", ({ action, isOwn, of }) => {
    const { counted } = withLimits(item({ action }), storedEntry, { limits, isOwn, event });

    expect(counted?.limits.map((limit) => `${limit.of} ${limit.max}`)).toEqual(of);
    expect(counted?.at).toBe(5);
  });

  it("exclude the one for equal texts for a missed message", () => {
    const late = { ...storedEntry, source: "backfill" as const };
    const { counted } = withLimits(item({ action: message }), late, {
      limits,
      isOwn: false,
      event,
    });

    expect(counted?.limits.map(({ of }) => of)).toEqual(["answers"]);
  });

  it("are none for actions that nobody sees", () => {
    const like = item({ action: { type: "like", postId: "7", to: "200" } });

    expect(withLimits(like, storedEntry, { limits, isOwn: false, event })).toBe(like);
  });

  it.each([
    { texts: ["milk", "eggs"], isEqual: false },
    { texts: ["milk", " Milk "], isEqual: true },
    { texts: ["", ""], isEqual: true },
  ])("treat answers to $texts as equal: $isEqual", ({ texts, isEqual }) => {
    const [one, other] = texts.map((text) => {
      const context = { limits, isOwn: false, event: messageReceived({ text }) };
      return withLimits(item({ action: message }), storedEntry, context).counted?.heard;
    });

    expect(one === other).toBe(isEqual);
  });

  it("are the settings: without any, the item is unchanged", () => {
    const answer = item({ action: message });

    expect(withLimits(answer, storedEntry, { limits: {}, isOwn: false, event })).toBe(answer);
  });

  it("name themselves and their settings", () => {
    const { counted } = withLimits(item({ action: message }), storedEntry, {
      limits,
      isOwn: false,
      event,
    });

    expect(counted?.limits[0]?.reason).toBe("more than 30 in 10m to one person (limits.replies)");
  });
});
