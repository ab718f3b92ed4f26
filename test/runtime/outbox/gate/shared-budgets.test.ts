import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Use, Gate } from "../../../../src/runtime/outbox/gate/gate.ts";
import { SharedBudgets } from "../../../../src/runtime/outbox/gate/shared-budgets.ts";
import { SLICE_MS } from "../../../../src/runtime/outbox/gate/shared-window.ts";
import { messageOf } from "../../../../src/system/error-message.ts";
import { openMemoryStore } from "../../../../src/runtime/store/memory-store.ts";
import type { Store } from "../../../../src/runtime/store/store.ts";

const QUARTER = 15 * 60_000;
const SECOND = 1_000;

type Metas = Pick<Store, "getMeta" | "changeMetas">;

/**
 * Simulates how the platform counts the requests of one limit: in windows that begin with a request and are reported
 * (`tells`), or in a sliding window.
 */
class Platform {
  readonly limit: number;
  readonly tells: boolean;
  readonly times: number[] = [];
  refused = 0;
  #window = { from: -Infinity, count: 0 };

  constructor(limit: number, tells: boolean) {
    this.limit = limit;
    this.tells = tells;
  }

  /** Counts a request. @returns the rate-limit headers of its response; undefined if the platform reports no limit. */
  take(now: number): { limit: number; remaining: number; resetAt: number } | undefined {
    const isOver = now >= this.#window.from + QUARTER || now < this.#window.from;
    if (isOver) this.#window = { from: now, count: 0 };
    this.#window.count += 1;
    this.times.push(now);
    const most = this.tells ? this.#window.count : this.within(now);
    if (most > this.limit) this.refused += 1;
    if (!this.tells) return undefined;
    const remaining = Math.max(0, this.limit - this.#window.count);
    return { limit: this.limit, remaining, resetAt: this.#window.from + QUARTER };
  }

  within(now: number): number {
    return this.times.filter((at) => at > now - QUARTER && at <= now).length;
  }
}

/** A worker that sends through its own gate (rate limiter), with its requests in progress. */
class Worker {
  readonly gate: Gate;
  readonly shared: SharedBudgets;
  readonly errors: unknown[] = [];
  readonly #platform: Platform;
  readonly #now: () => number;
  readonly #underWay: (() => void)[] = [];
  readonly #reserved: (() => void)[] = [];
  readonly #use: Use;

  constructor(name: string, store: Metas, platform: Platform, now: () => number) {
    this.#platform = platform;
    this.#now = now;
    this.shared = new SharedBudgets({
      store,
      worker: name,
      now,
      onError: (error) => this.errors.push(error),
    });
    this.gate = new Gate({
      now,
      shared: this.shared,
      onTrouble: () => {},
      onSolved: () => {},
    });
    this.#use = {
      account: "100",
      endpoint: "POST /2/posts",
      limits: [{ limit: platform.limit, windowMs: QUARTER, per: "account" }],
    };
  }

  /** Sends one request if the worker's gate (its rate limiter) allows the request. */
  send(): boolean {
    if (this.ask() !== "go") return false;
    const ended = this.gate.begin(this.#use);
    const window = this.#platform.take(this.#now());
    const rest = { appDay: undefined, userDay: undefined, account: undefined };
    const reportedLimits = { endpoint: this.#use.endpoint, window, ...rest };
    this.#underWay.push(() => ended({ kind: "answered", reason: "", reportedLimits }));
    return true;
  }

  /** Asks for permission for a request, and begins it without sending it. */
  reserve(): void {
    if (this.ask() !== "go") return;
    const ended = this.gate.begin(this.#use);
    this.#reserved.push(() => ended({ kind: "untried", reason: "held" }));
  }

  /** Ends the begun requests that were not sent. */
  spare(): void {
    for (const end of this.#reserved.splice(0)) end();
  }

  ask(): string {
    return this.gate.ask(this.#use).kind;
  }

  /** Asks the gate for permission without sending, so that the worker requests a share of the limit. */
  async askForShare(): Promise<string> {
    return (await this.gate.askForShare(this.#use)).kind;
  }

  /** Answers one of the requests in progress. */
  answer(index = 0): void {
    const [come] = this.#underWay.splice(index % Math.max(1, this.#underWay.length), 1);
    come?.();
  }

  answerAll(): void {
    while (this.#underWay.length > 0) this.answer();
  }
}

let store: Store;
beforeEach(() => {
  store = openMemoryStore();
});
afterEach(() => store.close());

/** Creates workers with one store and one platform, on a clock that the test moves. */
function workers(platform: Platform, count = 3) {
  let now = 1_000_000_000;
  const all = Array.from(
    { length: count },
    (_, n) => new Worker(`w${n}`, store, platform, () => now),
  );
  return {
    all,
    now: () => now,
    setBack(this: void, ms: number): void {
      now -= ms;
    },
    /**
     * Advances the clock second by second. In each second, the workers in `looking` synchronize twice, and `then` is
     * called after each time.
     */
    async seconds(this: void, of: number, looking: readonly Worker[], then: () => void = () => {}) {
      for (let n = 0; n < of; n++) {
        now += SECOND;
        for (const worker of looking) await worker.shared.look();
        then();
        for (const worker of looking) await worker.shared.look();
        then();
      }
    },
  };
}

const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reserve" as const), worker: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("spare" as const), worker: fc.nat(2) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("send" as const), worker: fc.nat(2) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      worker: fc.nat(2),
      index: fc.nat(5),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("look" as const), worker: fc.nat(2) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("store" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.integer({ max: 7_000, min: 1 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.integer({ max: 2 * QUARTER, min: 60_000 }),
    }),
  },
  {
    weight: 1,
    // at most one of the three workers dies, so two go on
    arbitrary: fc.record({ do: fc.constant("die" as const), worker: fc.constant(2) }),
  },
);

describe("limits that several workers spend", () => {
  it.each([
    { tells: true, fails: "never", why: "the platform tells what is left" },
    { tells: false, fails: "never", why: "it tells nothing, and requests are counted" },
    { tells: true, fails: "sometimes", why: "the platform tells what is left" },
    { tells: false, fails: "sometimes", why: "it tells nothing, and requests are counted" },
  ])(
    "are never exceeded, in any order of the workers' requests: $why, and the store $fails fails",
    async ({ tells, fails }) => {
      const numRuns = 150;
      let sent = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 60, maxLength: 160, size: "max" }),
          fc.constantFrom(1, 3, 9),
          fc.scheduler(),
          fc.infiniteStream(fc.integer({ min: 0, max: 7 })),
          async (steps, limit, s, draws) => {
            const shared = openMemoryStore();
            /** Fails before the call, or after it: then the outcome is unknown to the worker. */
            const unsteady = async <T>(call: () => Promise<T>): Promise<T> => {
              await s.schedule(Promise.resolve());
              const draw = fails === "never" ? 7 : draws.next().value;
              if (draw === 0) throw new Error("the disk failed");
              const result = await call();
              if (draw === 1) throw new Error("the disk failed");
              return result;
            };
            const slow: Metas = {
              getMeta: (name) => unsteady(() => shared.getMeta(name)),
              changeMetas: (changes) => unsteady(() => shared.changeMetas(changes)),
            };
            const platform = new Platform(limit, tells);
            let now = 1_000_000_000;
            const all = [0, 1, 2].map((n) => new Worker(`w${n}`, slow, platform, () => now));
            const dead = new Set<number>();
            const looks: Promise<void>[] = [];
            for (const one of steps) {
              const worker = "worker" in one && !dead.has(one.worker) ? all[one.worker] : undefined;
              if (one.do === "wait") now += one.ms;
              for (let n = 0; one.do === "store" && n < 8; n++) {
                // Lets all requests reach the store before one of them is answered.
                await new Promise(setImmediate);
                if (s.count() > 0) await s.waitOne();
              }
              for (let n = 0; one.do === "send" && n < 3; n++) worker?.send();
              if (one.do === "reserve") worker?.reserve();
              if (one.do === "spare") worker?.spare();
              if (one.do === "answer") worker?.answer(one.index);
              if (one.do === "look" && worker !== undefined)
                looks.push(
                  worker.shared.look().catch((error: unknown) => void worker.errors.push(error)),
                );
              if (one.do === "die") dead.add(one.worker);
            }
            await s.waitFor(Promise.all(looks));
            // Waits for the remaining requests to the store before closing it.
            await s.waitIdle();

            sent += platform.times.length;
            expect(platform.refused).toBe(0);
            const errors = all.flatMap((worker) => worker.errors.map(messageOf));
            const possible = fails === "never" ? [] : ["the disk failed"];
            expect(errors.filter((error) => !possible.includes(error))).toEqual([]);
            await shared.close();
          },
        ),
        { numRuns },
      );
      expect(sent).toBeGreaterThan(numRuns);
    },
  );

  it.each([{ limit: 1 }, { limit: 15 }, { limit: 60 }, { limit: 900 }])(
    "leave nothing of $limit unused for longer than a slice lives, while somebody waits",
    async ({ limit }) => {
      const platform = new Platform(limit, true);
      const { all, seconds } = workers(platform);
      const [one, ...others] = all;
      // all workers know the limit, and each holds a slice (a part of the limit that it may use)
      for (let n = 0; n < 3; n++) await seconds(1, all, () => all.forEach((each) => each.ask()));
      await seconds(SLICE_MS / SECOND + 2, all, () => {
        for (let n = 0; n < 1_000 && one?.send() === true; n++);
        one?.answerAll();
      });
      // small slices are used one after the other, and each needs a request to the store
      await seconds(limit / 2, all, () => {
        for (let n = 0; n < 1_000 && one?.send() === true; n++);
        one?.answerAll();
      });

      expect(platform.times).toHaveLength(limit);
      expect(platform.refused).toBe(0);
      expect(one?.ask()).toBe("wait");
      for (const other of others) expect(other.ask()).toBe("wait");
    },
  );

  it("count no request that was not sent", async () => {
    const platform = new Platform(15, true);
    const { all, seconds } = workers(platform);
    const [one] = all;
    await seconds(60, all, () => {
      for (let n = 0; n < 5; n++) one?.reserve();
      one?.spare();
      one?.send();
      one?.answerAll();
    });

    expect(platform.times).toHaveLength(15);
    expect(platform.refused).toBe(0);
  });

  it("are shared by all workers that send at the same time", async () => {
    const platform = new Platform(60, true);
    const { all, seconds } = workers(platform);
    const sent = [0, 0, 0];
    await seconds(60, all, () =>
      all.forEach((worker, n) => {
        for (let tries = 0; tries < 3 && worker.send(); tries++) sent[n] = (sent[n] ?? 0) + 1;
        worker.answerAll();
      }),
    );

    expect(platform.times).toHaveLength(60);
    for (const each of sent) expect(each).toBeGreaterThan(5);
  });

  it("are exhausted for all workers as soon as one of them learns it from the platform", async () => {
    const platform = new Platform(60, true);
    const { all, now, seconds } = workers(platform);
    const [one, other] = all;
    await seconds(2, all, () => {
      one?.send();
      one?.answerAll();
    });
    await seconds(3, all, () => [one?.ask(), other?.ask()]);
    expect([one?.ask(), other?.ask()]).toEqual(["go", "go"]);
    // A client outside these workers uses up the limit.
    while (platform.times.length < 60) platform.take(now());
    one?.send();
    one?.answerAll();
    await seconds(1, all);

    expect(other?.ask()).toBe("wait");
    expect(one?.gate.budgets()).toEqual(other?.gate.budgets());
    expect(one?.gate.budgets()).toMatchObject([{ limit: 60, remaining: 0 }]);
  });

  it("are probed by one worker at a time, until a response reports the remaining quota", async () => {
    const platform = new Platform(15, true);
    platform.take(1_000_000_000);
    const { all, seconds } = workers(platform);
    await seconds(1, all, () => all.forEach((each) => each.send()));
    await seconds(3, all, () => all.forEach((each) => each.send()));
    expect(platform.times).toHaveLength(2);

    await seconds(1, all, () => all.forEach((each) => each.answerAll()));
    await seconds(30, all, () => {
      for (const each of all) {
        each.send();
        each.answerAll();
      }
    });
    expect(platform.times).toHaveLength(15);
  });

  it("get back the share of a dead worker, once the platform reports that it was not used", async () => {
    const platform = new Platform(60, true);
    const { all, seconds } = workers(platform);
    const [one, dying] = all;
    await seconds(2, all, () => {
      one?.send();
      one?.answerAll();
    });
    await seconds(1, all, () => dying?.ask());
    expect(dying?.ask()).toBe("go");
    const living = all.filter((worker) => worker !== dying);
    const sending = () => {
      one?.send();
      one?.answerAll();
    };
    await seconds(SLICE_MS / SECOND + 32, living);
    await seconds(60, living, sending);

    expect(platform.times).toHaveLength(60);
    expect(platform.refused).toBe(0);
  });

  it.each([
    { tells: true, why: "the platform tells what is left" },
    { tells: false, why: "it tells nothing" },
  ])(
    "count for a window at most what was used before the clock was set back: $why",
    async ({ tells }) => {
      const platform = new Platform(15, tells);
      const { all, seconds, setBack } = workers(platform, 2);
      const [one] = all;
      const sending = () => {
        one?.send();
        one?.answerAll();
      };
      await seconds(30, all, sending);
      expect(platform.times).toHaveLength(15);

      setBack(20 * QUARTER);
      await seconds(QUARTER / SECOND + 30, all, sending);
      expect(platform.times.length).toBeGreaterThan(15);
      expect(platform.refused).toBe(0);
    },
  );

  it("are given back by a worker that stops", async () => {
    const platform = new Platform(15, true);
    const { all, seconds } = workers(platform, 2);
    const [one, other] = all;
    await seconds(2, all, () => {
      one?.send();
      one?.answerAll();
    });
    await seconds(1, all, () => one?.ask());
    expect(one?.ask()).toBe("go");
    await one?.shared.close();
    expect(one?.ask()).not.toBe("go");

    await seconds(15, other === undefined ? [] : [other], () => {
      other?.send();
      other?.answerAll();
    });
    expect(platform.times).toHaveLength(15);
  });

  it("are exhausted for all workers also if the store fails when one of them learns it", async () => {
    const platform = new Platform(60, true);
    const { all, now, seconds } = workers(platform);
    const [one, other] = all;
    await seconds(2, all, () => {
      one?.send();
      one?.answerAll();
    });
    await seconds(3, all, () => [one?.ask(), other?.ask()]);
    while (platform.times.length < 60) platform.take(now());
    const change = vi.spyOn(store, "changeMetas").mockRejectedValue(new Error("the disk failed"));
    one?.send();
    one?.answerAll();
    await expect(one?.shared.look()).rejects.toThrow("the disk failed");
    change.mockRestore();
    await seconds(1, all);

    expect(other?.ask()).toBe("wait");
  });

  it("lose no unused requests if the store fails when they are given back", async () => {
    const platform = new Platform(60, true);
    const { all, seconds } = workers(platform, 2);
    const [one, other] = all;
    await seconds(2, all, () => {
      one?.send();
      one?.answerAll();
    });
    await seconds(1, all, () => one?.ask());
    expect(one?.ask()).toBe("go");
    await seconds(SLICE_MS / SECOND, []);
    const change = vi.spyOn(store, "changeMetas").mockRejectedValue(new Error("the disk failed"));
    await expect(one?.shared.look()).rejects.toThrow("the disk failed");
    change.mockRestore();

    await seconds(60, all, () => {
      other?.send();
      other?.answerAll();
    });
    expect(platform.times).toHaveLength(60);
  });

  it("are granted together or not at all if a request needs several", async () => {
    const now = 1_000_000_000;
    const limits = [
      { limit: 1, windowMs: QUARTER, per: "account" },
      { limit: 1, windowMs: 2 * QUARTER, per: "app" },
    ] as const;
    const use: Use = { account: "100", endpoint: "POST /2/posts", limits };
    const budgets = ["w0", "w1"].map((worker) => {
      const needs = { store, worker, now: () => now, onError: () => {} };
      const shared = new SharedBudgets(needs);
      const quiet = { onTrouble: () => {}, onSolved: () => {} };
      return { shared, gate: new Gate({ now: () => now, shared, ...quiet }) };
    });
    for (const { gate } of budgets) gate.ask(use);
    for (const { shared } of budgets) await shared.look();

    expect(budgets.map(({ gate }) => gate.ask(use).kind).sort()).toEqual(["busy", "go"]);
  });

  it.each([{ failing: "no call" }, { failing: "some calls" }])(
    "answer every request that waits for a share, with $failing of the store failing",
    async ({ failing }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom("request", "look", "store", "second"), {
            minLength: 20,
            maxLength: 80,
            size: "max",
          }),
          fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
          fc.scheduler(),
          async (steps, draws, s) => {
            const memory = openMemoryStore();
            let isFailing = failing === "some calls";
            const call = async <T>(done: () => Promise<T>): Promise<T> => {
              await s.schedule(Promise.resolve());
              if (isFailing && draws.next().value === 0) throw new Error("the disk failed");
              return done();
            };
            const slow: Metas = {
              getMeta: (name) => call(() => memory.getMeta(name)),
              changeMetas: (changes) => call(() => memory.changeMetas(changes)),
            };
            let now = 1_000_000_000;
            const worker = new Worker("w", slow, new Platform(3, true), () => now);
            let waiting = 0;
            const looks: Promise<unknown>[] = [];
            for (const step of steps) {
              if (step === "second") now += SECOND;
              if (step === "look") looks.push(worker.shared.look().catch(() => {}));
              if (step === "request") {
                waiting += 1;
                void worker.askForShare().then(() => (waiting -= 1));
              }
              if (step !== "store") continue;
              for (let n = 0; n < 3; n++) {
                await new Promise(setImmediate);
                if (s.count() > 0) await s.waitOne();
              }
            }
            isFailing = false;
            await s.waitFor(Promise.all([...looks, worker.shared.look()]));
            await s.waitFor(worker.shared.look());

            expect(waiting).toBe(0);
            await memory.close();
          },
        ),
        { numRuns: 300 },
      );
    },
  );

  it("cost one read each ten seconds while there is nothing to send, and later none", async () => {
    const calls: string[] = [];
    const watched: Metas = {
      getMeta: (name) => (calls.push("get"), store.getMeta(name)),
      changeMetas: (changes) => (calls.push("change"), store.changeMetas(changes)),
    };
    const platform = new Platform(900, true);
    let now = 1_000_000_000;
    const worker = new Worker("w", watched, platform, () => now);
    const second = async () => {
      now += SECOND;
      await worker.shared.look();
      while (platform.times.length < 100 && worker.send());
      worker.answerAll();
    };
    for (let n = 0; n < 20; n++) await second();
    expect(platform.times).toHaveLength(100);
    const { length } = calls.filter((one) => one === "change");
    expect(length).toBeLessThan(12);
    calls.length = 0;
    for (let n = 0; n < 20; n++) await second();

    expect(calls).toEqual(["get", "get"]);
    for (let n = 0; n < 60; n++) await worker.shared.look().then(() => (now += SECOND));
    calls.length = 0;
    await worker.shared.look();

    expect(calls).toEqual([]);
  });
});
