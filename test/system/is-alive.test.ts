import { afterEach, expect, it, vi } from "vitest";
import { isAlive } from "../../src/system/is-alive.ts";

afterEach(() => vi.restoreAllMocks());

it("finds a running process, and no process that does not exist", () => {
  expect([isAlive(process.pid), isAlive(2 ** 22 + 1)]).toEqual([true, false]);
});

it("finds a running process of another user, which may not be signalled", () => {
  vi.spyOn(process, "kill").mockImplementation(() => {
    throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
  });

  expect(isAlive(1)).toBe(true);
});
