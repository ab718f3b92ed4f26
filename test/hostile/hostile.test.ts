import { expect, it } from "vitest";
import { seedFrom } from "../support/fixed-seeds.ts";
import { hostile } from "./hostile.ts";

/** Seed of the test; for another one: HOSTILE_SEED=7 npx vitest run test/hostile */
const SEED = seedFrom("HOSTILE_SEED");
const REQUESTS = 3_000;

it(`a bot takes every signed delivery while strangers do what they can: seed ${SEED}`, async () => {
  const notes: string[] = [];
  const figures = await hostile({
    requests: REQUESTS,
    seed: SEED,
    say: (line) => void notes.push(line),
  });

  expect(figures.requests).toBeGreaterThanOrEqual(REQUESTS);
  expect(figures.signed_sent).toBeGreaterThan(0);
  expect(figures.signed_taken, notes.join("\n")).toBe(figures.signed_sent);
  expect(figures).toMatchObject({ journaled: 0, exit_code: 0 });
  expect(figures.log_bytes).toBeLessThan(20_000);
});
