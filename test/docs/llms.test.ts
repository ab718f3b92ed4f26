import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkedText } from "../cli/explain/checked.ts";
import { run } from "../support/command-line.ts";
import { fileWith, HABITS } from "./llms/habits.ts";
import { FREQUENT_PROBLEMS } from "./tables/llms.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PAGE = await readFile(join(ROOT, "config/llms-full.txt"), "utf8");

/** The page's blocks of YAML. `wrong` marks text that `check` refuses. */
const BLOCKS = [...PAGE.matchAll(/^```yaml( wrong)?.*\n([^]*?)^```$/gm)].map(
  ([, wrong, text = ""]) => ({
    isWrong: wrong !== undefined,
    text,
    path: /^# (rules\/\S+\.yaml)\n/.exec(text)?.[1],
  }),
);
const RIGHT = BLOCKS.filter(
  ({ isWrong, path }) => !isWrong && path?.endsWith(".test.yaml") !== true,
);
const WRONG = BLOCKS.filter(({ isWrong }) => isWrong);

describe("the page for language models", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(ROOT, "test/fixtures/.docs-"));
    await mkdir(join(folder, "config"));
    await writeFile(
      join(folder, "config/answerback.yaml"),
      "version: 1\nrules: [../rules/*.yaml]\nbots: []\nstore: file:../data\nsecrets: [ORDERS_TOKEN]\n",
    );
    await writeFile(join(folder, ".env"), "ORDERS_TOKEN=t\n");
    await writeFile(
      join(folder, "codes.ts"),
      "export async function redeem(input: unknown) { return String(input); }\n",
    );
    for (const { path, text } of BLOCKS) {
      if (path === undefined) continue;
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("stays below 60 kB", () => {
    expect(Buffer.byteLength(PAGE)).toBeLessThan(60_000);
  });

  it.each(RIGHT)("shows rules that check accepts: $text", async ({ text }) => {
    const problems = await checkedText(text, folder);

    expect(problems.map(({ message }) => message)).toEqual([]);
  });

  it("shows one wrong text for each problem that it explains", () => {
    expect(WRONG).toHaveLength(FREQUENT_PROBLEMS.length);
  });

  it.each(WRONG.map(({ text }, index) => ({ text, code: FREQUENT_PROBLEMS[index] })))(
    "shows a text with the problem $code",
    async ({ text, code }) => {
      const problems = await checkedText(text, folder);

      expect(problems.map((problem) => problem.code)).toContain(code);
    },
  );

  it.each(HABITS.flatMap(({ place, wrong }) => wrong.map((form) => ({ place, form }))))(
    "calls wrong what check refuses: $form",
    async ({ place, form }) => {
      expect(await checkedText(fileWith(place, form), folder)).not.toEqual([]);
    },
  );

  it.each(HABITS)("marks as right what check accepts: $right", async ({ place, right }) => {
    const problems = await checkedText(fileWith(place, right), folder);

    expect(problems.map(({ message }) => message)).toEqual([]);
  });

  it("has rule files that pass the tests beside them", async () => {
    const checked = await run(folder, "check");
    const tested = await run(folder, "test");

    expect(checked.out + checked.err).toContain("no problems");
    expect(tested.out, tested.err).toMatch(/^9 passed, 0 failed$/m);
  });
});
