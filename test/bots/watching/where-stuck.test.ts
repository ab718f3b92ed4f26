import { Session } from "node:inspector";
import { expect, it, vi } from "vitest";
import { whereStuck } from "../../../src/bots/watching/where-stuck.ts";

it("disconnects the inspector if the thread has ended", async () => {
  const disconnects = vi.spyOn(Session.prototype, "disconnect");
  const ended = -1;

  expect(await whereStuck(ended, 1)).toBeUndefined();
  expect(disconnects).toHaveBeenCalledOnce();
  disconnects.mockRestore();
});
