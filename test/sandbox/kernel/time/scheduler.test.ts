import { describe, expect, it } from "vitest";
import { SandboxClock } from "../../../../src/sandbox/kernel/time/sandbox-clock.ts";
import { Scheduler } from "../../../../src/sandbox/kernel/time/scheduler.ts";

/** Creates a scheduler on a frozen clock at 0, with records of the executed work and of errors. */
function frozenScheduler() {
  const clock = new SandboxClock(() => 0);
  clock.set(0, true);
  const errors: unknown[] = [];
  const scheduler = new Scheduler(clock, (error) => errors.push(error));
  const ran: [name: string, at: number][] = [];
  const run = (name: string) => async (): Promise<void> => void ran.push([name, clock.now()]);
  return { scheduler, errors, ran, run };
}

describe("moving the clock", () => {
  it("runs due work in the order of time, then of scheduling", async () => {
    const { scheduler, ran, run } = frozenScheduler();
    scheduler.at(20, run("late"));
    scheduler.at(10, run("early"));
    scheduler.at(10, run("early too"));
    scheduler.at(31, run("not due"));

    const { now, frozen } = await scheduler.move({ advance: 30 });

    expect(ran).toEqual([
      ["early", 10],
      ["early too", 10],
      ["late", 20],
    ]);
    expect([Date.parse(now), frozen]).toEqual([30, true]);
  });

  it("runs work for the end of a move (atRest) only there, once", async () => {
    const { scheduler, ran, run } = frozenScheduler();
    scheduler.at(20, run("on the way"));
    scheduler.atRest(10, run("passed"));
    scheduler.atRest(31, run("not due"));

    await scheduler.move({ advance: 30 });
    await scheduler.idle();

    expect(ran).toEqual([
      ["on the way", 20],
      ["passed", 30],
    ]);
    expect(scheduler.nextAt()).toBeUndefined();
    scheduler.at(40, run("next"));
    expect(scheduler.nextAt()).toBe(40);
  });

  it("runs work that other work schedules, if it is due, too", async () => {
    const { scheduler, ran, run } = frozenScheduler();
    scheduler.at(5, async () => void scheduler.at(8, run("second")));

    await scheduler.move({ set: 10 });

    expect(ran).toEqual([["second", 8]]);
  });

  it("back runs nothing, and keeps the time until scheduled work", async () => {
    const { scheduler, ran, run } = frozenScheduler();
    await scheduler.move({ set: 100 });
    scheduler.at(110, run("in ten"));

    await scheduler.move({ set: 50 });
    expect(ran).toEqual([]);
    await scheduler.move({ advance: 10 });

    expect(ran).toEqual([["in ten", 60]]);
  });

  it("back is remembered with a number, forth is not", async () => {
    const { scheduler } = frozenScheduler();
    await scheduler.move({ set: 100 });
    await scheduler.move({ set: 50 });
    await scheduler.move({ advance: 10 });
    await scheduler.move({ set: 20 });

    const iso = (at: number) => new Date(at).toISOString();
    expect(scheduler.clock.state().set_backs).toEqual([
      { n: 1, from: iso(100), to: iso(50) },
      { n: 2, from: iso(60), to: iso(20) },
    ]);
  });

  it("moves a ticking clock by exactly that time, however long the due work takes", async () => {
    let machine = 1_000;
    const scheduler = new Scheduler(new SandboxClock(() => machine), () => undefined);
    scheduler.at(2_000, async () => void (machine += 250));

    const { now, offset_ms } = await scheduler.move({ advance: 5_000 });

    expect([Date.parse(now), offset_ms]).toEqual([6_250, 5_000]);
  });

  it("lets a ticking clock tick during due work", async () => {
    let machine = 1_000;
    const clock = new SandboxClock(() => machine);
    const scheduler = new Scheduler(clock, () => undefined);
    let seen = 0;
    scheduler.at(2_000, async () => {
      machine += 250;
      seen = clock.now();
    });

    await scheduler.move({ advance: 5_000 });

    expect(seen).toBe(2_250);
  });

  it("goes on after work that failed, and reports it", async () => {
    const { scheduler, errors, ran, run } = frozenScheduler();
    const failure = new Error("failed");
    scheduler.at(1, () => Promise.reject(failure));
    scheduler.at(2, run("next"));

    await scheduler.move({ advance: 5 });

    expect([errors, ran]).toEqual([[failure], [["next", 2]]]);
  });
});

it("a cancelled or cleared task does not run", async () => {
  const { scheduler, ran, run } = frozenScheduler();
  const cancel = scheduler.at(1, run("cancelled"));
  cancel();
  scheduler.at(1, run("cleared"));
  scheduler.clear();

  await scheduler.move({ advance: 5 });

  expect(ran).toEqual([]);
});
