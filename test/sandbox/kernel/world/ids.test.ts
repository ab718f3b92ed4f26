import { expect, it, test } from "vitest";
import { compareIds, IdSequence } from "../../../../src/sandbox/kernel/world/ids.ts";

const AT = Date.UTC(2026, 0, 1);

it("ids rise strictly within a millisecond and when the clock goes back", () => {
  let now = AT;
  const ids = new IdSequence(
    () => now,
    "0",
    () => undefined,
  );
  const created = [ids.next(), ids.next()];
  now -= 60_000;
  created.push(ids.next());

  expect([...created].sort(compareIds)).toEqual(created);
  expect(new Set(created).size).toBe(3);
});

it("ids after a kill lie above every id before it, even with the clock set back", () => {
  let mark = "0";
  const before = new IdSequence(
    () => AT,
    mark,
    (next) => (mark = next),
  );
  let last = "0";
  for (let count = 0; count < 1_000; count += 1) last = before.next();

  const after = new IdSequence(
    () => AT - 86_400_000,
    mark,
    () => undefined,
  ).next();

  expect(compareIds(after, last)).toBeGreaterThan(0);
});

test.each([{ year: 2000 }, { year: 2099 }])(
  "ids of $year have 15 to 19 digits and rise",
  ({ year }) => {
    const ids = new IdSequence(
      () => Date.UTC(year, 0, 1),
      "0",
      () => undefined,
    );
    const created = [ids.next(), ids.next(), ids.next()];

    expect(created).toEqual(created.map(() => expect.stringMatching(/^[1-9]\d{14,18}$/)));
    expect([...new Set(created)].sort(compareIds)).toEqual(created);
  },
);
