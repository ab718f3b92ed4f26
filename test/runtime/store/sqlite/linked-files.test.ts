import { expect, it } from "vitest";
import { linkedFiles } from "../../../../src/runtime/store/sqlite/file/linked-files.ts";

const FILE = "/data/store.db";

/**
 * Creates a simulated database file and WAL, and the check that both are still the opened files. `afterNextLook`
 * registers a change that happens right after the check has examined the next file.
 */
function world() {
  const files = new Map([
    [FILE, "1:1"],
    [`${FILE}-wal`, "1:2"],
  ]);
  let next: (() => void) | undefined;
  const look = (path: string): string | undefined => {
    const identity = files.get(path);
    next?.();
    next = undefined;
    return identity;
  };
  return {
    files,
    check: linkedFiles(FILE, look),
    afterNextLook: (change: () => void) => (next = change),
  };
}

it("a folder renamed between two checks takes the whole database with it, not its log alone", () => {
  const { files, check, afterNextLook } = world();
  expect(check()).toBeUndefined();

  afterNextLook(() => files.clear());
  expect(check()).toMatchObject({ code: "store-gone" });
});

it.each([
  { lost: [FILE], code: "store-gone" },
  { lost: [`${FILE}-wal`], code: "store-died" },
  { lost: [FILE, `${FILE}-wal`], code: "store-gone" },
])("without $lost the code is $code", ({ lost, code }) => {
  const { files, check } = world();
  for (const file of lost) files.delete(file);

  expect(check()).toMatchObject({ code });
});
