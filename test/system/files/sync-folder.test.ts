import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { syncFolder } from "../../../src/system/files/sync-folder.ts";

describe("syncing a folder", () => {
  const failsWith = (code: string) => () => {
    throw Object.assign(new Error(`${code}: fsync`), { code });
  };

  it("syncs the folder's descriptor", () => {
    const synced: number[] = [];
    syncFolder(tmpdir(), (descriptor) => void synced.push(descriptor));

    expect(synced).toEqual([expect.any(Number)]);
  });

  it.each(["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])(
    "does nothing on a file system that can't sync folders: %s",
    (code) => {
      expect(() => syncFolder(tmpdir(), failsWith(code))).not.toThrow();
    },
  );

  it("fails if the disk fails", () => {
    expect(() => syncFolder(tmpdir(), failsWith("EIO"))).toThrow("EIO");
  });
});
