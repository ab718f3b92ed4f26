import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { glob } from "tinyglobby";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkFiles } from "../../src/cli/check/check-files.ts";
import { checkedText } from "../cli/explain/checked.ts";
import { run } from "../support/command-line.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

interface Block {
  readonly page: string;
  readonly text: string;
  /** File path in the comment on the block's first line, such as `rules/hours.yaml`; undefined without one. */
  readonly path: string | undefined;
}

/** Returns the code blocks of a language in the pages that a glob names. */
async function blocksIn(pattern: string, language: string): Promise<readonly Block[]> {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  const pages = (await glob(pattern, { cwd: ROOT })).toSorted();
  const blocks = pages.map(async (page) =>
    [...(await readFile(join(ROOT, page), "utf8")).matchAll(fence)].map(([, text = ""]) => {
      const [, path] = /^(?:#|\/\/) (\S+\.\w+)\n/.exec(text) ?? [];
      return { page, text, path };
    }),
  );
  return (await Promise.all(blocks)).flat();
}

/** Keys that identify a settings file. */
const OF_SETTINGS = /^(target|source|limits|store|metrics|opt_out|bot_limits|secrets): ?/m;

const NO_INPUT = {
  isTerminal: false,
  lines: async function* () {
    yield await Promise.resolve("");
  },
  text: () => Promise.resolve(""),
};

const YAML = (await blocksIn("config/guide/**/*.md", "yaml")).filter(
  ({ path }) => path?.startsWith(".github/") !== true,
);
const RULES = YAML.filter(({ text }) => !/^tests:/m.test(text) && !OF_SETTINGS.test(text));
const TESTS = YAML.filter(({ text }) => /^tests:/m.test(text));
const SETTINGS = YAML.filter(({ text }) => OF_SETTINGS.test(text) && !/^tests:/m.test(text));

describe("the guide", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(ROOT, "test/fixtures/.docs-"));
    await mkdir(join(folder, "config"));
    await mkdir(join(folder, "media"));
    // The smallest valid PNG.
    const png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    await writeFile(join(folder, "media/hours.png"), Buffer.from(png, "base64"));
    await writeFile(
      join(folder, "codes.ts"),
      "export async function redeem(input: unknown) { return String(input); }\n",
    );
    for (const { path, text } of RULES) {
      if (path === undefined) continue;
      const file = join(folder, path.replace(/^rules\//, ""));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  // Shared rule files get their inputs from the files that use them, so `check` can't read them alone.
  it.each(RULES.filter(({ path }) => path?.includes("/shared/") !== true))(
    "shows rules that check accepts: $page $text",
    async ({ text }) => {
      const problems = await checkedText(text, folder);

      expect(problems.map(({ message }) => message)).toEqual([]);
    },
  );

  it.each(TESTS)("shows tests that pass: $page $text", async ({ path = "", text }) => {
    const file = path.replace(/^rules\//, "");
    await writeFile(join(folder, file), text);
    const { out, err } = await run(folder, "test", file);

    expect(out, err).toMatch(/^1 passed, 0 failed$/m);
  });

  it.each(SETTINGS)("shows settings that check accepts: $page $text", async ({ text }) => {
    await writeFile(join(folder, "config/answerback.yaml"), text);
    const around = { cwd: folder, env: { ORDERS_TOKEN: "t" }, input: NO_INPUT };
    const { problems } = await checkFiles(around, ["config/answerback.yaml"], {});

    expect(problems.map(({ message }) => message)).toEqual([]);
  });
});

it("the rules and the bot of README.md pass the tests that it shows", async () => {
  const folder = await mkdtemp(join(ROOT, "test/fixtures/.docs-"));
  try {
    const blocks = [
      ...(await blocksIn("README.md", "yaml")),
      ...(await blocksIn("README.md", "ts")),
    ];
    for (const { path = "", text } of blocks) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const files = blocks.flatMap(({ path }) =>
      path?.endsWith(".test.yaml") === true ? [path] : [],
    );
    const checked = await run(folder, "check", "rules/shop.yaml");
    const tested = await run(folder, "test", ...files);

    expect(checked.out + checked.err).toContain("no problems");
    expect(files).toEqual(["rules/all.test.yaml"]);
    expect(tested.out, tested.err).toMatch(/^3 passed, 0 failed$/m);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
