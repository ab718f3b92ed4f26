import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Gap } from "../../../src/runtime/catchup/plan.ts";
import { readBack, type ReadBackNeeds } from "../../../src/runtime/catchup/read-back.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { when } from "../../support/when.ts";
import { type Lists, openLists, type Refused } from "./support/lists.ts";

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 0, 2, 12);
const GAP: Gap = { account: "100", from: NOW - 60 * MINUTE, to: NOW - 10 * MINUTE };
const { from: FROM, to: TO } = GAP;

let lists: Lists;
let clock: HandClock;
let ending: AbortController;
/** Keys of the events in the order in which they were appended. */
let appended: string[];
let foundKeys: string[];
let holds: string[];
let isKnown: (raw: string) => boolean;

beforeEach(() => {
  lists = openLists();
  clock = handClock(NOW);
  ending = new AbortController();
  appended = [];
  foundKeys = [];
  holds = [];
  isKnown = () => false;
});
afterEach(() => ending.abort());

const read = (over: Partial<ReadBackNeeds> = {}) =>
  readBack(GAP, {
    clientOf: () => lists.client,
    append: async (_delivery, raw) => {
      appended.push(/"id(?:_str)?":"(\w+)"/u.exec(raw)?.[1] ?? raw);
      return isKnown(raw) ? 0 : 1;
    },
    clock,
    onFound: async (events) => {
      expect(appended).toEqual([]);
      foundKeys.push(...events.map(({ key }) => key));
    },
    onHeldUp: () => holds.push("held up"),
    onLimited: () => holds.push("limited"),
    signal: ending.signal,
    ...over,
  });

const listed = (id: string, at: number, from?: string) => ({
  id,
  at,
  ...(from !== undefined && { from }),
});

describe("reading a gap back", () => {
  it("appends the events of the gap, without its end, oldest first", async () => {
    lists.messages = [
      listed("5", TO),
      listed("4", TO - 1),
      listed("2", FROM),
      listed("1", FROM - 1),
    ];
    lists.mentions = [listed("3", FROM + MINUTE)];

    expect(await read()).toEqual({ fresh: 3, refused: {} });
    expect(appended).toEqual(["2", "3", "4"]);
    expect(foundKeys).toHaveLength(3);
  });

  it("appends simultaneous events by the age of their ids", async () => {
    lists.messages = ["99", "100", "98", "101"].map((id) => listed(id, FROM));
    await read();

    expect(appended).toEqual(["98", "99", "100", "101"]);
  });

  it("counts only events that are new", async () => {
    lists.messages = [listed("2", FROM, "300"), listed("1", FROM)];
    isKnown = (raw) => raw.includes('"1"');

    expect(await read()).toEqual({ fresh: 1, refused: {} });
  });

  it("appends an event only after the earlier ones of its conversation", async () => {
    lists.messages = [listed("3", FROM + 2, "300"), listed("2", FROM + 1), listed("1", FROM)];
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const reading = read({
      append: (_delivery, raw) => {
        begun.push(/"id":"(\w+)"/u.exec(raw)?.[1] ?? "");
        return new Promise((resolve) => ends.push(() => resolve(1)));
      },
    });
    await when(() => (begun.length === 2 ? true : undefined));
    expect(begun).toEqual(["1", "3"]);

    for (const end of ends) end();
    await when(() => ends[2]);
    ends[2]?.();
    expect(await reading).toMatchObject({ fresh: 3 });
  });

  it("reads further pages until a page reaches past the start of the gap", async () => {
    lists.pageSize = 2;
    lists.messages = [4, 3, 2, 1, 0, -1, -2].map((n) => listed(`${n + 10}`, FROM + n));
    await read();

    expect(lists.requests.filter((one) => one !== "mentions")).toEqual([
      "messages",
      "messages 2",
      "messages 4",
    ]);
    expect(appended).toEqual(["10", "11", "12", "13", "14"]);
  });

  it("reads another page after an empty page that has a next page", async () => {
    lists.pageSize = 1;
    const omitted = { ...listed("3", FROM + 3), isOmitted: true } as const;
    lists.messages = [listed("4", FROM + 4), omitted, listed("2", FROM + 2), listed("1", FROM)];

    expect(await read()).toEqual({ fresh: 3, refused: {} });
    expect(appended).toEqual(["1", "2", "4"]);
  });

  it("reads another page if a page ends exactly at the start of the gap", async () => {
    lists.pageSize = 1;
    lists.messages = [listed("2", FROM), listed("1", FROM), listed("0", FROM - 1)];
    await read();

    expect(appended).toEqual(["1", "2"]);
  });

  it("stops after a hundred pages, and reports that events may be missing", async () => {
    lists.pageSize = 1;
    lists.messages = Array.from({ length: 101 }, (_, n) => listed(`${500 - n}`, TO - 1 - n));

    expect(await read()).toEqual({
      fresh: 100,
      refused: { messages: "there are more than 10000" },
    });
    expect(lists.requests.filter((one) => one !== "mentions")).toHaveLength(100);

    lists.messages = lists.messages.slice(1);
    expect(await read({ onFound: async () => {} })).toEqual({ fresh: 100, refused: {} });
  });

  it("reads what the platform allows, and reports what it refuses", async () => {
    lists.messages = [listed("2", FROM)];
    lists.mentions = [listed("1", FROM)];
    lists.fails = (list) => (list === "messages" ? { status: 403 } : undefined);

    expect(await read()).toEqual({
      fresh: 1,
      refused: { messages: expect.stringContaining("refused") },
      isRefused: true,
    });
    expect(appended).toEqual(["1"]);
    expect(holds).toEqual([]);
  });

  it("keeps the pages that it has read when the platform refuses the next one", async () => {
    lists.pageSize = 1;
    lists.messages = [listed("3", FROM + 2), listed("2", FROM + 1), listed("1", FROM)];
    lists.fails = () => (lists.requests.includes("messages 2") ? { status: 403 } : undefined);

    expect(await read()).toEqual({
      fresh: 2,
      refused: { messages: expect.stringContaining("refused") },
      isRefused: true,
    });
    expect(appended).toEqual(["2", "3"]);
  });

  it("reads a page on which a person lacks a field that the platform always sends", async () => {
    const messages = [1, 2].map((n) => ({
      id: `${n}`,
      event_type: "MessageCreate",
      text: "hi",
      sender_id: "200",
      dm_conversation_id: "100-200",
      created_at: new Date(FROM + n).toISOString(),
    }));
    const users = [{ id: "200", username: "ana", name: "Ana" }];
    const body = { data: messages.toReversed(), includes: { users } };
    lists.fails = (list) => (list === "messages" ? { status: 200, body } : undefined);

    expect(await read()).toEqual({ fresh: 2, refused: {} });
    expect(appended).toEqual(["1", "2"]);
  });

  it("reads nothing for an account without a client", async () => {
    expect(await read({ clientOf: () => undefined })).toBeUndefined();
    expect(lists.requests).toEqual([]);
  });
});

describe("a reading that is held up", () => {
  const messageRequests = () => lists.requests.filter((one) => one === "messages").length;
  /** Number of times that the reading began to wait for the clock. */
  let waits: number;
  const waiting = (times: number) => when(() => (waits === times ? true : undefined));
  const reading = () =>
    read({
      clock: {
        now: () => clock.now(),
        onJump(listener) {
          waits += 1;
          return clock.onJump(listener);
        },
      },
    });
  beforeEach(() => {
    // Only the test moves the clock: no pause ends by itself.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    waits = 0;
    lists.messages = [listed("1", FROM)];
  });
  afterEach(() => void vi.useRealTimers());

  const html = "<html><title>Just a moment...</title></html>";
  const page: Refused = { status: 403, body: html };
  it.each<["unreachable" | Refused]>([
    ["unreachable"],
    [{ status: 503 }],
    [{ status: 408 }],
    [page],
    [{ status: 200, body: html }],
  ])(
    "is repeated after pauses that double up to a minute, and reported from the fourth failure: %j",
    async (failure) => {
      lists.fails = (list) => (list === "messages" ? failure : undefined);
      const done = reading();
      const seconds = [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 60, 60];
      for (const [failures, pause] of seconds.entries()) {
        await waiting(2 * failures + 1);
        expect(holds).toHaveLength(Math.max(0, failures - 2));
        clock.advance(pause * 1_000 - 1);
        await waiting(2 * failures + 2);
        expect(messageRequests()).toBe(failures + 1);
        if (failures === seconds.length - 1) lists.fails = () => undefined;
        clock.advance(1);
      }

      expect(await done).toEqual({ fresh: 1, refused: {} });
      expect(new Set(holds)).toEqual(new Set(["held up"]));
    },
  );

  it("waits until a rate limit ends, and reports that at once", async () => {
    const reset = NOW + 10 * MINUTE;
    const headers = {
      "x-rate-limit-limit": "15",
      "x-rate-limit-remaining": "0",
      "x-rate-limit-reset": `${reset / 1_000}`,
    };
    lists.fails = (list) => (list === "messages" ? { status: 429, headers } : undefined);
    const done = reading();
    await waiting(1);
    expect(holds).toEqual(["limited", "held up"]);
    clock.advance(10 * MINUTE - 1);
    await waiting(2);
    expect(messageRequests()).toBe(1);
    lists.fails = () => undefined;
    clock.advance(1);

    expect(await done).toEqual({ fresh: 1, refused: {} });
  });

  it("is given up if a page lacks what the platform always sends", async () => {
    lists.fails = (list) =>
      list === "messages" ? { status: 200, body: { data: [{}] } } : undefined;

    expect(await reading()).toMatchObject({
      refused: { messages: expect.stringContaining("lacks") },
    });
    expect(holds).toEqual([]);
  });

  it("is given up if a rate limit lasts until the month ends", async () => {
    const body = { title: "UsageCapExceeded", type: "https://x.example/problems/usage-capped" };
    lists.fails = (list) => (list === "messages" ? { status: 429, body } : undefined);

    expect(await reading()).toMatchObject({ refused: { messages: expect.any(String) } });
    expect(holds).toEqual([]);
  });

  it("ends with an error when it is aborted", async () => {
    lists.fails = () => "unreachable";
    const done = reading();
    await waiting(2);
    ending.abort();

    await expect(done).rejects.toThrow("aborted");
    expect(appended).toEqual([]);
    expect(foundKeys).toEqual([]);
  });
});
