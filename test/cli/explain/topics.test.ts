import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { checkFiles } from "../../../src/cli/check/check-files.ts";
import { TOPIC_NAMES, TOPICS, topicsOf } from "../../../src/insight/reference/topics.ts";
import type { Topic } from "../../../src/insight/reference/topic.ts";
import { run } from "../../support/command-line.ts";
import { checkedText } from "./checked.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Folder with the files to which the examples of `answerback explain` refer, such as `codes.ts`. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-topics-"));
  await mkdir(join(folder, "config"));
  await writeFile(
    join(folder, "codes.ts"),
    "export async function redeem(input: unknown) { return String(input); }\n",
  );
});
afterAll(() => rm(folder, { recursive: true }));

const SECRETS = {
  CONSUMER_KEY: "key",
  CONSUMER_SECRET: "secret",
  OLD_CONSUMER_SECRET: "old",
  BEARER_TOKEN: "token",
  CONSOLE_ADMIN_TOKEN: "a token of sixteen characters or more",
};

/** Returns the only example of a topic. @throws if there are more. */
function exampleOf({ kind, name, examples }: Topic): string {
  const [first, ...more] = examples.map(({ example }) => example);
  if (typeof first !== "string" || more.length > 0) throw new Error(`${kind} ${name}: one example`);
  return first;
}

const WORDS = TOPICS.filter(({ kind }) => kind !== "problem" && kind !== "setting");

describe.each(WORDS)("$kind $name", (topic) => {
  test("is explained with an example that passes check", async () => {
    const example = exampleOf(topic);
    const problems = await checkedText(example, folder);

    expect(topic.about).toMatch(/\S/);
    expect(problems.map(({ message }) => message)).toEqual([]);
    expect(example).toContain(topic.kind === "function" ? `${topic.aliases[0]}(` : topic.name);
  });
});

/** Further settings without which a setting's example is not valid, by the setting's name. */
const BESIDE: Readonly<Record<string, string>> = {
  data: "store: postgres://bot@db.example/answerback?sslmode=verify-full\n",
};

describe.each(TOPICS.filter(({ kind }) => kind === "setting"))("setting $name", (topic) => {
  test("is explained with an example that passes check", async () => {
    const example = exampleOf(topic);
    const beside = BESIDE[topic.name] ?? "";
    const text = topic.name === "version" ? example : `version: 1\n${beside}${example}`;
    await writeFile(join(folder, "config/answerback.yaml"), text);
    const around = { cwd: folder, env: SECRETS, input: NO_INPUT };
    const { problems } = await checkFiles(around, ["config/answerback.yaml"], {});

    expect(topic.about).toMatch(/\S/);
    expect(problems.map(({ message }) => message)).toEqual([]);
    expect(example).toContain(`${topic.name.split(".").at(-1)}:`);
  });
});

const NO_INPUT = {
  isTerminal: false,
  lines: async function* () {
    yield await Promise.resolve("");
  },
  text: () => Promise.resolve(""),
};

describe("explain", () => {
  it("finds every name, in whatever case, and settings by their variables and their first words", () => {
    expect(TOPIC_NAMES.filter((name) => topicsOf(name.toUpperCase()).length === 0)).toEqual([]);
    expect(topicsOf("ANSWERBACK_STORE").map(({ name }) => name)).toEqual(["store"]);
    expect(topicsOf("metrics").map(({ name }) => name)).toEqual(["metrics.listen"]);
    expect(topicsOf("contains_any").map(({ kind }) => kind)).toEqual(["operator", "function"]);
  });

  it("explains a problem with its reason, an example and the corrected example", async () => {
    const { out, code } = await run("/", "explain", "unknown-field");

    expect(code).toBe(0);
    expect(out).toMatch(/^unknown-field \(problem\)\n {2}The field does not exist\.\n/);
    expect(out).toContain("  Wrong\n    conditions:\n      - message.txt: { contains: refund }\n");
    expect(out).toContain("  Right\n    conditions:\n      - message.text: { contains: refund }\n");
  });

  it("shows only the changed files of the correction", async () => {
    const { out } = await run("/", "explain", "call-target");
    const [wrong = "", right = ""] = out.split("  Right\n");

    expect(wrong).toContain("    # rules/codes.ts\n");
    expect(right).toContain("      - call: ./codes.ts#redeem\n");
    expect(right).not.toContain("# rules/codes.ts");
  });

  it("names the place in the reference with more", async () => {
    const { err } = await run(ROOT, "explain", "contains_any");
    const pages = await readdir(join(ROOT, "config/reference"));

    expect(err.trim()).toBe("More: config/reference/operators.md, config/reference/functions.md");
    expect(TOPICS.filter(({ section }) => !pages.includes(`${section}.md`))).toEqual([]);
  });

  it("lists a step's keys with their limits and defaults", async () => {
    const { out } = await run("/", "explain", "ask");

    expect(out).toContain("    retries: integer, 0 to 10; default 0\n");
    expect(out).toContain("Its result has  text, captures\n");
  });

  it("lists the fields that a trigger's events carry", async () => {
    const { out } = await run("/", "explain", "link.restored");

    expect(out).toMatch(/Fields of link +since \(time\), reason, lasted_seconds \(number\)\n/);
  });

  it("suggests the closest name for an unknown one", async () => {
    const { err, code } = await run("/", "explain", "unknwon-field");

    expect(code).toBe(2);
    expect(err).toContain("did you mean: answerback explain unknown-field");
  });

  it("lists everything as JSON, one a line", async () => {
    const { out } = await run("/", "explain", "--json");
    const lines = out.trim().split("\n");

    expect(lines).toHaveLength(TOPICS.length);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ kind: "trigger", name: "dm.received" });
  });
});
