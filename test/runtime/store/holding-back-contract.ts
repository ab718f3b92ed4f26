import { beforeEach, describe, expect, it } from "vitest";
import type { Action } from "../../../src/actions/actions.ts";
import type { AnswerLimit } from "../../../src/runtime/store/answer-limit.ts";
import { HELD_QUIET, type Item } from "../../../src/runtime/store/item.ts";
import type { Transition } from "../../../src/runtime/store/transition.ts";
import { entriesOf, entry, item, moved, run, takenIn } from "./builders.ts";
import type { Place } from "./contract.ts";
import { storeOfEach, WORKER } from "./store-of-each.ts";

const NOW = 1_000_000;
const TO_ONE: AnswerLimit = { of: "answers", max: 2, inMs: 100, reason: "two to one" };
const EQUAL: AnswerLimit = { of: "equal-answers", max: 1, inMs: 100, reason: "said already" };
const POSTS: AnswerLimit = { of: "equal-posts", max: 1, inMs: 100, reason: "posted already" };

/** Tests for every store engine: held answers and paused accounts. */
export function describeHoldingBack(name: string, place: () => Promise<Place>): void {
  describe(`holding back on ${name}`, () => {
    const here = storeOfEach(place);
    let last: number;
    beforeEach(() => {
      last = 0;
    });

    interface Answered {
      readonly text?: string;
      readonly person?: string;
      readonly type?: Action["type"];
      readonly limits?: readonly AnswerLimit[];
      readonly heard?: string;
      readonly lane?: string;
      /** Whether the item counts against limits. Likes and follows do not. */
      readonly isCounted?: boolean;
    }

    /** Stores an event with the time `at`, and queues an answer to this event. Returns the status of the answer. */
    const answer = async (at: number, over: Answered = {}): Promise<Item["status"]> => {
      last += 1;
      const {
        text = `answer ${last}`,
        person = "200",
        type = "reply_dm",
        limits = [TO_ONE],
        heard,
        lane = `100/${person}`,
        isCounted = true,
      } = over;
      const counted = { at, limits, ...(heard !== undefined && { heard }) };
      const action: Action =
        type === "reply_post"
          ? { type, inReplyTo: "7", to: person, text }
          : { type: "reply_dm", to: person, text };
      await here.store.append([entry({ key: `dm:${last}`, lane, at })]);
      const inputs = await here.store.fetch(here.leases, NOW, 1_000);
      const input = inputs.find((one) => entriesOf([one])[0]?.key === `dm:${last}`);
      if (input === undefined) throw new Error("the entry is not offered");
      const queued = item({ key: `${last}`, lane, action, ...(isCounted && { counted }) });
      const results = await here.store.commit(WORKER, [
        takenIn(here.leases, input, { items: [queued] }),
      ]);
      expect(results).toEqual(["committed"]);
      const [match] = await here.store.items({ limit: 1 });
      return match?.status ?? "failed";
    };

    it("holds back the answer above the limit, with its reason", async () => {
      expect([await answer(1), await answer(2), await answer(3)]).toEqual([
        "pending",
        "pending",
        "held",
      ]);

      expect(await here.store.items({ status: "held", limit: 9 })).toMatchObject([
        { action: { text: "answer 3" }, reason: "two to one" },
      ]);
      expect((await here.store.stats()).items).toMatchObject({ pending: 2, held: 1 });
    });

    it("counts by the time of the answered event: answers to events far apart may be sent at once", async () => {
      const states = [await answer(0), await answer(50), await answer(101), await answer(140)];

      expect(states).toEqual(["pending", "pending", "pending", "held"]);
    });

    it("counts held answers, so that a person who continues gets nothing until a quiet period", async () => {
      for (const at of [0, 1]) await answer(at);

      expect([await answer(60), await answer(120), await answer(150)]).toEqual([
        "held",
        "pending",
        "held",
      ]);
      expect(await answer(300)).toBe("pending");
    });

    it("counts each person's answers separately, over restarts", async () => {
      for (const at of [1, 2]) await answer(at);
      await here.reopen();

      expect(await answer(3)).toBe("held");
      expect(await answer(3, { person: "201" })).toBe("pending");
    });

    it("counts the items of one transaction", async () => {
      await here.store.append([entry({ lane: "100/200" })]);
      const [input] = await here.store.fetch(here.leases, NOW, 9);
      if (input === undefined) throw new Error("the entry is not offered");
      const items = [1, 2, 3].map((n) =>
        item({ key: `${n}`, lane: "100/200", counted: { at: 1, limits: [TO_ONE] } }),
      );
      await here.store.commit(WORKER, [takenIn(here.leases, input, { items })]);
      // Committing the same transition again changes nothing.
      await here.store.commit(WORKER, [takenIn(here.leases, input, { items })]);

      expect((await here.store.stats()).items).toMatchObject({ pending: 2, held: 1 });
    });

    it("counts all answers to a person, whatever smaller limits other items of the lane have", async () => {
      const many = { limits: [{ ...TO_ONE, max: 10 }] };
      for (let at = 1; at <= 12; at += 2) {
        await answer(at, many);
        await answer(at + 1, { type: "reply_post", text: `post ${at}`, limits: [POSTS] });
      }

      expect(await answer(13, many)).toBe("held");
    });

    it("counts up to the largest limit, also if a smaller one was read first", async () => {
      const many = { limits: [{ ...TO_ONE, max: 10 }] };
      for (let at = 1; at <= 10; at += 1) await answer(at, many);
      await here.reopen();
      await answer(11, { limits: [{ ...TO_ONE, max: 1 }] });

      expect(await answer(12, many)).toBe("held");
    });

    it("counts each person's answers in a group, however many answers other people get", async () => {
      const group = (at: number, person: string) => answer(at, { lane: "100/group:9", person });
      for (const at of [1, 2]) await group(at, "200");
      for (let at = 3; at <= 20; at += 1) await group(at, `3${at}`);

      expect(await group(21, "200")).toBe("held");
      await here.reopen();
      expect(await group(22, "200")).toBe("held");
      expect(await group(23, "201")).toBe("pending");
    });

    it("counts answers however many other actions follow them", async () => {
      for (const at of [1, 2]) await answer(at);
      for (let at = 3; at <= 20; at += 1) await answer(at, { isCounted: false });
      await here.reopen();

      expect(await answer(21)).toBe("held");
    });

    it("recognizes equal texts to one person", async () => {
      const limits = [EQUAL];

      expect(await answer(1, { text: "hi", limits })).toBe("pending");
      expect(await answer(2, { text: "hi ", limits })).toBe("held");
      expect(await answer(3, { text: "ho", limits })).toBe("pending");
      expect(await answer(4, { text: "hi", person: "201", limits })).toBe("pending");
    });

    it("distinguishes answers to different texts, over restarts", async () => {
      const limits = [EQUAL];

      expect(await answer(1, { text: "Added.", heard: "milk", limits })).toBe("pending");
      expect(await answer(2, { text: "Added.", heard: "eggs", limits })).toBe("pending");
      await here.reopen();
      expect(await answer(3, { text: "Added.", heard: "bread", limits })).toBe("pending");
      expect(await answer(4, { text: "Added.", heard: "eggs", limits })).toBe("held");
      expect(await answer(5, { text: "Added.", limits })).toBe("pending");
    });

    it("recognizes equal posts to anybody, and counts those that were not held back", async () => {
      const post = { text: "hi", type: "reply_post", limits: [POSTS] } as const;

      expect(await answer(1, post)).toBe("pending");
      await here.reopen();
      expect(await answer(60, { ...post, person: "201" })).toBe("held");
      expect(await answer(101, { ...post, person: "202" })).toBe("pending");
    });

    it("does not delay the lane's next items by held ones", async () => {
      for (const at of [1, 2, 3]) await answer(at);
      await answer(500);
      const states: string[] = [];
      for (;;) {
        const [due] = await here.store.dueItems(here.leases, NOW, 9);
        if (due === undefined) break;
        states.push("text" in due.action ? due.action.text : "");
        await here.store.changeItems(WORKER, [moved(here.leases, due, "sending")]);
        await here.store.changeItems(WORKER, [
          moved(here.leases, { ...due, status: "sending" }, "sent"),
        ]);
      }

      expect(states).toEqual(["answer 1", "answer 2", "answer 4"]);
    });

    it("expires held items at their time, and keeps them open until then", async () => {
      for (const at of [1, 2]) await answer(at);
      const counted = { at: 3, limits: [TO_ONE] };
      await here.store.append([entry({ key: "dm:late", lane: "100/200" })]);
      const [input] = await here.store.fetch(here.leases, NOW, 9);
      if (input === undefined) throw new Error("the entry is not offered");
      const late = item({ key: "late", lane: "100/200", expiresAt: 50, counted });
      await here.store.commit(WORKER, [takenIn(here.leases, input, { items: [late] })]);
      await here.reopen();

      const [held] = await here.store.openItems(here.leases, {
        status: "held",
        after: 0,
        limit: 9,
      });
      expect(held?.key).toBe("late");
      expect(await here.store.overdueItems(here.leases, 49, 9)).toEqual([]);
      expect(await here.store.overdueItems(here.leases, 50, 9)).toEqual([held]);
      if (held === undefined) return;
      expect(await here.store.changeItems(WORKER, [moved(here.leases, held, "expired")])).toEqual([
        "committed",
      ]);
      expect((await here.store.stats()).items).toMatchObject({ held: 0, expired: 1 });
    });

    it("starts a new count when the operator releases one, in its place", async () => {
      for (const at of [1, 2, 3, 4]) await answer(at);
      const [first] = await here.store.openItems(here.leases, {
        status: "held",
        after: 0,
        limit: 1,
      });
      if (first === undefined) throw new Error("nothing is held");
      await here.store.changeItems(WORKER, [moved(here.leases, first, "pending")]);
      await here.reopen();

      expect([await answer(5), await answer(6), await answer(7)]).toEqual([
        "pending",
        "pending",
        "held",
      ]);
      expect((await here.store.stats()).items).toMatchObject({ pending: 5, held: 2 });
    });

    /** Processes an event of the person Ana with these effects. */
    const takeIn = async (key: string, over: Partial<Transition>): Promise<void> => {
      await here.store.append([entry({ key, lane: "100/200" })]);
      const inputs = await here.store.fetch(here.leases, NOW, 9);
      const input = inputs.find((one) => entriesOf([one])[0]?.key === key);
      if (input === undefined) throw new Error("the entry is not offered");
      expect(await here.store.commit(WORKER, [takenIn(here.leases, input, over)])).toEqual([
        "committed",
      ]);
    };
    const outbox = async (): Promise<string[]> =>
      (await here.store.items({ limit: 9 })).map(({ key, status, reason }) =>
        [key, status, ...(reason === undefined ? [] : [reason])].join(" "),
      );

    it("holds the given item, lets others of its lane pass it, and starts no new count", async () => {
      const lane = "100/200";
      const counted = { at: 1, limits: [TO_ONE] };
      const welcome = item({ key: "a", lane, notBefore: 50, holdReason: HELD_QUIET, counted });
      await takeIn("their 1", { items: [welcome, item({ key: "b", lane, counted })] });
      await here.reopen();

      expect(await outbox()).toEqual(["b pending", "a held quiet hours"]);
      expect((await here.store.dueItems(here.leases, 99, 9)).map(({ key }) => key)).toEqual(["b"]);
      const [held] = await here.store.openItems(here.leases, {
        status: "held",
        after: 0,
        limit: 9,
      });
      if (held === undefined) throw new Error("nothing is held");
      expect(held.notBefore).toBe(50);
      await here.store.changeItems(WORKER, [moved(here.leases, held, "pending")]);
      expect(await answer(2)).toBe("held");
    });

    it("sends nothing that user state forbids, and notifies its run", async () => {
      const lane = "100/200";
      const unless = { key: "opt-out/100/person/200", reason: "the person has opted out" };
      const waits = run(1, { lane, status: "waiting", waitsFor: "a" });
      const state = [{ key: unless.key, value: "1", version: 0 }];
      await takeIn("their 1", { items: [item({ key: "before", lane, unless })], state: [] });
      await takeIn("their 2", { state });
      await takeIn("their 3", {
        runs: [waits],
        items: [item({ key: "a", run: waits.id, lane, unless })],
      });

      expect(await outbox()).toEqual(["a failed the person has opted out", "before pending"]);
      expect(await here.store.items({ status: "failed", limit: 9 })).toMatchObject([
        { settledAt: 2_000 },
      ]);
      expect(await here.store.fetch(here.leases, NOW, 9)).toMatchObject([
        { kind: "item-settled", run: { id: waits.id }, item: { key: "a", status: "failed" } },
      ]);
    });

    it("continues a run whose item is held back, and not one whose item waits for the end of quiet hours", async () => {
      const lane = "100/200";
      const waiting = run(1, { lane, status: "waiting", waitsFor: "a" });
      const asleep = run(2, { lane, status: "waiting", waitsFor: "b" });
      const held = { lane, holdReason: "names others" };
      await takeIn("their 1", {
        runs: [waiting],
        items: [item({ ...held, key: "a", run: waiting.id })],
      });
      await takeIn("their 2", {
        runs: [asleep],
        items: [item({ ...held, key: "b", run: asleep.id, seq: 2, holdReason: HELD_QUIET })],
      });

      const inputs = await here.store.fetch(here.leases, NOW, 9);
      expect(inputs).toMatchObject([
        { kind: "item-settled", run: { id: waiting.id }, item: { key: "a", status: "held" } },
      ]);
    });

    it("continues a run whose item is held back when it was to be sent", async () => {
      const lane = "100/200";
      const waiting = run(1, { lane, status: "waiting", waitsFor: "a" });
      await takeIn("their 1", {
        runs: [waiting],
        items: [item({ key: "a", run: waiting.id, lane })],
      });
      const [queued] = await here.store.items({ lane, limit: 1 });
      if (queued === undefined) throw new Error("it is not there");
      await here.store.changeItems(WORKER, [
        moved(here.leases, queued, "held", { reason: "waits for another one, which is held" }),
      ]);

      expect(await here.store.fetch(here.leases, NOW, 9)).toMatchObject([
        { kind: "item-settled", run: { id: waiting.id }, item: { key: "a", status: "held" } },
      ]);
    });

    it("is not due, and lets its lane go on, after it was to be sent", async () => {
      await takeIn("their 1", { items: [item({ key: "a" }), item({ key: "b" })] });
      const [, first] = await here.store.items({ limit: 2 });
      if (first === undefined) throw new Error("it is not there");
      await here.store.changeItems(WORKER, [
        moved(here.leases, first, "held", { reason: "waits" }),
      ]);

      expect(await here.store.dueItems(here.leases, NOW, 9)).toMatchObject([{ key: "b" }]);
    });

    it("drops all unsent items of a lane, and then queues new ones", async () => {
      const lane = "100/200";
      const items = ["a", "b", "c", "d"].map((key) => item({ key, lane }));
      await takeIn("their 1", { items: [...items, item({ key: "other", lane: "100/201" })] });
      const [first, second, third] = (await here.store.items({ lane, limit: 9 })).toReversed();
      if (!first || !second || !third) throw new Error("they are not there");
      await here.store.changeItems(WORKER, [moved(here.leases, first, "sending")]);
      await here.store.changeItems(WORKER, [
        moved(here.leases, { ...first, status: "sending" }, "sent"),
      ]);
      await here.store.changeItems(WORKER, [moved(here.leases, second, "sending")]);
      await takeIn("their 2", {
        clearsLane: "they want no more",
        items: [item({ key: "bye", lane })],
      });

      expect(await outbox()).toEqual([
        "bye pending",
        "other pending",
        "d expired they want no more",
        "c expired they want no more",
        "b sending",
        "a sent",
      ]);
      expect(third.key).toBe("c");
    });

    const offered = async (): Promise<string[]> =>
      entriesOf(await here.store.fetch(here.leases, NOW, 9)).map(({ key }) => key);
    const write = (account: string): Promise<unknown> =>
      here.store.append([entry({ key: `of ${account}`, account, lane: `${account}/200` })]);

    it("returns no input of a paused account, also after a restart, until the pause ends", async () => {
      await write("100");
      expect(await here.store.setPause({ account: "100", since: 5 })).toBe(true);
      expect(await here.store.setPause({ account: "100", since: 6 })).toBe(false);
      await write("101");
      await here.reopen();

      expect(await offered()).toEqual(["of 101"]);
      expect(await here.store.stats()).toMatchObject({ inbox: 2, paused: 1 });
      expect(await here.store.pauses()).toEqual([{ account: "100", since: 5 }]);

      expect(await here.store.setPause({ account: "100", since: undefined })).toBe(true);
      expect(await here.store.setPause({ account: "100", since: undefined })).toBe(false);
      expect(await offered()).toEqual(["of 100", "of 101"]);
      expect((await here.store.stats()).paused).toBe(0);
    });

    it("offers no item of a paused account, and none at all if all are paused", async () => {
      await answer(1);
      await here.store.setPause({ account: "100", since: 5 });
      expect(await here.store.dueItems(here.leases, NOW, 9)).toEqual([]);
      await here.store.setPause({ account: "100", since: undefined });
      await here.store.setPause({ since: 5 });
      await write("101");

      expect(await offered()).toEqual([]);
      expect(await here.store.dueItems(here.leases, NOW, 9)).toEqual([]);
      await here.store.setPause({ since: undefined });
      expect(await offered()).toEqual(["of 101"]);
      expect(await here.store.dueItems(here.leases, NOW, 9)).toHaveLength(1);
    });
  });
}
