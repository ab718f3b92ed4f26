import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/protocol/json.ts";
import { addedTo, countedAs } from "../../../src/rules/decide/counted.ts";
import { forgetPerson } from "../../../src/runtime/forget/forget-person.ts";
import type { AnswerLimit } from "../../../src/runtime/store/answer-limit.ts";
import type { Item, NewItem } from "../../../src/runtime/store/item.ts";
import { answered } from "./answered.ts";
import { entriesOf, entry, item, moved, run, takenIn } from "./builders.ts";
import type { Place } from "./contract.ts";
import { storeOfEach, WORKER } from "./store-of-each.ts";

const ANA = "20000000001";
const BEN = "20000000002";
const NOW = 10_000;
const WINDOW_MS = 60_000;
const COUNT = "count/reports/100";

/** Adds an event of each person to a stored count. Returns the new value of the count. */
function counting(people: readonly string[], stored?: Json) {
  return people.reduce<{
    readonly value: Json | undefined;
    readonly count: number;
    readonly people: number;
  }>(
    ({ value }, person, index) =>
      addedTo(value, {
        at: NOW + index,
        event: `follow:${person}>100:${index}`,
        person,
        windowMs: WINDOW_MS,
      }),
    { value: stored, count: 0, people: 0 },
  );
}

/** Tests for every store engine: forgetting a person. */
export function describeForgetting(name: string, place: () => Promise<Place>): void {
  describe(`forgetting in ${name}`, () => {
    const here = storeOfEach(place);

    /** Stores values of user state, with the decision on an event. */
    const keep = async (values: Readonly<Record<string, Json | undefined>>) => {
      await here.store.append([entry({ key: "dm:1", lane: `100/${BEN}` })]);
      const [input] = await here.store.fetch(here.leases, NOW, 1);
      if (input === undefined) throw new Error("nothing to decide");
      const state = Object.entries(values).map(([key, value]) => ({
        key,
        value: JSON.stringify(value),
        version: 0,
      }));
      await here.store.commit(WORKER, [takenIn(here.leases, input, { state })]);
    };
    const stored = async (key: string) => {
      const storedValue = (await here.store.load([key])).get(key);
      if (storedValue === undefined) throw new Error(`${key} is not kept`);
      const value: Json = JSON.parse(storedValue.value);
      return { value, version: storedValue.version };
    };

    it("counts no answers from before the person was forgotten", async () => {
      const limit: AnswerLimit = { of: "answers", max: 2, inMs: 100, reason: "two to one" };
      const answer = async (at: number): Promise<Item["status"] | undefined> => {
        const [key, lane] = [`dm:${at}`, `100/${ANA}`];
        await here.store.append([entry({ key, lane, at })]);
        const inputs = await here.store.fetch(here.leases, NOW, 9);
        const input = inputs.find((one) => entriesOf([one])[0]?.key === key);
        if (input === undefined) throw new Error("the entry is not offered");
        const queued = item({ key, lane, counted: { at, limits: [limit] } });
        await here.store.commit(WORKER, [takenIn(here.leases, input, { items: [queued] })]);
        const [newest] = await here.store.items({ limit: 1 });
        return newest?.status;
      };
      for (const at of [1, 2]) await answer(at);
      await here.store.forget({ id: ANA, now: NOW });

      expect([await answer(3), await answer(4), await answer(5)]).toEqual([
        "pending",
        "pending",
        "held",
      ]);
    });

    it("recognizes the events of the person, and the later echoes of the answers, also after a restart", async () => {
      const post = { type: "reply_post", to: ANA, inReplyTo: "7", text: "hi" } as const;
      await answered(here.store, { person: ANA, platformId: "77" });
      await answered(here.store, { person: ANA, platformId: "78", action: post });
      await answered(here.store, { person: BEN, platformId: "79" });
      const keys = ["to 77", "message:77", "post:78", "to 79", "message:79", "message:80"];
      const forgotten = () =>
        Promise.all(keys.map((key) => here.store.isForgotten({ key, account: "100" })));
      expect(await forgotten()).toEqual([false, false, false, false, false, false]);
      await here.store.forget({ id: ANA, now: NOW });
      expect(await forgotten()).toEqual([true, true, true, false, false, false]);
      await here.reopen();

      expect(await forgotten()).toEqual([true, true, true, false, false, false]);
      expect(await here.store.isForgotten({ key: "message:77", account: "200" })).toBe(false);
      const outcomes = await here.store.append(
        keys.map((key) => entry({ key, lane: `100/${ANA}` })),
      );
      expect(outcomes.map(({ outcome }) => outcome)).toEqual([
        ...keys.slice(0, 4).map(() => "duplicate"),
        "new",
        "new",
      ]);
    });

    it("deletes an open hand-over of a group that is older than the stored events, by its handle", async () => {
      for (const [seq, username] of ["Ana", "ben", undefined].entries()) {
        const lane = "100/group:7";
        await here.store.append([entry({ key: `dm:${seq}`, lane, body: "{}" })]);
        const [input] = await here.store.fetch(here.leases, NOW, 1);
        if (input === undefined) throw new Error("nothing to decide");
        const escalation = {
          key: `${seq}/escalate`,
          run: `${seq}/rule:human`,
          seq: entriesOf([input])[0]?.seq ?? 0,
          account: "100",
          lane,
          queue: "support",
          priority: "normal" as const,
          note: `the words of ${username}`,
          at: NOW,
          silences: { scope: lane, untilResolved: true },
          ...(username !== undefined && { username }),
        };
        await here.store.commit(WORKER, [
          takenIn(here.leases, input, { escalations: [escalation] }),
        ]);
      }
      const listed = async () =>
        (await here.store.escalations({ limit: 9 })).map(({ username }) => username);
      await here.store.prune({ before: NOW, now: NOW });
      await here.store.forget({ id: BEN, now: NOW });
      expect(await listed()).toEqual([undefined, "ben", "Ana"]);

      const body = JSON.stringify({ users: { [ANA]: { username: "ana" } } });
      await here.store.append([entry({ key: "dm:now", lane: `100/${ANA}`, body })]);
      const needs = {
        store: here.store,
        clock: { now: () => NOW },
        isLinked: () => false,
        countedAs,
      };
      expect(await forgetPerson(needs, "@ANA")).toMatchObject({ id: ANA, entries: 1 });
      expect(await listed()).toEqual([undefined, "ben"]);
      expect((await here.store.silences("100/group:7")).map(({ id }) => id)).toEqual([2, 3]);
    });

    it("deletes nothing by a handle that two people have had, and names their user ids", async () => {
      const named = (id: string) => JSON.stringify({ users: { [id]: { username: "ana" } } });
      const people = [ANA, BEN].map((id) =>
        entry({ key: `dm:${id}`, lane: `100/${id}`, body: named(id) }),
      );
      await here.store.append(people);
      const needs = {
        store: here.store,
        clock: { now: () => NOW },
        isLinked: () => false,
        countedAs,
      };

      expect(await forgetPerson(needs, "@ana")).toEqual({
        entries: 0,
        items: 0,
        state: 0,
        left: 0,
        refused: `@ana was the handle of several people, with the user ids ${BEN}, ${ANA}`,
        hint: "name the person by user id",
      });
      expect(await forgetPerson(needs, ANA)).toMatchObject({ id: ANA });
      expect(await forgetPerson(needs, "@ana")).toMatchObject({ id: BEN });
    });

    it("deletes nothing by a user id of which nothing is stored, and an old hand-over by its user id", async () => {
      const needs = {
        store: here.store,
        clock: { now: () => NOW },
        isLinked: () => false,
        countedAs,
      };
      await here.store.append([entry({ lane: `100/${ANA}`, body: "{}" })]);
      const [input] = await here.store.fetch(here.leases, NOW, 1);
      if (input === undefined) throw new Error("nothing to decide");
      const escalation = {
        key: "1/escalate",
        run: "1/rule:human",
        seq: entriesOf([input])[0]?.seq ?? 0,
        account: "100",
        lane: `100/${ANA}`,
        queue: "support",
        priority: "normal" as const,
        at: NOW,
      };
      await here.store.commit(WORKER, [takenIn(here.leases, input, { escalations: [escalation] })]);
      await here.store.prune({ before: NOW, now: NOW });
      const nothing = { entries: 0, items: 0, state: 0, left: 0 };

      expect(await forgetPerson(needs, BEN)).toEqual(nothing);
      expect(await here.store.escalations({ limit: 9 })).toHaveLength(1);
      expect(await forgetPerson(needs, ANA)).toEqual({ ...nothing, id: ANA });
      expect(await here.store.escalations({ limit: 9 })).toEqual([]);
      expect(await forgetPerson(needs, ANA)).toEqual(nothing);
    });

    it("lets later items of a lane be sent in which an item of the person came first", async () => {
      for (const person of [ANA, BEN]) {
        const lane = `100/${person}`;
        await here.store.append([entry({ key: `dm:${person}`, lane })]);
        const [input] = await here.store.fetch(here.leases, NOW, 1);
        if (input?.kind !== "event") throw new Error("nothing to decide");
        const action = { type: "reply_dm", to: "group:7", text: `hi from ${person}` } as const;
        const place = { key: person, seq: input.entry.seq, lane: "100/group:7" };
        const items = [item({ ...place, action })];
        await here.store.commit(WORKER, [takenIn(here.leases, input, { items })]);
      }
      const due = async () =>
        (await here.store.dueItems(here.leases, NOW, 9)).map((one) => one.key);
      expect(await due()).toEqual([ANA]);
      await here.store.forget({ id: ANA, now: NOW });

      expect(await due()).toEqual([BEN]);
    });

    describe("messages to the person that events of other people caused", () => {
      const toAna = (key: string, over: Partial<NewItem> = {}) =>
        item({
          key,
          run: "1/bot:x",
          lane: `100/${ANA}`,
          action: { type: "reply_dm", to: ANA, text: `the words for Ana in ${key}` },
          ...over,
        });
      const toBen = (key: string, over: Partial<NewItem> = {}) =>
        toAna(key, {
          lane: `100/${BEN}`,
          action: { type: "reply_dm", to: BEN, text: "yes" },
          ...over,
        });

      /** Decides an event of Ben, which queues these items. */
      const caused = async (items: readonly NewItem[], waitsFor?: string) => {
        await here.store.append([entry({ key: "dm:ben", lane: `100/${BEN}` })]);
        const [input] = await here.store.fetch(here.leases, NOW, 1);
        if (input?.kind !== "event") throw new Error("nothing to decide");
        const { seq } = input.entry;
        const id = `${seq}/bot:x`;
        const queued = items.map((one) => ({ ...one, seq, run: id }));
        const place = { id, owner: "bot:x", lane: `100/${BEN}`, status: "waiting" } as const;
        const runs = waitsFor === undefined ? [] : [run(seq, { ...place, waitsFor })];
        await here.store.commit(WORKER, [takenIn(here.leases, input, { items: queued, runs })]);
      };
      const send = async (key: string, ends: Item["status"] = "sent") => {
        const due = await here.store.dueItems(here.leases, NOW, 9);
        const first = due.find((one) => one.key === key);
        if (first === undefined) throw new Error(`${key} is not due`);
        await here.store.changeItems(WORKER, [moved(here.leases, first, "sending")]);
        if (ends === "sending") return;
        const sending = { ...first, status: "sending" } as const;
        await here.store.changeItems(WORKER, [
          moved(here.leases, sending, ends, { platformId: "77" }),
        ]);
      };
      const shown = async () =>
        (await here.store.items({ limit: 99 })).map(({ key, status }) => `${key}: ${status}`);

      it("are deleted, whether they were sent or wait", async () => {
        const inGroup = { lane: "100/group:7" };
        await caused([
          toAna("a sent one"),
          toAna("a pending one"),
          toAna("a held one", { holdReason: "quiet hours" }),
          toAna("one in a group", inGroup),
          toBen("one to Ben in the group", inGroup),
          toBen("one to Ben"),
        ]);
        await send("a sent one");
        const done = await here.store.forget({ id: ANA, now: NOW });

        expect(done).toEqual({ entries: 0, items: 4, state: 0, left: 0 });
        expect(await shown()).toEqual(["one to Ben: pending", "one to Ben in the group: pending"]);
        const { items } = await here.store.stats();
        expect(items).toMatchObject({ pending: 2, sent: 0, held: 0, expired: 0 });
        expect(await here.store.isForgotten({ key: "message:77", account: "100" })).toBe(true);
        const due = async () =>
          new Set((await here.store.dueItems(here.leases, NOW, 9)).map(({ key }) => key));
        expect(await due()).toEqual(new Set(["one to Ben", "one to Ben in the group"]));
        await here.reopen();
        expect(await due()).toEqual(new Set(["one to Ben", "one to Ben in the group"]));
      });

      it("are deleted by a later call if they are being sent, or their run has yet to go on", async () => {
        const other = { lane: "100/group:7" };
        await caused([toAna("a sending one"), toAna("an awaited one", other)], "an awaited one");
        await send("a sending one", "sending");

        expect(await here.store.forget({ id: ANA, now: NOW })).toMatchObject({ items: 0, left: 2 });
        expect(await shown()).toEqual(["an awaited one: expired", "a sending one: sending"]);
        const [settled] = await here.store.fetch(here.leases, NOW, 9);
        if (settled?.kind !== "item-settled") throw new Error("the run does not go on");
        expect(settled.item).toMatchObject({
          status: "expired",
          reason: "the data of its receiver were erased",
        });
        await here.store.commit(WORKER, [takenIn(here.leases, settled)]);
        const [sending] = await here.store.items({ status: "sending", limit: 1 });
        if (sending === undefined) throw new Error("nothing is being sent");
        await here.store.changeItems(WORKER, [moved(here.leases, sending, "failed")]);

        expect(await here.store.forget({ id: ANA, now: NOW })).toMatchObject({ items: 2, left: 0 });
        expect(await shown()).toEqual([]);
      });
    });

    it("removes the person from counts, which keep their value, and keeps the others in them", async () => {
      const { value } = counting([ANA, BEN, ANA]);
      await keep({ [COUNT]: value });
      const before = await stored(COUNT);
      await here.store.forget({ id: ANA, now: NOW, marked: countedAs(ANA) });
      const after = await stored(COUNT);

      expect(counting([BEN], before.value)).toMatchObject({ count: 4, people: 2 });
      expect(counting([BEN], after.value)).toMatchObject({ count: 4, people: 1 });
      expect(counting([ANA], after.value)).toMatchObject({ count: 4, people: 2 });
      const text = JSON.stringify(after.value);
      const [, fingerprint] = JSON.stringify(counting([ANA]).value).match(/"([0-9a-f]{14})"/) ?? [];
      expect(JSON.stringify(before.value)).toContain(fingerprint);
      expect(text).not.toContain(fingerprint);
      expect(text).not.toContain(ANA);
      expect(text).toContain(BEN);
    });

    it("removes values that a run of the person writes meanwhile", async () => {
      const others = Array.from({ length: 1_001 }, (_, index) =>
        entry({ key: `dm:other ${index}`, lane: `100/${BEN}` }),
      );
      await here.store.append(others);
      await here.store.append([entry({ key: "dm:1", lane: `100/${ANA}` })]);
      const inputs = await here.store.fetch(here.leases, NOW, 2_000);
      const input = inputs.find((one) => entriesOf([one])[0]?.key === "dm:1");
      if (input === undefined) throw new Error("nothing to decide");
      const key = `state/100/person/${ANA}/name`;
      const forgotten = here.store.forget({ id: ANA, now: NOW });
      const state = [{ key, value: '"Ana"', version: 0 }];
      await here.store.commit(WORKER, [takenIn(here.leases, input, { state })]);
      await forgotten;

      expect(await here.store.load([key])).toEqual(new Map());
    });

    it("changes the version of such a count, so that earlier decisions are made again", async () => {
      await keep({ [COUNT]: counting([ANA, BEN]).value });
      const { version } = await stored(COUNT);
      await here.store.forget({ id: ANA, now: NOW, marked: countedAs(ANA) });

      expect((await stored(COUNT)).version).toBeGreaterThan(version);
    });

    it("does not change counts without the person, and values that rules store", async () => {
      const named = counting([ANA]).value;
      await keep({ [COUNT]: counting([BEN]).value, "state/100/named": named });
      const before = [await stored(COUNT), await stored("state/100/named")];
      await here.store.forget({ id: ANA, now: NOW, marked: countedAs(ANA) });

      expect([await stored(COUNT), await stored("state/100/named")]).toEqual(before);
    });
  });
}
