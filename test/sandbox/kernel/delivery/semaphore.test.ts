import { expect, it } from "vitest";
import { Semaphore } from "../../../../src/sandbox/kernel/delivery/webhook-sender.ts";

it("admits callers in the order of their arrival", async () => {
  const semaphore = new Semaphore(1);
  const order: string[] = [];
  const pass = (name: string): Promise<unknown> => semaphore.run(async () => order.push(name));

  const first = pass("first").then(() => pass("newcomer"));
  await Promise.all([first, pass("second"), pass("third")]);

  expect(order).toEqual(["first", "second", "third", "newcomer"]);
});

it("frees its place when the work throws", async () => {
  const semaphore = new Semaphore(1);
  await expect(semaphore.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");

  expect(await semaphore.run(async () => "through")).toBe("through");
});
