import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { toPages } from "../../../src/docs/page.ts";
import { readPages } from "../../../src/docs/read-docs.ts";
import { indexPages } from "../../../src/docs/search-pages.ts";
import { run } from "../../support/command-line.ts";
import { QUESTIONS } from "./questions.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

describe("docs", () => {
  it.each(QUESTIONS)("answers '%s' among its first three pages", async (question, page) => {
    const pages = indexPages(await readPages())(question);

    expect(pages.map(({ path }) => path)).toContain(page);
  });

  it("prints title, path and first sentence of the best pages, as a user reads them", async () => {
    const { out, code } = await run(ROOT, "docs", "wait", "for", "an", "answer");

    expect(code).toBe(0);
    expect(out.split("\n").slice(0, 3)).toEqual([
      "Ask a question and wait for the answer",
      "  config/guide/rules/wait-for-an-answer.md",
      "  The step ask sends a question and waits for the person's next message, over restarts and for the time that you set.",
    ]);
  });

  it.each([
    [
      "The bot asks *1. Which planet?*, and waits. Then it ends.",
      "The bot asks *1. Which planet?*, and waits.",
    ],
    [
      "The bot answers *You are in! We draw at six.* Later it draws.",
      "The bot answers *You are in! We draw at six.*",
    ],
    ["It tests `*.test.yaml`. Nothing is sent.", "It tests *.test.yaml."],
    ["The **workers** send. A *5 to 9* is late. Then", "The **workers** send."],
  ])("takes whole sentences that quote the bot: %s", (text, about) => {
    expect(toPages({ path: "a.md", text: `# A\n\n${text}\n` })[0].about).toBe(about);
  });

  it("finds a word of the language in the reference", async () => {
    const [page] = indexPages(await readPages())("hashed_device_id report_conversion");
    const { out } = await run(ROOT, "docs", "report_conversion");

    expect(page?.path).toBe("config/guide/rules/report-conversions.md");
    expect(out).toContain("config/reference/steps.md#report_conversion");
  });

  it("prints JSON, one page a line", async () => {
    const { out } = await run(ROOT, "docs", "secret", "--json");
    const lines = out.trim().split("\n");

    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const { path } = JSON.parse(line);
      expect(existsSync(join(ROOT, path.split("#")[0]))).toBe(true);
    }
  });

  it("lists all pages without words, each with a title and a first sentence", async () => {
    const { out } = await run(ROOT, "docs", "--json");
    const listed = out
      .trim()
      .split("\n")
      .map((line): { title: string; path: string; about: string } => JSON.parse(line));
    const incomplete = listed.filter(({ title, about }) => title === "" || about === "");

    expect(listed.length).toBeGreaterThan(60);
    expect(incomplete).toEqual([]);
  });

  it("explains for an unknown word how to list all pages", async () => {
    const { err, code } = await run(ROOT, "docs", "xylophon");

    expect(code).toBe(2);
    expect(err).toContain("all pages are listed by: answerback docs");
  });

  it("is suggested by explain for an unknown name", async () => {
    const { err, code } = await run(ROOT, "explain", "handover");

    expect(code).toBe(2);
    expect(err).toContain('"handover" can\'t be explained: nothing has that name');
    expect(err).toContain("config/guide/rules/hand-over-to-a-person.md");
  });

  it("gives every page of the guide the words by which readers look for it", async () => {
    const pages = (await readPages()).filter(({ path }) => path.includes("/guide/"));

    expect(pages.filter(({ also }) => also === "").map(({ path }) => path)).toEqual([]);
  });
});
