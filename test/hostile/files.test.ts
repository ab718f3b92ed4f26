import { expect, it } from "vitest";
import { seedFrom } from "../support/fixed-seeds.ts";
import { hostileFiles } from "./files.ts";

/** Seed of the test; for another one: HOSTILE_SEED=7 npx vitest run test/hostile/files.test.ts */
const SEED = seedFrom("HOSTILE_SEED");
const FILES = 60;

it(`hostile projects and backups are neither shown nor run, and change nothing outside: seed ${SEED}`, async () => {
  const notes: string[] = [];
  const figures = await hostileFiles({
    files: FILES,
    seed: SEED,
    say: (line) => void notes.push(line),
  });
  expect(figures, notes.join("\n")).toEqual({ tried: FILES, escaped: 0, printed: 0, executed: 0 });
});
