import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/protocol/json.ts";
import { addedTo, countedAs } from "../../../src/rules/decide/counted.ts";
import { forgetPerson } from "../../../src/runtime/forget/forget-person.ts";
import type { AnswerLimit } from "../../../src/runtime/store/answer-limit.ts";
import type { Item } from "../../../src/runtime/store/item.ts";
import { answered } from "./answered.ts";
import { entriesOf, entry, item, takenIn } from "./builders.ts";
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
