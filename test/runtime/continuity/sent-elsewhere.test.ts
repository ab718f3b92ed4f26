import { afterEach, beforeEach, expect, it } from "vitest";
import type { AccountEvent } from "../../../src/events/event.ts";
import { translate } from "../../../src/events/translate.ts";
import { sentElsewhere } from "../../../src/runtime/continuity/sent-elsewhere.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { ANSWERED_ELSEWHERE } from "../../../src/runtime/store/restored.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import * as wire from "../../support/wire.ts";
import { answered } from "../store/answered.ts";
import { folderPlace } from "../store/place.ts";

const NOW = Date.UTC(2026, 0, 1);

let place: Awaited<ReturnType<typeof folderPlace>>;
let store: Store;
beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
});
afterEach(async () => {
  await store.close();
  await place.remove();
});

/** Returns the event of a message that the account has sent to a person. */
function message(id: string, to: string, at = NOW): AccountEvent {
  const [arrival] = translate(wire.message({ id, from: "100", to, text: "hi", at }), NOW);
  if (arrival === undefined) throw new Error("no event");
  return arrival.event;
}

const search = () =>
  sentElsewhere({
    store,
    clock: { now: () => NOW },
    log: openLog({ level: "silent" }),
    holdMs: 600_000,
  });
const isElsewhere = async () => (await store.getMeta(ANSWERED_ELSEWHERE)) !== undefined;

it.each([
  { why: "it is in the outbox", id: "96", erased: [], elsewhere: false },
  { why: "its person was erased since", id: "96", erased: ["200"], elsewhere: false },
  { why: "nothing of it is stored", id: "97", erased: [], elsewhere: true },
  { why: "only other messages were erased", id: "97", erased: ["200"], elsewhere: true },
])(
  "a message that is read back counts as sent elsewhere: $elsewhere, because $why",
  async ({ id, erased, elsewhere }) => {
    await answered(store, { person: "200", platformId: "96", at: NOW });
    for (const person of erased) await store.forget({ id: person, now: NOW });
    await search()([message(id, "200")]);

    expect(await isElsewhere()).toBe(elsewhere);
  },
);

it.each(["sent", "failed"] as const)(
  "an answer of which the operator stated that it was %s was sent here, if it is on the platform",
  async (byHand) => {
    await answered(store, { person: "200", platformId: "96", at: NOW, byHand });
    await search()([message("96", "200")]);
    expect(await isElsewhere()).toBe(false);

    await search()([message("97", "200", NOW + 60_000)]);
    expect(await isElsewhere()).toBe(true);
  },
);
