import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { type CrashTrial, openCrashTrial } from "../../../src/runtime/runs/crash-trial.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { when } from "../../support/when.ts";
import { entry } from "../store/builders.ts";
import { folderPlace } from "../store/place.ts";

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

const log = openLog({ level: "silent" });
const start = (): Promise<CrashTrial> => openCrashTrial({ store, log });
const never = (): Promise<void> => new Promise(() => {});
const isMarked = (seqs: readonly number[]): Promise<true> =>
  when(async () => {
    const text = (await store.getMeta("process")) ?? "";
    return text.includes(`"atWork":${JSON.stringify(seqs)}`) ? true : undefined;
  });

async function arrived(count: number): Promise<number[]> {
  const entries = Array.from({ length: count }, (_, n) => entry({ key: `dm:${n}` }));
  return (await store.append(entries)).map(({ seq }) => seq);
}

it("suspects no entry while no process has crashed", async () => {
  const [seq = 0] = await arrived(1);
  const first = await start();
  const before = await store.getMeta("process");
  await first.run(seq, async () => {});

  expect(await store.getMeta("process")).toBe(before);
  await first.close();
  const second = await start();
  await second.run(seq, async () => {});
  expect(await store.getMeta("process")).toBe(before);
});

it("dead-letters the entry that ends the process, and only that one", async () => {
  const [culprit = 0, other = 0] = await arrived(2);
  await start();
  let done = 0;
  for (const end of [1, 2, 3, 4]) {
    const process = await start();
    expect(process.condemned(culprit), `after end ${end}`).toBeUndefined();
    await process.run(other, async () => void (done += 1));
    void process.run(culprit, never);
    await isMarked([culprit]);
  }

  const last = await start();
  expect(last.condemned(culprit)).toContain(
    "the process ended 5 times while this event was at work",
  );
  expect(last.condemned(other)).toBeUndefined();
  expect(last.all().map(({ seq }) => seq)).toEqual([culprit]);
  expect(done).toBe(4);
});

it("processes unfinished entries one at a time, lets new entries pass, and continues behind a slow one", async () => {
  const [slow = 0, next = 0] = await arrived(2);
  await start();
  const process = await start();
  const [fresh = 0] = (await store.append([entry({ key: "dm:fresh" })])).map(({ seq }) => seq);
  const begun: number[] = [];
  const working = (seq: number) =>
    process.run(seq, async () => {
      begun.push(seq);
      if (seq === slow) await never();
    });

  void working(slow);
  const behind = working(next);
  await working(fresh);
  await isMarked([slow]);
  expect(begun).not.toContain(next);
  await behind;
  expect(begun.toSorted((a, b) => a - b)).toEqual([slow, next, fresh]);
});

it("blames no entry when the process was killed from outside during different entries", async () => {
  const seqs = await arrived(4);
  await start();
  for (const seq of seqs) {
    const process = await start();
    void process.run(seq, never);
    await isMarked([seq]);
  }

  expect((await start()).all()).toEqual([]);
});

it("begins no trial if all unfinished entries belong to a paused account", async () => {
  const [{ seq } = { seq: 0 }] = await store.append([entry({ lane: "100/200" })]);
  await store.setPause({ account: "100", since: 5 });
  await start();
  const second = await start();
  const before = await store.getMeta("process");
  await second.run(seq, async () => {});

  expect(before).toContain('"ends":0');
  expect(await store.getMeta("process")).toBe(before);
});

it("ends once no unfinished entry has been processed for ten minutes, but not during one", async () => {
  const [culprit = 0] = await arrived(2);
  await start();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const process = await start();
    let finish = (): void => {};
    const done = process.run(culprit, () => new Promise<void>((resolve) => (finish = resolve)));
    await isMarked([culprit]);
    await vi.advanceTimersByTimeAsync(15 * 60_000);
    expect(await store.getMeta("process")).toContain('"ends":1');
    finish();
    await done;
    await vi.advanceTimersByTimeAsync(9 * 60_000);
    expect(await store.getMeta("process")).toContain('"ends":1');

    await vi.advanceTimersByTimeAsync(60_000);
    await when(async () =>
      (await store.getMeta("process"))?.includes('"ends":0') ? true : undefined,
    );
  } finally {
    vi.useRealTimers();
  }
});

it("tests many entries one by one only after a second crash", async () => {
  const seqs = await arrived(40);
  await start();
  const first = await start();
  await Promise.all(seqs.slice(0, 39).map((seq) => first.run(seq, async () => {})));
  expect(await store.getMeta("process")).toContain('"atWork":[]');

  const second = await start();
  void second.run(seqs[0] ?? 0, never);
  await isMarked([seqs[0] ?? 0]);
});
