import { expect, it } from "vitest";
import { LONG_HANG_MS } from "../support/hang-limit.ts";
import { simulate } from "./simulate.ts";
import { story } from "./trace.ts";

/** Number of seeds; `npm run -s simulate` runs thousands. */
const SLICE = 60;
/** Seeds that once revealed a bug, such as an outcome that was stored too early. */
const FOUND_ONCE = [4846, 5024, 5633, 9726];

it("gives exactly the same trace for the same seed", async () => {
  const traces: string[] = [];
  for (const seed of [11, 12, 11, 12]) {
    const { trace } = await simulate({ seed, keepTrace: true });
    traces.push(JSON.stringify(trace));
  }

  expect(traces[0]?.length).toBeGreaterThan(1_000);
  expect(traces[2]).toBe(traces[0]);
  expect(traces[3]).toBe(traces[1]);
  expect(traces[1]).not.toBe(traces[0]);
});

it("gives the same result with and without a recorded trace", async () => {
  for (const seed of [21, 22, 23]) {
    const { trace, ...result } = await simulate({ seed, keepTrace: true });
    const { trace: none, ...bare } = await simulate({ seed });

    expect(trace.length).toBeGreaterThan(0);
    expect(none).toEqual([]);
    expect(bare).toEqual(result);
  }
});

it("puts the machine's time back", async () => {
  const globals = () => [
    setTimeout,
    setImmediate,
    Date,
    Object.getOwnPropertyDescriptor(performance, "now"),
    Object.getOwnPropertyDescriptor(Math, "random"),
  ];
  const before = globals();
  await simulate({ seed: 31 });

  expect(globals()).toEqual(before);
});

it(
  `finds nothing wrong in ${SLICE} seeds: crashes, faults of disk and network, jumps of the clock`,
  async () => {
    let crashes = 0;
    for (const seed of [...Array.from({ length: SLICE }, (_, n) => n + 1), ...FOUND_ONCE]) {
      const { problems, crashes: more, trace } = await simulate({ seed });
      crashes += more;
      if (problems.length === 0) continue;
      const again = await simulate({ seed, keepTrace: true });
      const people = problems.flatMap(({ person }) => person ?? []);
      const texts = problems.map(({ kind, text }) => `${kind}: ${text}`);
      expect.fail(
        [`seed ${seed} (${trace.length})`, ...texts, ...story(again.trace, people)].join("\n"),
      );
    }

    expect(crashes).toBeGreaterThan(SLICE / 10);
  },
  LONG_HANG_MS,
);
