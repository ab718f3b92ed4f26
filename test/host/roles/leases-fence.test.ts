import { describe, expect, it } from "vitest";
import { fencedStore, unlessFenced } from "../../../src/host/roles/leases-fence.ts";
import { openMemoryStore } from "../../../src/runtime/store/memory-store.ts";

describe("the stop of a former leader's work", () => {
  it("succeeds although the fence refuses its last write", async () => {
    const fenced = fencedStore(openMemoryStore(), () => false);

    await expect(fenced.setMeta("name", "value")).rejects.toThrow("another process");
    await expect(unlessFenced(fenced.setMeta("name", "value"))).resolves.toBeUndefined();
  });

  it("fails with any other error", async () => {
    const fault = new TypeError("a fault of the program");

    await expect(unlessFenced(Promise.reject(fault))).rejects.toBe(fault);
  });
});
