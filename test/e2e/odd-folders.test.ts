import { execFileSync } from "node:child_process";
import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder } from "../cli/support/running-dev.ts";
import { begin, run } from "../support/command-line.ts";
import { FREE_PORTS } from "../support/own-address.ts";

const SETTINGS = `version: 1
rules: [../rules/*.yaml]
bots: [../bots/*.ts]
store: file:../data
target: sandbox
`;
const BOT = `import { createBot } from "answerback";

export default createBot("moody").hears("mood", async (ctx) => {
  const mood: { text?: string } = {};
  await ctx.reply((mood as { text: string }).text.trim());
});
`;
const BROKEN = `const nothing: { f?: () => void } = {};

(nothing as { f: () => void }).f();
`;

/**
 * Runs a command in a shell, and returns the lines of its output. Programs that would change files are replaced by
 * functions.
 */
function pasted(command: string, cwd: string): readonly string[] {
  const harmless = `rm() { for word; do printf '%s\\n' "$word"; done; }\n${command}`;
  const out = execFileSync("/bin/sh", ["-c", harmless], { cwd, encoding: "utf8" });
  return out.split("\n").slice(0, -1);
}

describe("a project in a folder named", () => {
  it.each(["my bots (2)", "it's $HOME; `x`", "größe 100% #1 [x]{y}"])(
    "%s is made, checked, tested, run and repaired as any other, and its hints can be pasted",
    async (name) => {
      const { folder: parent, remove } = await emptyFolder();
      try {
        const temporary = join(parent, "tmp of me");
        await mkdir(temporary);
        const env = { ...FREE_PORTS, TMPDIR: temporary };
        const folder = join(parent, name);
        const at = (...args: readonly string[]) => begin({ cwd: folder, env }, args).ended;

        const created = await run(parent, "init", name, "--template", "echo");
        const [, cd = ""] = /Next: (cd .*) && npx answerback dev\n$/.exec(created.err) ?? [];
        expect(pasted(`${cd} && pwd -P`, parent), created.err).toEqual([await realpath(folder)]);

        await mkdir(join(folder, "bots"), { recursive: true });
        await writeFile(join(folder, "config/answerback.yaml"), SETTINGS);
        await writeFile(join(folder, "bots/moody.ts"), BROKEN);
        const broken = await at("check");
        expect(broken.code).toBe(3);
        expect(broken.out + broken.err).toContain("bots/moody.ts:3:32");

        await writeFile(join(folder, "bots/moody.ts"), BOT);
        const checked = await at("check");
        expect(checked.code, checked.out + checked.err).toBe(0);
        const tested = await at("test");
        expect(tested.code, tested.out + tested.err).toBe(0);

        const dev = begin({ cwd: folder, env }, ["dev"]);
        await dev.until("Try, in another terminal");
        const answered = await at("send", "@ana", "hello there");
        expect(answered.out, answered.err).toContain("@hello_bot: ");
        const mood = await at("send", "@ben", "mood", "--json");
        expect(mood.code, mood.err).toBe(0);
        const status = await at("status", "--json");
        expect(status.out).toContain(
          JSON.stringify(join(folder, "bots/moody.ts:5:51")).slice(1, -1),
        );
        const doctor = await at("doctor");
        expect(doctor.code, doctor.out + doctor.err).toBe(0);
        const backup = await at("backup", "--to", "my backup.backup");
        expect(backup.code, backup.err).toBe(0);
        await dev.end();

        await writeFile(join(folder, "data/store.db"), "");
        const gone = await at("journal");
        const [, rm = ""] = /with an empty store: (rm .*)\n/.exec(gone.err) ?? [];
        const data = join(folder, "data");
        const words = pasted(rm, parent);
        expect(words.slice(0, 2), gone.err).toEqual([
          join(data, "store.id"),
          join(data, "store.db"),
        ]);
        expect(words.every((word) => word.startsWith(data))).toBe(true);
        const back = await at("restore", "my backup.backup");
        expect(back.code, back.err).toBe(0);
        expect((await at("journal", "--json")).out).toContain("hello there");
      } finally {
        await remove();
      }
    },
    120_000,
  );
});
