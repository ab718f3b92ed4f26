import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openJournal } from "../../../src/runtime/journal/journal.ts";
import type { NewEntry } from "../../../src/runtime/store/entry.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { handClock } from "../../support/hand-clock.ts";
import { folderPlace } from "../store/place.ts";

const REVOKE = {
  user_event: {
    revoke: {
      date_time: "2026-01-01T00:00:00+00:00",
      target: { app_id: "9" },
      source: { user_id: "100" },
    },
  },
};

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

function journal(onRevoked: (account: string, at: number) => Promise<void>) {
  const appended: NewEntry[] = [];
  const opened = openJournal({
    store,
    clock: handClock(),
    onAppended: (entries) => appended.push(...entries),
    onRevoked,
  });
  const append = () => opened.append(REVOKE, JSON.stringify(REVOKE), "webhook");
  return { append, appended };
}

describe("a delivery", () => {
  it("is reported once, with its new entries", async () => {
    const { append, appended } = journal(async () => {});

    expect([await append(), await append()]).toEqual([1, 0]);
    expect(appended).toMatchObject([{ kind: "revoked", account: "100", source: "webhook" }]);
  });

  it("that revokes an account is not acknowledged before that is kept, and comes again", async () => {
    const revoked: [string, number][] = [];
    let full = true;
    const { append } = journal(async (...args) => {
      if (full) throw new Error("disk full");
      revoked.push(args);
    });

    await expect(append()).rejects.toThrow("disk full");
    full = false;
    expect(await append()).toBe(0);
    expect(revoked).toEqual([["100", Date.UTC(2026, 0, 1)]]);
  });
});
