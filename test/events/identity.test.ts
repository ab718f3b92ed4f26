import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { translate } from "../../src/events/translate.ts";
import { openJournal } from "../../src/runtime/journal/journal.ts";
import { openStore } from "../../src/runtime/store/open.ts";
import { DELIVERY_KINDS, deliveryOf, TELLING } from "../support/deliveries.ts";
import { handClock } from "../support/hand-clock.ts";

/** Returns each event's account id and key, which identify the event. */
const namesOf = (body: object, arrivedAt = 0): readonly string[] =>
  translate(JSON.parse(JSON.stringify(body)), arrivedAt).map(
    ({ event }) => `${event.accountId} ${event.key}`,
  );

describe.each(DELIVERY_KINDS)("the identity of $name", (kind) => {
  it("is the same however often and whenever it is delivered, and with whatever other events", () => {
    fc.assert(
      fc.property(kind.identity, TELLING, TELLING, fc.nat(), (identity, one, other, later) => {
        const first = deliveryOf(kind, [identity], { account: "100", telling: one });
        const again = deliveryOf(kind, [identity], { account: "100", telling: other });
        const [name, ...rest] = namesOf(first);

        expect(rest).toEqual([]);
        expect(name).not.toContain("unrecognised");
        expect(namesOf(again, later)).toEqual([name]);
      }),
    );
  });

  it("differs if an identifying field differs", () => {
    fc.assert(
      fc.property(kind.identity, kind.identity, TELLING, (one, other, telling) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        const to = { account: "100", telling };

        const [first] = namesOf(deliveryOf(kind, [one], to));
        const [second] = namesOf(deliveryOf(kind, [other], to));
        expect(first === second).toBe(isSame);
      }),
      { numRuns: 500 },
    );
  });
});

const OF_ACCOUNTS = DELIVERY_KINDS.filter(({ isSingle }) => isSingle !== true);

describe.each(OF_ACCOUNTS)("the identity of $name of an account", (kind) => {
  it("contains the account; its key is the same for two accounts", () => {
    fc.assert(
      fc.property(kind.identity, TELLING, (identity, telling) => {
        const keyFor = (account: string) =>
          translate(deliveryOf(kind, [identity], { account, telling }), 0).map(
            ({ event }) => event,
          );
        const [mine] = keyFor("100");
        const [yours] = keyFor("200");

        expect(mine?.accountId).toBe("100");
        expect(yours?.accountId).toBe("200");
        expect(mine?.key).toBe(yours?.key);
      }),
    );
  });

  it("is that of the element, whatever else the delivery contains", () => {
    const identities = fc.array(kind.identity, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(identities, TELLING, (several, telling) => {
        const to = { account: "100", telling };
        const alone = several.flatMap((identity) => namesOf(deliveryOf(kind, [identity], to)));

        expect(namesOf(deliveryOf(kind, several, to))).toEqual(alone);
        // The event's body has only its own element of the delivery, and reading that body gives the same event.
        for (const { event, body } of translate(deliveryOf(kind, several, to), 0)) {
          expect(namesOf(body)).toEqual([`${event.accountId} ${event.key}`]);
        }
      }),
    );
  });
});

describe("events of different kinds", () => {
  it("are never one", () => {
    const any = fc
      .constantFrom(...DELIVERY_KINDS)
      .chain((kind) => fc.record({ kind: fc.constant(kind), identity: kind.identity }));
    fc.assert(
      fc.property(any, any, TELLING, (one, other, telling) => {
        if (one.kind === other.kind) return;
        const to = { account: "100", telling };

        expect(namesOf(deliveryOf(one.kind, [one.identity], to))).not.toEqual(
          namesOf(deliveryOf(other.kind, [other.identity], to)),
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe("an event without identity", () => {
  test.each([
    [
      "a following without its time",
      "follow_events",
      { type: "follow", source: { id: "200" }, target: { id: "100" } },
    ],
    [
      "typing without its time",
      "direct_message_indicate_typing_events",
      { sender_id: "200", target: { recipient_id: "100" } },
    ],
  ])("is acted on by nobody: %s", (_what, key, element) => {
    const body = { for_user_id: "100", [key]: [element] };
    const [first] = translate(body, 1);
    const [later] = translate(body, 2);

    expect(first?.event).toMatchObject({ kind: "unrecognised", accountId: "100", triggers: [] });
    expect(later?.event.key).toBe(first?.event.key);
  });

  it("is a delivery that names no account", () => {
    const body = {
      direct_message_events: [
        { id: "1", message_create: { sender_id: "2", target: { recipient_id: "3" } } },
      ],
    };

    expect(translate(body, 0)).toMatchObject([{ event: { kind: "unrecognised", triggers: [] } }]);
  });
});

describe("the journal", () => {
  it("stores each event once, in whatever order, number and combination its copies arrive", async () => {
    const folder = await mkdtemp(join(tmpdir(), "identity-"));
    const store = await openStore(`file:${folder}`);
    const clock = handClock();
    const keys = new Set<string>();
    const journal = openJournal({ store, clock, onAppended: () => {}, onRevoked: async () => {} });
    const delivery = fc.constantFrom(...DELIVERY_KINDS).chain((kind) =>
      fc.record({
        account: fc.constantFrom("100", "200"),
        telling: TELLING,
        identities: fc.array(kind.identity, { minLength: 1, maxLength: kind.isSingle ? 1 : 4 }),
        kind: fc.constant(kind),
        source: fc.constantFrom("webhook" as const, "replay" as const, "backfill" as const),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(delivery, { minLength: 1, maxLength: 10 }), async (deliveries) => {
        for (const { kind, identities, source, ...to } of deliveries) {
          const body = deliveryOf(kind, identities, to);
          const fresh = new Set(namesOf(body).filter((name) => !keys.has(name)));
          for (const name of fresh) keys.add(name);
          clock.advance(1);

          expect(await journal.append(body, JSON.stringify(body), source)).toBe(fresh.size);
        }
      }),
      { numRuns: 30 },
    );
    expect((await store.stats()).journal).toBe(keys.size);
    await store.close();
    await rm(folder, { recursive: true });
  });
});
