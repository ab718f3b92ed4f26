import { describe, expect, it } from "vitest";
import { startSource } from "../../src/host/receive.ts";
import { openLog } from "../../src/runtime/log.ts";
import { cleanupStack } from "../../src/runtime/loop/cleanup-stack.ts";
import type { Append, Source } from "../../src/runtime/source.ts";

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
