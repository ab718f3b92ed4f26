import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ReplayWindow } from "../../../../src/client/client.ts";
import { ReplayRunner } from "../../../../src/runtime/catchup/replay/replay-runner.ts";
import { openLog } from "../../../../src/runtime/log.ts";
import { openMemoryStore } from "../../../../src/runtime/store/memory-store.ts";
import type { Store } from "../../../../src/runtime/store/store.ts";
import { type HandClock, handClock } from "../../../support/hand-clock.ts";
import { refused } from "../support/refused.ts";

const MINUTE = 60_000;

describe("the requests of a replay job", () => {
  const NOON = Date.UTC(2026, 0, 2, 12);
  const window = { from: NOON - 90 * MINUTE, to: NOON - 60 * MINUTE };
  let memory: Store;
  let clock: HandClock;
  let runner: ReplayRunner;
  let hook: string | undefined;
  let paths: string[];
  /** Window and options of each request. */
  let sent: object[];
  let answer: () => void;

  beforeEach(() => {
    memory = openMemoryStore();
    clock = handClock(NOON);
    hook = "hook";
    paths = [];
    answer = () => {};
    sent = [];
    const requestAt = (path: string) => async (window: ReplayWindow, options?: object) => {
      paths.push(path);
      sent.push({ ...window, ...options });
      answer();
      return { job_id: `job${paths.length}`, created_at: "" };
    };
    runner = new ReplayRunner({
      store: memory,
      clock,
      subscribed: () => ["1"],
      log: openLog({ level: "silent" }),
      onUnreachable: () => {},
      webhookId: () => hook,
      replay: { start: requestAt("start"), startJob: requestAt("startJob") },
    });
  });
  afterEach(() => memory.close());

  const failing = (error: Error) => () => {
    throw error;
  };
  /** Stores the platform's notice of a job's end. */
  const notice = (key: string) =>
    memory.append([
      {
        key,
        account: "1",
        lane: "1",
        kind: "replay_finished",
        at: NOON,
        arrivedAt: NOON,
        source: "webhook",
        body: "{}",
      },
    ]);

  it("are repeated after pauses that double from 15 seconds up to ten minutes", async () => {
    answer = failing(new Error("no answer"));
    await runner.begin(window, "gap");
    await runner.step();
    const seconds = [15, 30, 60, 120, 240, 480, 600, 600];
    for (const [index, pause] of seconds.entries()) {
      expect(runner.current()).toMatchObject({
        attempts: index + 1,
        reason: "no answer",
        retryAt: clock.now() + pause * 1_000,
      });
      clock.advance(pause * 1_000 - 1);
      await runner.step();
      expect(paths).toHaveLength(index + 1);
      clock.advance(1);
      await runner.step();
      expect(paths).toHaveLength(index + 2);
    }
  });

  it("are repeated at once if the clock was set back, so that the pause would be too long", async () => {
    answer = failing(new Error("no answer"));
    await runner.begin(window, "gap");
    await runner.step();
    clock.advance(-16 * MINUTE + 15_000);
    await runner.step();
    expect(paths).toHaveLength(1);
    clock.advance(-1);
    await runner.step();
    expect(paths).toHaveLength(2);
  });

  it("wait until the webhook is registered", async () => {
    hook = undefined;
    await runner.begin(window, "gap");
    await runner.step();
    expect(runner.current()).toMatchObject({ attempts: 0, askedAt: 0 });
    hook = "hook";
    await runner.step();

    expect(paths).toEqual(["start"]);
  });

  it("use the newer path if the platform refuses the documented one", async () => {
    answer = () => {
      if (paths.length === 1) throw refused(404);
    };
    await runner.begin(window, "gap");

    expect(await runner.step()).toBeUndefined();
    expect(paths).toEqual(["start", "startJob"]);
    // The runner repeats requests itself: a repetition by the client would conflict with the job that it began.
    const request = { webhookId: "hook", from: new Date(window.from), to: new Date(window.to) };
    expect(sent).toEqual([
      { ...request, retry: false },
      { ...request, retry: false },
    ]);
    expect(runner.current()).toMatchObject({ jobId: "job2", attempts: 1 });
  });

  it("end if the platform refuses both paths, until the outcome is on disk", async () => {
    answer = failing(refused(403));
    await runner.begin(window, "gap");
    const ended = await runner.step();

    expect(ended).toMatchObject({ job: window, outcome: "refused", reason: "refused" });
    expect(await runner.step()).toBe(ended);
    expect(paths).toHaveLength(2);
    await runner.forget();
    expect(await runner.step()).toBeUndefined();
    expect(runner.current()).toBeUndefined();
  });

  it("end when the platform no longer replays the job's time", async () => {
    await runner.begin(window, "gap");
    clock.advance(24 * 60 * MINUTE - 90 * MINUTE);
    expect(await runner.step()).toBeUndefined();
    expect(paths).toHaveLength(1);

    clock.advance(MINUTE);
    answer = failing(new Error("no answer"));
    clock.advance(15 * MINUTE);
    expect(await runner.step()).toMatchObject({ outcome: "too-old" });
    expect(paths).toHaveLength(1);
  });

  it("end with the platform's notice that the job is complete", async () => {
    await runner.begin(window, "gap");
    await runner.step();
    expect(await runner.step()).toBeUndefined();
    await notice("replay:job2:Complete");
    expect(await runner.step()).toBeUndefined();
    await notice("replay:job1:Complete");

    expect(await runner.step()).toMatchObject({ job: window, outcome: "complete" });
    expect(paths).toHaveLength(1);
  });

  it("are repeated if the job is incomplete, or if its end is not reported within 15 minutes", async () => {
    await runner.begin(window, "gap");
    await runner.step();
    await notice("replay:job1:Incomplete");
    expect(await runner.step()).toBeUndefined();
    expect(runner.current()).not.toHaveProperty("jobId");
    expect(runner.current()?.reason).toBe("the platform could not deliver all of it");
    clock.advance(15_000);
    await runner.step();
    expect(runner.current()).toMatchObject({ jobId: "job2" });
    expect(runner.current()).not.toHaveProperty("reason");
    expect(runner.current()).not.toHaveProperty("retryAt");

    clock.advance(15 * MINUTE - 1);
    await runner.step();
    expect(runner.current()).toMatchObject({ jobId: "job2" });
    clock.advance(1);
    await runner.step();
    expect(runner.current()?.reason).toBe("its end was not told");
    clock.advance(30_000);
    await runner.step();
    expect(paths).toHaveLength(3);
  });

  it("are stored before they are sent, so that a killed process repeats them", async () => {
    let stored: unknown;
    answer = () => void (stored = runner.current());
    await runner.begin(window, "gap");
    await runner.step();

    expect(stored).toEqual({ ...window, by: "gap", accounts: ["1"], askedAt: NOON, attempts: 1 });
  });
});
