import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const TESTS = join(import.meta.dirname, "..");

it("each promise of SECURITY.md names tests, and they are there", async () => {
  const text = await readFile(join(TESTS, "..", "SECURITY.md"), "utf8");
  const rows = text.split("\n").filter((line) => line.startsWith("| **"));

  expect(rows.length).toBeGreaterThan(15);
  for (const row of rows) {
    const files = [...(row.split("|")[2] ?? "").matchAll(/`([^`]+\.test\.ts)`/g)];
    expect(files, row).not.toEqual([]);
    for (const [, file = ""] of files) await access(join(TESTS, file));
  }
});
