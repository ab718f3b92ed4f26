import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plainly } from "../../../src/cli/arguments/whereabouts.ts";
import { readSettings } from "../../../src/config/read-settings.ts";
import { run } from "../../support/command-line.ts";

/** Target (sandbox or live) and data folder of a settings file, as the complete settings reader finds them. */
function fully(text: string) {
  const { value } = readSettings({ file: "settings.yaml", text, environment: {}, overrides: [] });
  return value && { target: value.target, folder: value.store.slice("file:".length) };
}

const PLAIN = [
  { text: "version: 1\n", why: "nothing is said of either" },
  { text: "version: 1\ntarget: sandbox # or live\nstore: file:../kept\n", why: "both are said" },
  { text: "version: 1\r\nstore: file:kept\r\n", why: "lines may end as on Windows" },
  {
    text: "version: 1\nopt_out:\n  words: [stop]\n  text: >\n    store: file:other\n\nstore: file:kept\n",
    why: "what is indented is no key of the file",
  },
  {
    text: "version: 1\naccounts:\n- ana\n- ben\n",
    why: "a list may begin at the margin",
    full: true,
  },
  { text: 'version: 1\nstore: "file:kept"\n', why: "a value in quotes", full: true },
  { text: "version: 1\n? store\n: file:kept\n", why: "a key written the long way", full: true },
  { text: 'version: 1\n"store": file:kept\n', why: "a key in quotes", full: true },
  {
    text: "version: 1\naccounts: [ana,\nben]\nstore: file:kept\n",
    why: "brackets over lines",
    full: true,
  },
  { text: "version: 1\nstore: file:${{ env.X }}\n", why: "a value of the environment", full: true },
  {
    text: "version: 1\nstore: file:a\nstore: file:b\n",
    why: "a key that is there twice",
    full: true,
  },
  { text: "{version: 1, store: file:kept}\n", why: "all in braces", full: true },
  { text: "  version: 1\n  store: file:kept\n", why: "all lines are indented", full: true },
  { text: "{\n  version: 1,\n  store: file:kept,\n}\n", why: "braces over lines", full: true },
  { text: "\uFEFFstore: file:kept\nversion: 1\n", why: "a mark of UTF-8 comes first", full: true },
  { text: "version: 1\nstore: file:kept\n  here\n", why: "a plain value over lines", full: true },
  { text: "# about\n\n  # more\nversion: 1\nstore: file:kept\n", why: "comments are indented" },
  { text: "---\nversion: 1\nstore: file:kept\n", why: "a marked document", full: true },
];

describe("the place of a bot", () => {
  it.each(PLAIN)(
    "is known at once or by all settings, and the same: $why",
    ({ text, full = false }) => {
      expect(plainly(text)).toEqual(full ? undefined : fully(text));
    },
  );

  it.each(["status", "send"])(
    "is not guessed by %s where the settings file is there and can't be read",
    async (command) => {
      const folder = await mkdtemp(join(tmpdir(), "answerback-unreadable-"));
      try {
        await mkdir(join(folder, "config/answerback.yaml"), { recursive: true });
        const words = command === "send" ? ["@ana", "hello"] : [];
        const { code, err } = await run(folder, command, ...words);

        expect(code).toBe(2);
        expect(err).toContain("config/answerback.yaml");
        expect(err).not.toContain("does not run");
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );
});
