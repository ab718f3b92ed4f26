import { expect, it } from "vitest";
import { byteBudget } from "../../../src/runtime/webhook/byte-budget.ts";

it("has room for all reservations together, until one gives its part back, once", () => {
  const budget = byteBudget(10);
  const first = budget.reserve();
  const second = budget.reserve();

  expect([first.grow(6), second.grow(6), second.grow(4), second.grow(1)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  first.release();
  first.release();
  expect([second.grow(6), second.grow(1), second.bytes()]).toEqual([true, false, 10]);
});
