import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { foundBody } from "../../src/events/kinds/post.ts";
import { wireOf } from "../../src/events/wire.ts";
import { appending, startSource } from "../../src/host/receive.ts";
import { openLog } from "../../src/runtime/log.ts";
import { cleanupStack } from "../../src/runtime/loop/cleanup-stack.ts";
import { type Append, ComeAgain, type Source } from "../../src/runtime/source.ts";
import type { Store } from "../../src/runtime/store/store.ts";
import type { Place } from "../runtime/store/contract.ts";
import { folderPlace } from "../runtime/store/place.ts";
import { handClock } from "../support/hand-clock.ts";
import * as wire from "../support/wire.ts";

const POST = {
  id: "1146654567674912770",
  text: "@hello_bot are you open?",
  author_id: "200",
  created_at: "2026-01-02T03:04:05.000Z",
};
const ACCOUNT = {
  id: "100",
  username: "hello_bot",
  accessToken: "",
  accessTokenSecret: "",
  linkedAt: 0,
};
const bodyOf = (...ids: readonly string[]) => ({
  data: ids.map((id) => ({
    event_type: "post.mention.create",
    event_uuid: "1146654567674912769",
    filter: { user_id: "100" },
    payload: { ...POST, id },
  })),
});

/** Starts an event source. Returns the function by which the source passes deliveries on to be stored. */
async function startedSource(append: Append): Promise<Append> {
  let deliver: Append = async () => 0;
  const source: Source = {
    name: "webhook",
    start: async (keep) => void (deliver = keep),
    status: () => ({}),
    stop: async () => {},
  };
  await startSource(source, {
    accounts: { find: () => ACCOUNT },
    telemetry: { takingIn: (_source, next) => next },
    world: { isConfirmed: () => true },
    gate: { pass: () => {} },
    keepAs: () => append,
    onArrived: () => {},
    cleanup: cleanupStack(openLog({ level: "silent" })),
  });
  return deliver;
}

describe("a delivery of either interface", () => {
  it("is stored unchanged if account activity sent it", async () => {
    const stored: string[] = [];
    const deliver = await startedSource(async (_, raw) => stored.push(raw));
    const raw = '{ "for_user_id": "100",  "post_create_events": [] }';
    expect(await deliver(JSON.parse(raw), raw)).toBe(1);
    expect(stored).toEqual([raw]);
  });

  it("is stored event by event in the form of account activity if the activity interface sent it", async () => {
    const stored: unknown[] = [];
    const deliver = await startedSource(async (delivery, raw) => {
      expect(JSON.parse(raw)).toEqual(JSON.parse(JSON.stringify(delivery)));
      return stored.push(delivery) && 1;
    });
    const body = bodyOf("1146654567674912771", "1146654567674912772");
    expect(await deliver(body, JSON.stringify(body))).toBe(2);
    expect(stored).toMatchObject([
      { for_user_id: "100", post_create_events: [{ id_str: "1146654567674912771" }] },
      { for_user_id: "100", post_create_events: [{ id_str: "1146654567674912772" }] },
    ]);
  });

  it("is not acknowledged before all of it is stored: the platform sends it again", async () => {
    let storedCount = 0;
    const deliver = await startedSource(async () => {
      storedCount += 1;
      if (storedCount === 2) throw new Error("the disk is full");
      return 1;
    });
    const body = bodyOf("1146654567674912771", "1146654567674912772", "1146654567674912773");
    await expect(deliver(body, JSON.stringify(body))).rejects.toThrow("the disk is full");
    expect(storedCount).toBe(2);
  });
});

describe("the end of a delivery's way", () => {
  let place: Place;
  let store: Store;
  beforeEach(async () => {
    place = await folderPlace();
    store = await place.open();
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  /** Appends deliveries one after the other. Returns the reports about the store's health, and the last error. */
  async function reports(...deliveries: readonly object[]) {
    const health: string[] = [];
    const append = appending({
      store,
      clock: handClock(),
      events: { publish: () => {} },
      registry: { find: () => undefined, revoke: async () => {} },
      telemetry: { appending: undefined },
      health: {
        succeeded: () => void health.push("works"),
        failed: () => void health.push("fails"),
      },
      answering: { arrived: () => {} },
      catchup: { sourceOf: (source) => source, onAppended: () => {}, onKnown: () => {} },
    })("search");
    let failure: unknown;
    for (const one of deliveries) {
      await append(one, JSON.stringify(one)).catch((error: unknown) => (failure = error));
    }
    return { health, failure };
  }

  const MENTION = wireOf(wire.post({ mentions: ["100"] })) ?? {};

  it("does not report a failure of the store while a found post is undecided", async () => {
    const { health, failure } = await reports(MENTION, foundBody(MENTION, ["acme"]));
    expect(failure).toBeInstanceOf(ComeAgain);
    expect(health).toEqual(["works"]);
  });

  it("reports a failure of the store", async () => {
    await store.close();
    expect((await reports(MENTION)).health).toEqual(["fails"]);
    store = await place.open();
  });
});
