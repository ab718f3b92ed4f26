import { afterAll, describe, expect, it } from "vitest";
import { testTitles } from "./test-titles.ts";
import { HEADINGS, STATEMENTS } from "./statements.ts";

const all = Object.values(STATEMENTS).flat();
const covered = all.filter(({ shownBy }) => shownBy.length > 0);
const hidden = all.filter(({ hidden }) => hidden !== undefined);

const titles = new Map<string, ReadonlySet<string>>();

function exists(reference: string): boolean {
  const [file = "", ...title] = reference.split(": ");
  const fileTitles = titles.get(file) ?? testTitles(new URL(`../sandbox/${file}`, import.meta.url));
  titles.set(file, fileTitles);
  return fileTitles.has(title.join(": "));
}

afterAll(() => {
  const lines = Object.entries(STATEMENTS).flatMap(([heading, said]) =>
    said.flatMap(({ says, hidden }) =>
      hidden === undefined ? [] : `  ${heading}: ${says}: ${hidden}`,
    ),
  );
  const { length: count } = all;
  process.stdout.write(
    `${count} statements, ${covered.length} shown by tests, ${hidden.length} that no request can show:\n${lines.join("\n")}\n`,
  );
});

describe("the statements of the interface", () => {
  it("are listed under every heading, and under no other", () => {
    expect(Object.keys(STATEMENTS).sort()).toEqual([...HEADINGS].sort());
    expect(Object.entries(STATEMENTS).filter(([, said]) => said.length === 0)).toEqual([]);
  });

  it("each name a test or a reason, never both", () => {
    expect(
      all.filter(({ shownBy, hidden }) => shownBy.length > 0 === (hidden !== undefined)),
    ).toEqual([]);
  });

  it.each(Object.entries(STATEMENTS))("%s: the tests named are there", (_, said) => {
    expect(said.flatMap(({ shownBy }) => shownBy).filter((one) => !exists(one))).toEqual([]);
  });
});
