import { chmod, mkdtemp, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ShownRuntime } from "../../src/console/console-needs.ts";
import { saveRules } from "../../src/console/operations/rules.ts";
import { openLog } from "../../src/runtime/log.ts";

const BEFORE = "version: 1\nrules: []\n";
const AFTER = "version: 1\nrules: [{ id: hi, triggers: [dm.received], actions: [{ log: hi }] }]\n";

let base: string;
let file: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "answerback-save-"));
  file = join(base, "rules.yaml");
  await writeFile(file, BEFORE);
});
afterEach(() => rm(base, { recursive: true }));

async function save(path = "rules.yaml") {
  const runtime: ShownRuntime = Object({
    target: "sandbox",
    base,
    readRules: async () => [{ path, text: await readFile(join(base, path), "utf8") }],
    handlers: { reload: async () => ({}) },
  });
  const request = { file: path, text: AFTER, before: BEFORE, anyway: false };
  return saveRules.answer({ runtime, log: openLog({ level: "silent" }) }, request);
}

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

// Windows has no permission bits.
describe("a rule file that is saved in the console", () => {
  it.each(["600", "640", "664"])("keeps its mode %s", async (octal) => {
    const mode = Number.parseInt(octal, 8);
    await chmod(file, mode);

    await save();

    expect(await readFile(file, "utf8")).toBe(AFTER);
    expect(await modeOf(file)).toBe(mode);
  });

  it("stays the target of its symbolic link", async () => {
    await symlink("rules.yaml", join(base, "linked.yaml"));

    await save("linked.yaml");

    expect(await readlink(join(base, "linked.yaml"))).toBe("rules.yaml");
    expect(await readFile(file, "utf8")).toBe(AFTER);
  });

  it("is left unchanged if it is read-only", async () => {
    await chmod(file, 0o444);

    await expect(save()).rejects.toMatchObject({
      status: 403,
      message: expect.stringMatching(/^rules\.yaml is read-only, so it was not saved\. Make/),
    });
    expect(await readFile(file, "utf8")).toBe(BEFORE);
    expect(await modeOf(file)).toBe(0o444);
  });
});
