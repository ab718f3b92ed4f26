import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HANG_MS } from "../support/hang-limit.ts";

/** Patterns in the source of a test that make its result depend on the machine's speed, or on chance. */
const UNSTEADY = [
  {
    what: "a limit of its own that is shorter than that of all tests",
    finds: (text: string) =>
      [...text.matchAll(/^ *\},(?: |\n *)([\d_]{4,})(?:,\n *)?\);$/gm)].some(
        ([, ms = ""]) => Number(ms.replaceAll("_", "")) < HANG_MS,
      ),
    matches: 'it("ends", async () => {\n  await end();\n}, 20_000);\n',
    fine: 'it("ends", async () => {\n  await end();\n}, LONG_HANG_MS);\n',
  },
  {
    what: "vi.waitFor, which gives up after a second",
    finds: (text: string) => text.includes("vi.waitFor("),
    matches: "await vi.waitFor(() => expect(polls).toBe(1));\n",
    fine: "await when(() => (polls === 1 ? true : undefined));\n",
  },
  {
    what: "a seed from the clock",
    finds: (text: string) => /Date\.now\(\) %/.test(text),
    matches: "const SEED = Date.now() % 1_000_000;\n",
    fine: 'const SEED = seedFrom("CRASH_SEED");\n',
  },
];

/** Tests that may have other time limits, because they run long campaigns. */
const CAMPAIGNS = /^test\/(crash|bench|e2e\/packed)/;

const files = (await readdir("test", { recursive: true }))
  .map((name) => join("test", name))
  .filter((name) => name.endsWith(".test.ts") && !CAMPAIGNS.test(name) && !/house/.test(name));

describe.each(UNSTEADY)("$what", ({ finds, matches, fine }) => {
  it("is recognized", () => {
    expect([finds(matches), finds(fine)]).toEqual([true, false]);
  });

  it("is in no test", async () => {
    const texts = await Promise.all(
      files.map(async (name) => ({ name, text: await readFile(name, "utf8") })),
    );

    expect(texts.filter(({ text }) => finds(text)).map(({ name }) => name)).toEqual([]);
  });
});
