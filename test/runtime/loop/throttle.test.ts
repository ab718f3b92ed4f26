import { expect, it } from "vitest";
import { throttle } from "../../../src/system/time/throttle.ts";

it("reports the first case at once, and the following ones as one number", () => {
  let now = 0;
  const said: [string, number][] = [];
  const tell = throttle<string>(
    1_000,
    (latest, times) => said.push([latest, times]),
    () => now,
  );

  for (let i = 0; i < 5_000; i++) tell(`case ${i}`);
  now = 1_000;
  tell("one more");
  tell("and another");

  expect(said).toEqual([
    ["case 0", 1],
    ["one more", 5_000],
  ]);
});
