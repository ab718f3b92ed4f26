import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { array, assert, asyncProperty } from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seedFrom } from "../../support/fixed-seeds.ts";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";
import { faultOf } from "./reply-fault.ts";
import { type Draft, nameOf, request, ROUTES } from "./requests.ts";
import { type Reply, Sender } from "./send.ts";
import { type FuzzWorld, fuzzWorld } from "./fuzz-world.ts";

/** Seed of the test; for another seed: FUZZ_SEED=7 npx vitest run test/sandbox/fuzz */
const SEED = seedFrom("FUZZ_SEED");
const ROUNDS = 5;
const AT_ONCE = 20;
/** Number of requests; `npm run -s fuzz` sends more. */
const REQUESTS = Number(process.env["FUZZ_REQUESTS"] ?? 8_000);
const RUNS = Math.ceil(REQUESTS / ROUNDS / AT_ONCE);

let fixture: TestSandbox;
let sender: Sender;
beforeAll(async () => {
  fixture = await startTestSandbox();
  sender = new Sender();
});
afterAll(async () => {
  sender.close();
  await fixture.close();
});

it("answers any request in time and in the shape of its family, in flat memory", async () => {
  const reached = new Set<string>();
  const heaps: number[] = [];
  let sent = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const world = await freshWorld();
    const property = asyncProperty(
      array(request, { minLength: AT_ONCE, maxLength: AT_ONCE }),
      async (drafts) => {
        const replies = await Promise.all(drafts.map((draft) => sender.send(draft, world)));
        sent += drafts.length;
        for (const [n, draft] of drafts.entries()) {
          const reply = replies[n];
          if (reply === undefined) continue;
          if (passed(reply) && draft.route !== undefined) reached.add(draft.route);
          expect(faultOf(draft, reply), describeExchange(draft, reply)).toBeUndefined();
        }
      },
    );
    await assert(property, { numRuns: RUNS, seed: SEED + round, endOnFailure: true });
    await fixture.sandbox.reset();
    heaps.push(heapAfterCollection());
  }
  const [first = 0] = heaps;
  const last = heaps.at(-1) ?? 0;

  expect(sent).toBeGreaterThanOrEqual(REQUESTS);
  expect(ROUTES.map(nameOf).filter((name) => !reached.has(name))).toEqual([]);
  expect(last - first).toBeLessThan(40_000_000);
  expect(await fixture.sandbox.control.get("/health")).toMatchObject({ status: "ok" });
});

async function freshWorld(): Promise<FuzzWorld> {
  await fixture.sandbox.reset();
  return fuzzWorld(await restaged());
}

/** Returns the same sandbox with a new app, bot and person, since the reset has deleted the old objects. */
async function restaged(): Promise<TestSandbox> {
  const { control } = fixture.sandbox;
  const app = await control.app();
  const bot = await control.user("hello_bot");
  const person = await control.user("alice");
  await control.host("bot.example", fixture.target);
  fixture.answers.secret = app.consumer_secret;
  return { ...fixture, ...fixture.callersFor(app, bot), app, bot, person };
}

/** Whether a request was authenticated and permitted, so that its handler ran. */
function passed({ status }: Reply): boolean {
  return status !== 0 && ![401, 403, 405].includes(status);
}

function describeExchange(draft: Draft, reply: Reply): string {
  return JSON.stringify({
    ...draft,
    body: draft.body?.toString("latin1").slice(0, 300),
    reply: { ...reply, text: reply.text.slice(0, 500) },
  });
}

function heapAfterCollection(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  return process.memoryUsage().heapUsed;
}
