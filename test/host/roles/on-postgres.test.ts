import { afterEach, beforeEach, expect, it } from "vitest";
import { LONG_HANG_MS } from "../../support/hang-limit.ts";
import type { Runtime } from "../../../src/host/open.ts";
import { postgresPlace } from "../../runtime/store/postgres-place.ts";
import { botProcesses, type BotProcesses, leadersBy } from "./processes.ts";

const WAIT = { interval: 50 };
/** Handles of people, few enough that the answers to their messages stay below the platform's limit for one account. */
const PEOPLE = Array.from({ length: 7 }, (_, n) => `person_${n}`);
/** Number of outbox queries between two steps of the clock, so that a worker has time for its own requests. */
const LOOKS_A_STEP = 20;

let place: Awaited<ReturnType<typeof postgresPlace>>;
let here: BotProcesses;
beforeEach(async () => {
  place = await postgresPlace();
  await (await place.open()).close();
  here = await botProcesses({ url: place.url });
});
afterEach(async () => {
  await here.close();
  await place.remove();
});

const partitionsOf = async (runtime: Runtime): Promise<number> =>
  (await runtime.status()).work.partitions;

it(
  "two receivers and two workers answer each person once, while the leader changes",
  async () => {
    const first = await here.start("w1", { role: "worker", text: "From the leader" });
    const second = await here.start("w2", { role: "worker", text: "From the other" });
    await here.start("r1", { role: "receiver" });
    const receiver = await here.start("r2", { role: "receiver" });
    await expect.poll(() => partitionsOf(second), WAIT).toBeGreaterThan(0);
    await expect.poll(async () => (await receiver.status()).missing, WAIT).toEqual([]);
    await expect
      .poll(async () => (await receiver.status()).accounts[0]?.subscribed, WAIT)
      .toBe(true);
    for (const person of PEOPLE) await here.say(person, "one");
    await expect
      .poll(async () => (await receiver.outbox({ status: "sent", limit: 100 })).length, WAIT)
      .toBe(PEOPLE.length);
    const answers = await receiver.outbox({ limit: 100 });
    expect(new Set(answers.map(({ action }) => JSON.stringify(action)))).toSatisfy(
      (all: ReadonlySet<string>) => [...all].every((one) => one.includes("From the leader")),
    );

    const [leader, other] =
      (await leadersBy(receiver))[0] === "w1" ? [first, second] : [second, first];
    await leader.stop();
    for (const person of PEOPLE) await here.say(person, "two");
    await expect
      .poll(async () => (await receiver.outbox({ status: "sent", limit: 100 })).length, WAIT)
      .toBe(2 * PEOPLE.length);
    await expect.poll(async () => (await leadersBy(other)).length, WAIT).toBe(1);
    await expect.poll(async () => (await other.status()).webhook.valid, WAIT).toBe(true);

    expect((await receiver.outbox({ limit: 100 })).length).toBe(2 * PEOPLE.length);
  },
  LONG_HANG_MS,
);

it("reads the outcome of an answer from the platform, however fast the platform's clock runs", async () => {
  const worker = await here.start("w1", { role: "worker" });
  const receiver = await here.start("r1", { role: "receiver" });
  await expect.poll(async () => (await receiver.status()).missing, WAIT).toEqual([]);
  await here.sandbox.control.post("/faults", {
    match: { direction: "request", method: "POST", path: "/2/dm_conversations/*" },
    fault: { type: "cut" },
    when: { next: 1 },
  });
  await here.say("ana", "one");
  await expect.poll(() => worker.outbox({ status: "unknown" }), WAIT).toHaveLength(1);

  // A worker's quota share expires after five seconds of the platform's clock, which moves only by these steps.
  let steps = 0;
  for (let looks = 1; (await worker.outbox({ status: "sent" })).length === 0; looks += 1) {
    if (looks % LOOKS_A_STEP !== 0) continue;
    await here.sandbox.control.advance(5_000);
    steps += 1;
    expect(steps).toBeLessThan(100);
  }
});
