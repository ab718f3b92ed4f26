import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type ReplayRunnerNeeds,
  ReplayRunner,
} from "../../../../src/runtime/catchup/replay/replay-runner.ts";
import { openLog } from "../../../../src/runtime/log.ts";
import type { Store } from "../../../../src/runtime/store/store.ts";
import { world, type World } from "../../../client/support/world.ts";
import { handClock } from "../../../support/hand-clock.ts";
import { folderPlace } from "../../store/place.ts";

const MINUTE = 60_000;

let here: World;
let place: Awaited<ReturnType<typeof folderPlace>>;
let store: Store;
let webhookId: string;
let now: number;
let subscribed: readonly string[];

beforeEach(async () => {
  here = await world();
  place = await folderPlace();
  store = await place.open();
  ({ id: webhookId } = await here.appOnly.webhooks.create("https://bot.example/webhook"));
  now = Date.parse((await here.sandbox.control.clock()).now);
  subscribed = ["1"];
});
afterEach(async () => {
  await store.close();
  await place.remove();
  await here.close();
});

function opened(more: Partial<ReplayRunnerNeeds> = {}): ReplayRunner {
  return new ReplayRunner({
    replay: here.appOnly.replay,
    webhookId: () => webhookId,
    subscribed: () => subscribed,
    store,
    clock: handClock(now),
    log: openLog({ level: "silent" }),
    onUnreachable: () => {},
    ...more,
  });
}

describe("a replay job", () => {
  it("brings events of the accounts subscribed at its request, also after a restart", async () => {
    const runner = opened();
    await runner.begin({ from: now - 90 * MINUTE, to: now - 60 * MINUTE }, "gap");
    expect(runner.current()).not.toHaveProperty("accounts");
    await runner.step();
    subscribed = ["1", "2"];
    await runner.step();
    const after = opened();
    await after.resume();

    expect(runner.current()).toMatchObject({ accounts: ["1"], jobId: expect.any(String) });
    expect(after.current()).toEqual(runner.current());
  });

  it("is dropped when the clock is set back into its period", async () => {
    const runner = opened();
    const window = { from: now - 90 * MINUTE, to: now - 60 * MINUTE };
    await runner.begin(window, "gap");
    await runner.step();
    await runner.setBack(window.to);
    expect(runner.current()).toMatchObject(window);

    await runner.setBack(window.to - MINUTE);
    expect(runner.current()).toBeUndefined();
    await runner.begin(window, "hand");
    await opened().setBack(window.from);
    const after = opened();
    await after.resume();
    expect(after.current()).toMatchObject({ ...window, reason: "the clock was set back" });
  });

  it("does not count as complete for an account that has left since, even if the account is back", async () => {
    const runner = opened();
    subscribed = ["1", "2"];
    await runner.begin({ from: now - 90 * MINUTE, to: now - 60 * MINUTE }, "gap");
    await runner.step();
    await runner.leave("2");
    await runner.leave("3");

    expect(runner.current()?.accounts).toEqual(["1"]);
  });

  it("is expected to end relative to its start, even if notifying all processes took long", async () => {
    const clock = handClock(now);
    const announced = async (): Promise<void> => clock.advance(60 * MINUTE);
    const runner = opened({ clock, announced });
    await runner.begin({ from: now - 90 * MINUTE, to: now - 60 * MINUTE }, "gap");
    await runner.step();
    const { jobId } = runner.current() ?? {};
    await runner.step();

    expect(jobId).toEqual(expect.any(String));
    expect(runner.current()).toMatchObject({ jobId, askedAt: now + 60 * MINUTE });
  });

  it("reports each refusal because of an unreachable webhook, and no other refusal", async () => {
    const clock = handClock(now);
    const reasons: string[] = [];
    const runner = opened({ clock, onUnreachable: (reason) => reasons.push(reason) });
    await here.sandbox.control.host("bot.example", "http://127.0.0.1:9");
    await runner.begin({ from: now - 90 * MINUTE, to: now - 60 * MINUTE }, "gap");
    await runner.step();
    clock.advance(10 * MINUTE);
    await runner.step();
    expect(reasons).toEqual(Array(2).fill(expect.stringContaining("CrcValidationFailed")));

    const match = { direction: "request", method: "POST", path: "/2/*/replay*" };
    for (const status of [429, 503]) {
      const fault = { type: "status", status };
      await here.sandbox.control.post("/faults", { match, fault, when: { next: 1 } });
      clock.advance(20 * MINUTE);
      await runner.step();
    }
    expect(runner.current()?.attempts).toBe(4);
    expect(reasons).toHaveLength(2);
  });

  it("is requested again only when its rate limit ends, up to 15 minutes later", async () => {
    const clock = handClock(now);
    const requests: number[] = [];
    const { replay } = here.appOnly;
    const start: typeof replay.start = (...args) => {
      requests.push((clock.now() - now) / MINUTE);
      return replay.start(...args);
    };
    const match = { direction: "request", method: "POST", path: "/2/*/replay*" };
    const fault = { type: "limit" };
    await here.sandbox.control.post("/faults", { match, fault, when: { always: true } });
    const runner = opened({ clock, replay: { start, startJob: start } });
    await runner.begin({ from: now - 90 * MINUTE, to: now - 60 * MINUTE }, "gap");
    for (let minute = 0; minute < 17; minute++) {
      await runner.step();
      clock.advance(MINUTE);
    }

    expect(requests.filter((minute) => minute < 15)).toEqual([0]);
    expect(requests).toHaveLength(2);
  });

  it("stays dropped if its request fails after the clock was set back into its period", async () => {
    const window = { from: now - 90 * MINUTE, to: now - 60 * MINUTE };
    let runner: ReplayRunner;
    const start = async (): Promise<never> => {
      await runner.setBack(window.from);
      throw new Error("the connection broke");
    };
    runner = opened({ replay: { start, startJob: start } });
    await runner.begin(window, "gap");
    await runner.step();

    expect(runner.current()).toBeUndefined();
  });
});
