import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { AREAS } from "../../src/sandbox/areas.ts";

const README = new URL("../../README.md", import.meta.url);
const BEGIN = "<!-- areas:begin -->";
const END = "<!-- areas:end -->";

/** What the sandbox serves, area by area, from its fidelity ledger. */
function areasTable(): string {
  const rows = AREAS.map(({ name, ledger }) => {
    const count = (fidelity: string): number =>
      ledger.filter((row) => row.fidelity === fidelity).length;
    const endpoints = ledger.filter((row) => "method" in row).length;
    return `| ${name} | ${endpoints} | ${count("documented")} | ${count("assumed")} | ${count("stricter")} |`;
  });
  return [
    "| Area of the sandbox | Endpoints | Documented | Assumed | Stricter |",
    "| --- | --: | --: | --: | --: |",
    ...rows,
  ].join("\n");
}

it("tells in the README what the ledger holds (npm run docs:areas writes it)", async () => {
  const text = await readFile(README, "utf8");
  const [before = "", rest = ""] = text.split(BEGIN);
  const after = rest.split(END)[1] ?? "";
  const wanted = `${before}${BEGIN}\n${areasTable()}\n${END}${after}`;

  if (process.env["WRITE_README"] === "1") await writeFile(README, wanted);
  expect(await readFile(README, "utf8")).toBe(wanted);
});
