import { expect, it } from "vitest";
import { translate } from "../../../src/events/translate.ts";
import type { AccountEvent } from "../../../src/events/event.ts";
import { followUnknownMessages } from "../../../src/runtime/instances/unknown-messages.ts";
import type { InstanceEvidence } from "../../../src/runtime/instances/other-instances.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import type { Item } from "../../../src/runtime/store/item.ts";
import { when } from "../../support/when.ts";
import * as wire from "../../support/wire.ts";
import { answered } from "../store/answered.ts";
import { item } from "../store/builders.ts";
import { folderPlace } from "../store/place.ts";

const NOW = Date.UTC(2026, 0, 1);

/** An answer of this instance with the text that another instance has sent, which came later. */
const OWN: Item = {
  ...item({ lane: "100/200" }),
  id: 1,
  partition: 0,
  status: "sent",
  attempts: 1,
  startedAt: NOW,
  platformId: "99",
};

/** Returns the event of the message `id` of the account, as the platform delivers it. */
function eventOf(id: string): AccountEvent {
  const body = wire.message({ id, from: "100", to: "200", text: "hi", at: NOW });
  const [arrival] = translate(body, NOW);
  if (arrival === undefined) throw new Error("no event");
  return arrival.event;
}

it.each([
  {
    error: new StoreError("store-io", "the database server restarts"),
    why: "the outbox can't be read at first",
    compared: ["96", "97", "98"],
  },
  {
    error: new TypeError("an id is no number"),
    why: "one of them can't be compared",
    compared: ["96", "98"],
  },
])("messages are compared if $why", async ({ error, compared }) => {
  const evidence: InstanceEvidence[] = [];
  let reads = 0;
  const messages = followUnknownMessages({
    store: {
      async items() {
        reads += 1;
        if (reads === 2) throw error;
        return [OWN];
      },
      isForgotten: async () => false,
    },
    onOther: async (one) => void evidence.push(one),
    clock: { now: () => NOW },
    log: openLog({ level: "silent" }),
  });
  for (const id of ["96", "97", "98"]) messages.onEvent("message", () => eventOf(id));
  await when(() => evidence.length === compared.length || undefined);
  await messages.stop();

  expect(evidence.map(({ reason }) => reason.split(" ")[1])).toEqual(compared);
});

it("an answer of which the operator stated that it has arrived is of this instance", async () => {
  const { platformId: _, ...answer } = OWN;
  const byHand: Item = { ...answer, reason: "settled by the operator as sent" };
  const evidence: InstanceEvidence[] = [];
  const listed = [[byHand], [OWN]];
  const messages = followUnknownMessages({
    store: { items: async () => listed.shift() ?? [], isForgotten: async () => false },
    onOther: async (one) => void evidence.push(one),
    clock: { now: () => NOW },
    log: openLog({ level: "silent" }),
  });
  for (const id of ["96", "97"]) messages.onEvent("message", () => eventOf(id));
  await when(() => evidence.length > 0 || undefined);
  await messages.stop();

  expect(evidence.map(({ reason }) => reason.split(" ")[1])).toEqual(["97"]);
});

it("an answer to a person who was erased since is of this instance; another message with its text is not", async () => {
  const place = await folderPlace();
  const store = await place.open();
  await answered(store, { person: "200", platformId: "96", at: NOW });
  await store.forget({ id: "200", now: NOW });
  await answered(store, { person: "200", platformId: "99", at: NOW });
  const evidence: InstanceEvidence[] = [];
  const messages = followUnknownMessages({
    store,
    onOther: async (one) => void evidence.push(one),
    clock: { now: () => NOW },
    log: openLog({ level: "silent" }),
  });
  for (const id of ["96", "97"]) messages.onEvent("message", () => eventOf(id));
  await when(() => evidence.length > 0 || undefined);
  await messages.stop();
  await store.close();
  await place.remove();

  expect(evidence.map(({ reason }) => reason.split(" ")[1])).toEqual(["97"]);
});
