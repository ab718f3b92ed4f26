import { expect, it } from "vitest";
import { undecidedCount } from "../../../src/host/health/undecided.ts";

/** Creates a counter of undecided events. The test resolves its queries of the store, and moves its clock. */
function counted() {
  const pending: ((count: number | Error) => void)[] = [];
  const errors: unknown[] = [];
  let now = 0;
  const count = undecidedCount({
    stats: () =>
      new Promise((resolve, reject) => {
        pending.push((inbox) =>
          inbox instanceof Error
            ? reject(inbox)
            : resolve({ inbox: inbox + 5, paused: 2, runs: { ready: 3, waiting: 0 } }),
        );
      }),
    onError: (error) => errors.push(error),
    now: () => now,
  });
  const answer = async (inbox: number | Error): Promise<void> => {
    pending.at(-1)?.(inbox);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { count, pending, errors, answer, pass: (ms: number) => void (now += ms) };
}

it("returns the latest count without waiting for the store", async () => {
  const { count, answer } = counted();

  expect(count()).toBe(0);
  await answer(7);
  expect(count()).toBe(7);
});

it("queries the store at most four times a second, one query at a time, and only on request", async () => {
  const { count, pending, answer, pass } = counted();
  for (let i = 0; i < 100; i++) count();
  expect(pending).toHaveLength(1);

  await answer(7);
  pass(249);
  count();
  expect(pending).toHaveLength(1);
  pass(1);
  count();
  count();
  expect(pending).toHaveLength(2);
});

it("does not keep an old count, so that a flood ends with a quiet time", async () => {
  const { count, answer, pass } = counted();
  count();
  await answer(50_000);
  pass(5_000);

  expect(count()).toBe(0);
});

it("reports a store that returns no count, and queries it again", async () => {
  const { count, pending, errors, answer } = counted();
  count();
  await answer(new Error("the disk failed"));

  expect(errors).toEqual([new Error("the disk failed")]);
  count();
  expect(pending).toHaveLength(2);
});
