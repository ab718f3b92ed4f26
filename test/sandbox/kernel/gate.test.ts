import { expect, it } from "vitest";
import { Gate } from "../../../src/sandbox/kernel/gate.ts";

it("lets the first comers through first, and no newcomer past those who wait", async () => {
  const gate = new Gate(1);
  const order: string[] = [];
  const pass = (name: string): Promise<unknown> => gate.through(async () => order.push(name));

  const first = pass("first").then(() => pass("newcomer"));
  await Promise.all([first, pass("second"), pass("third")]);

  expect(order).toEqual(["first", "second", "third", "newcomer"]);
});

it("frees its place when the work throws", async () => {
  const gate = new Gate(1);
  await expect(gate.through(() => Promise.reject(new Error("no")))).rejects.toThrow("no");

  expect(await gate.through(async () => "through")).toBe("through");
});
