import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { delayMs, endingOf, HOLD_MS, nextState } from "../../../src/runtime/outbox/plan.ts";
import type { Item } from "../../../src/runtime/store/item.ts";

const NOW = 1_000_000;

const item = (over: Partial<Item> = {}): Item => ({
  id: 1,
  partition: 0,
  seq: 1,
  run: "1/rule:faq",
  key: "k",
  account: "100",
  lane: "100/200",
  action: { type: "reply_dm", to: "200", text: "hi" },
  notBefore: 0,
  status: "sending",
  attempts: 1,
  ...over,
});
const like = item({ action: { type: "like", postId: "1", to: "200" } });

describe("the status of an item after a request", () => {
  test.each([
    {
      why: "the platform's id is kept",
      sending: { kind: "accepted", platformId: "9" } as const,
      next: { to: "sent", platformId: "9" },
    },
    {
      why: "nobody has got it, and why it is taken for done is kept",
      sending: { kind: "accepted", reason: "already followed" } as const,
      next: { to: "sent", reason: "already followed" },
    },
    {
      why: "what the platform does not say is not there",
      sending: { kind: "accepted" } as const,
      next: { to: "sent" },
    },
    {
      why: "the same request would get the same answer",
      sending: { kind: "refused", reason: "403" } as const,
      next: { to: "failed", reason: "403" },
    },
    {
      why: "a limit means not executed; the reset time wins over the backoff",
      sending: { kind: "limited", reason: "429", resetAt: NOW + 60_000 } as const,
      next: { to: "pending", notBefore: NOW + 60_000, reason: "429" },
    },
    {
      why: "a reset time that has passed says nothing: the clocks differ, and the backoff holds",
      sending: { kind: "limited", reason: "429", resetAt: NOW - 5 } as const,
      next: { to: "pending", notBefore: NOW + 500, reason: "429" },
    },
    {
      why: "a reset time that is now says nothing either",
      sending: { kind: "limited", reason: "429", resetAt: NOW } as const,
      next: { to: "pending", notBefore: NOW + 500, reason: "429" },
    },
    {
      why: "a limit without a reset time has the backoff",
      sending: { kind: "limited", reason: "429" } as const,
      next: { to: "pending", notBefore: NOW + 500, reason: "429" },
    },
    {
      why: "nothing left, so it may be repeated",
      sending: { kind: "unavailable", reason: "refused connection" } as const,
      next: { to: "pending", notBefore: NOW + 500, reason: "refused connection" },
    },
    {
      why: "it was not even begun",
      sending: { kind: "kept-back", reason: "lease" } as const,
      next: { to: "pending", notBefore: NOW + 500, reason: "lease" },
    },
    {
      why: "a refusal that is the operator's to solve keeps the answer for later",
      sending: { kind: "not-now", reason: "401" } as const,
      next: { to: "pending", notBefore: NOW + 500, reason: "401" },
    },
    {
      why: "a message that may have arrived is never simply sent again",
      sending: { kind: "unknown", reason: "timeout" } as const,
      next: { to: "unknown", notBefore: NOW + HOLD_MS, reason: "timeout" },
    },
  ])("$sending.kind: $why", ({ sending, next }) => {
    expect(nextState(item(), sending, NOW, 0.5)).toStrictEqual(next);
  });

  it("repeats a like of unknown outcome, because liking twice changes nothing", () => {
    expect(nextState(like, { kind: "unknown", reason: "cut" }, NOW, 0.5)).toStrictEqual({
      to: "pending",
      notBefore: NOW + 500,
      reason: "cut",
    });
  });

  it("is unknown if a repetition is refused as a duplicate: the first request may have arrived", () => {
    const reason = "POST /2/posts was refused with 403: no Tweet with duplicate content";
    const refused = { kind: "refused", reason } as const;

    expect(nextState(item({ attempts: 2 }), refused, NOW, 0.5)).toStrictEqual({
      to: "unknown",
      notBefore: NOW + HOLD_MS,
      reason,
    });
    expect(nextState(item({ attempts: 1 }), refused, NOW, 0.5).to).toBe("failed");
  });

  describe("of a deletion", () => {
    const gone = {
      kind: "refused",
      reason: "DELETE /2/posts/:id was refused with 404: Not Found Error",
    } as const;
    const deletions = [
      { type: "delete_post", postId: "1", to: "200" },
      { type: "delete_message", eventId: "1", to: "200" },
    ] as const;

    it.each(deletions)("is unknown if a repetition finds nothing to delete: $type", (action) => {
      expect(nextState(item({ action, attempts: 2 }), gone, NOW, 0.5)).toStrictEqual({
        to: "unknown",
        notBefore: NOW + HOLD_MS,
        reason: gone.reason,
      });
    });

    it.each(deletions)("is failed if the first request finds nothing: $type", (action) => {
      expect(nextState(item({ action, attempts: 1 }), gone, NOW, 0.5).to).toBe("failed");
    });

    it("is failed if a repetition is refused for another reason", () => {
      const action = deletions[0];
      const refused = {
        kind: "refused",
        reason: "DELETE /2/posts/:id was refused with 403",
      } as const;

      expect(nextState(item({ action, attempts: 2 }), refused, NOW, 0.5).to).toBe("failed");
    });
  });

  it("is failed if the object of a repeated like is gone", () => {
    const refused = {
      kind: "refused",
      reason: "POST /2/users/:id/likes was refused with 404",
    } as const;

    expect(nextState({ ...like, attempts: 2 }, refused, NOW, 0.5).to).toBe("failed");
  });

  test.each([
    { after: 499, to: "expired", why: "the next try would come after its time" },
    { after: 500, to: "expired", why: "the next try would come when its time ends" },
    { after: 501, to: "pending", why: "the next try comes within its time" },
  ])("is $to when $why", ({ after, to }) => {
    const limited = item({ expiresAt: NOW + after });
    const next = nextState(limited, { kind: "unavailable", reason: "x" }, NOW, 0.5);

    expect(next).toMatchObject({ to, reason: "x" });
  });

  test.each([
    { after: 24 * 60, next: { to: "pending", notBefore: NOW + 15 * 60_000 } },
    { after: 16, next: { to: "pending", notBefore: NOW + 15 * 60_000 } },
    { after: 15, next: { to: "expired" } },
  ])(
    "asks again within 15 minutes if the limit lasts longer than its time, $after minutes",
    ({ after, next }) => {
      const expiresAt = NOW + after * 60_000;
      const sending = { kind: "limited", reason: "429", resetAt: expiresAt } as const;

      expect(nextState(item({ expiresAt }), sending, NOW, 0.5)).toStrictEqual({
        ...next,
        reason: "429",
      });
    },
  );

  it("blocks its lane for ten minutes while it is unknown", () => {
    expect(HOLD_MS).toBe(600_000);
  });

  it("retries within a minute while the operator has a problem to solve", () => {
    const next = nextState(item({ attempts: 99 }), { kind: "not-now", reason: "401" }, NOW, 0.999);

    expect(next.notBefore).toBe(NOW + 60_000);
  });

  it("draws its delay between 0 and a limit that doubles, up to 15 minutes", () => {
    fc.assert(
      fc.property(fc.nat(500), fc.double({ min: 0, max: 0.999, noNaN: true }), (attempts, draw) => {
        expect(delayMs(attempts, 0)).toBe(0);
        const ceiling = Math.min(900_000, 1_000 * 2 ** Math.max(0, attempts - 1));
        expect(delayMs(attempts, draw)).toBe(Math.floor(draw * ceiling));
      }),
    );
  });
});

describe("the effect of a request on later requests", () => {
  test.each([
    { kind: "accepted", ending: "answered", why: "the platform works" },
    { kind: "refused", ending: "answered", why: "it was about that one action" },
    { kind: "limited", ending: "answered", why: "the limits know more" },
    { kind: "not-now", ending: "refused", why: "the account's next one would be refused, too" },
    { kind: "unavailable", ending: "unavailable", why: "so would the next be" },
    { kind: "unknown", ending: "unavailable", why: "the next would be unknown, too" },
    { kind: "kept-back", ending: "untried", why: "nothing left" },
  ] as const)("$kind: $ending, since $why", ({ kind, ending }) => {
    const reason = kind === "accepted" ? "" : "x";
    expect(endingOf({ kind, reason: "x" })).toStrictEqual({ kind: ending, reason });
  });

  test.each(["accepted", "refused", "limited", "not-now", "unavailable", "unknown"] as const)(
    "%s: the limits from the headers",
    (kind) => {
      const reportedLimits = {
        endpoint: "POST /2/posts",
        window: { limit: 5, remaining: 0, resetAt: NOW },
        appDay: undefined,
        userDay: undefined,
        account: undefined,
      };
      expect(endingOf({ kind, reason: "x", reportedLimits })).toMatchObject({
        reportedLimits,
      });
    },
  );

  it("not-now: the advice for the operator", () => {
    const ending = endingOf({ kind: "not-now", reason: "401", fix: "answerback login" });

    expect(ending).toStrictEqual({ kind: "refused", reason: "401", fix: "answerback login" });
  });
});
