import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { glob } from "tinyglobby";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkFiles } from "../../src/cli/check/check-files.ts";
import { compile } from "../../src/rules/compile/compile.ts";
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

/** Expressions in the running text of pages that read a step or a failure, such as `steps.ID.result`. */
async function inlineExpressions(pattern: string): Promise<readonly (readonly [string, string])[]> {
  const pages = (await glob(pattern, { cwd: ROOT })).toSorted();
  const texts = pages.map(async (page) => {
    const text = (await readFile(join(ROOT, page), "utf8")).replaceAll(/^```[\s\S]*?^```$/gm, "");
    const matches = text.matchAll(/`(?:\$\{\{ )?((?:steps\.[^`.]+|error)\.[^`]*?)(?: \}\})?`/g);
    return [...matches].map(([, expression = ""]) => [page, expression] as const);
  });
  return (await Promise.all(texts)).flat();
}

// `error.…` in other pages is of TypeScript or of telemetry
const INLINE = (await inlineExpressions("{config,bots}/guide/**/*.md")).filter(
  ([page, text]) => text.startsWith("steps.") || page.startsWith("config/guide/rules/"),
);

/** Steps whose results have different fields. */
const STEPS = [
  'call: "./codes.ts#redeem"',
  'http: { url: "https://example.test/" }',
  "reply: { text: hi, long: thread }",
  "ask: { text: Which?, expect: { matches: '(?P<no>A.*)' }, within: 1h, on_timeout: [stop] }",
  "ask: { text: Which?, expect: { in: [yes, no] }, within: 1h, on_timeout: [stop] }",
  "count: { name: strikes, per: sender, window: 1d }",
];

/** Returns the messages of a rule that logs an expression after a step, in `on_error` of the step for `error.…`. */
function mistakesIn(expression: string, step: string): readonly string[] {
  const [, id = "order"] = /^steps\.(\w+)/.exec(expression) ?? [];
  const log = `{ log: ${JSON.stringify(`\${{ ${expression} }}`)} }`;
  const after = expression.startsWith("error.") ? `, on_error: [${log}] }` : ` }, ${log}`;
  const text = `version: 1\nrules: [{ id: a, triggers: [post.mentioned], actions: [{ id: ${id}, ${step}${after}] }]\n`;
  return compile([{ path: "a.yaml", text }]).problems.flatMap(({ severity, message }) =>
    severity === "error" ? [message] : [],
  );
}

it.each(INLINE)("the text of the guide reads what there is: %s %s", (_page, written) => {
  const expression = written.replace("<id>", "ID");

  const mistakes = STEPS.map((step) => mistakesIn(expression, step));

  // a step of one kind has the value
  expect(mistakes).toContainEqual([]);
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
