import { beforeEach, expect, it } from "vitest";
import { translate } from "../../src/events/translate.ts";
import { latestOf } from "../../src/host/operating/answered-event.ts";
import { openMemoryStore } from "../../src/runtime/store/memory-store.ts";
import type { Store } from "../../src/runtime/store/store.ts";
import { entries } from "../runtime/store/builders.ts";
import * as wire from "../support/wire.ts";

let store: Store;
let last: number;
beforeEach(() => {
  store = openMemoryStore();
  last = 5_000;
});

/** Appends a message of a person to the account 100, in a group if its id is passed. */
async function says(from: string, group?: string): Promise<void> {
  const delivery = wire.message({ id: String((last += 1)), from });
  const target = group === undefined ? {} : { target: { dm_conversation_id: group } };
  Object.assign(delivery.direct_message_events[0]?.message_create ?? {}, target);
  const arrivals = translate(delivery, 0);
  const newEntries = arrivals.map(({ event, body }) => ({
    key: event.key,
    account: event.accountId,
    lane: event.lane,
    kind: event.kind,
    at: 0,
    arrivedAt: 0,
    source: "webhook" as const,
    body: JSON.stringify(body),
  }));
  await store.append(newEntries);
}

const laneOfLatest = async (person: string) => (await latestOf(store, person, ["100"]))?.row.lane;

it.each(["200", "@ana"])("the latest message of %s may be one in a group", async (person) => {
  await says("200");
  await says("200", "777");
  await says("300", "777");
  expect(await laneOfLatest(person)).toBe("100/group:777");

  await says("200");
  expect(await laneOfLatest(person)).toBe("100/200");
});

it.each(["200", "@ana"])("a message of %s is found before 10,000 others", async (person) => {
  await says("200", "777");
  await store.append(entries("100/300", 10_000));

  expect(await laneOfLatest(person)).toBe("100/group:777");
});
