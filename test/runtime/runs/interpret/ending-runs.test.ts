import { describe, expect, it, test } from "vitest";
import { endingRuns } from "../../../../src/runtime/runs/interpret/ending-runs.ts";
import {
  type Interpretation,
  type LaneEvent,
  NOTHING,
} from "../../../../src/runtime/runs/lane-event.ts";
import type { Item, NewItem } from "../../../../src/runtime/store/item.ts";
import type { RunWrite } from "../../../../src/runtime/store/run.ts";
import { entry, item, run } from "../../store/builders.ts";

const EVENT: LaneEvent = {
  kind: "event",
  entry: { ...entry(), seq: 1, partition: 3 },
  listeners: [],
};
const WAITING = run(1, { status: "waiting", waitsFor: item().key });
const END = run(1, { status: "done", version: 1 });

const sent = (over: Partial<Item> = {}): Item => ({
  ...item(),
  id: 1,
  partition: 3,
  attempts: 1,
  status: "sent",
  ...over,
});

interface Situation {
  /** Result of `interpret` for an item whose outcome is known; by default the end of its run. */
  readonly follows?: Partial<Interpretation>;
  readonly mayDecide?: boolean;
  readonly fails?: boolean;
}

/** Creates the {@link endingRuns} of a worker: `interpret` returns `follows` for an item whose outcome is known. */
function runsWith({ follows = { runs: [END] }, mayDecide = true, fails = false }: Situation = {}) {
  const interpreted: LaneEvent[] = [];
  const ended: LaneEvent[] = [];
  const runs = endingRuns({
    interpret: async (happened) => {
      interpreted.push(happened);
      if (fails) throw new Error("a broken rule");
      return { ...NOTHING, ...follows };
    },
    mayDecide: () => mayDecide,
    onEnded: (happened) => ended.push(happened),
  });
  const note = (write: Partial<RunWrite> = {}, queued: Partial<NewItem> = {}) =>
    runs.note(EVENT, { ...NOTHING, runs: [{ ...WAITING, ...write }], items: [item(queued)] });
  return { runs, note, interpreted, ended };
}

describe("a run that waits for its last item", () => {
  it("ends with it, in the version that the commit stored, and its timers with it", async () => {
    const { runs, note, interpreted, ended } = runsWith({
      follows: { runs: [END], cancelled: ["timeout"] },
    });
    note();
    const end = await runs.endOf(sent());

    expect(end).toMatchObject({ run: END, cancelled: ["timeout"] });
    expect(interpreted).toEqual([
      {
        kind: "item-settled",
        item: sent(),
        run: { ...WAITING, version: 1, partition: 3 },
        entry: EVENT.entry,
      },
    ]);
    expect(ended).toEqual([]);
    end?.stored();
    expect(ended).toEqual(interpreted);
  });

  it("is interpreted once, even if its item is settled again", async () => {
    const { runs, note, interpreted } = runsWith();
    note();
    await runs.endOf(sent());

    expect(await runs.endOf(sent())).toBeUndefined();
    expect(interpreted).toHaveLength(1);
  });

  const timer = { id: "t", run: WAITING.id, lane: WAITING.lane, dueAt: 1 };
  test.each<{ why: string; follows: Partial<Interpretation> }>([
    { why: "it goes on", follows: { runs: [{ ...END, status: "waiting" }] } },
    { why: "nothing follows", follows: {} },
    { why: "another run ends", follows: { runs: [{ ...END, id: "1/rule:b" }] } },
    { why: "another run ends with it", follows: { runs: [END, { ...END, id: "1/rule:b" }] } },
    { why: "it sends something", follows: { runs: [END], items: [item()] } },
    { why: "it waits for a time", follows: { runs: [END], timers: [timer] } },
    { why: "items are withdrawn", follows: { runs: [END], withdrawn: [END.id] } },
    { why: "its lane is cleared", follows: { runs: [END], clearsLane: "stop" } },
    { why: "it depends on a slot", follows: { runs: [END], slots: [{ slot: "a", runs: [] }] } },
    {
      why: "it remembers something",
      follows: { runs: [END], state: [{ key: "k", value: "1", version: 0 }] },
    },
  ])("is continued from the inbox if $why", async ({ follows }) => {
    const { runs, note } = runsWith({ follows });
    note();

    expect(await runs.endOf(sent())).toBeUndefined();
  });

  test.each<{ why: string; write?: Partial<RunWrite>; queued?: Partial<NewItem> }>([
    { why: "waits for something else", write: { waitsFor: "a timer" } },
    { why: "has a slot", write: { slot: "a" } },
    { why: "takes events", write: { listens: true } },
    { why: "is of a bot", write: { owner: "bot:desk", id: "1/bot:desk" } },
    { why: "is a branch", write: { id: "1/rule:faq#/actions[0].parallel.a" } },
    { why: "was started by an earlier event", write: { seq: 2 } },
    { why: "is in another lane than its item", queued: { lane: "100:300" } },
    {
      why: "waits for a further post of a thread",
      queued: { action: { type: "create_post", to: "100", text: "2/2", after: "1" } },
    },
  ])("is not noted if it $why", async ({ write, queued }) => {
    const { runs, note, interpreted } = runsWith();
    note(write, queued);

    expect(await runs.endOf(sent(queued))).toBeUndefined();
    expect(interpreted).toEqual([]);
  });

  it("waits for the inbox while its account is paused", async () => {
    const { runs, note, interpreted } = runsWith({ mayDecide: false });
    note();

    expect(await runs.endOf(sent())).toBeUndefined();
    expect(interpreted).toEqual([]);
  });

  it("is continued from the inbox, which reports the error, if its interpretation fails", async () => {
    const { runs, note } = runsWith({ fails: true });
    note();

    expect(await runs.endOf(sent())).toBeUndefined();
  });

  it("is not noted while very many others are", async () => {
    const { runs, note } = runsWith();
    for (let n = 0; n < 2_048; n += 1) note({ waitsFor: `k${n}` }, { key: `k${n}` });
    note();

    expect(await runs.endOf(sent())).toBeUndefined();
    expect(await runs.endOf(sent({ key: "k0" }))).toBeDefined();
    note();
    expect(await runs.endOf(sent())).toBeDefined();
  });
});
