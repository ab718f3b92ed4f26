import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const MODULE = new URL("../../src/system/process-warnings.ts", import.meta.url).href;
const WARNS = `
  const { tellWarnings } = await import(${JSON.stringify(MODULE)});
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const printAgain = tellWarnings((text) => console.log("told " + text));
  process.emitWarning("old", "DeprecationWarning", "OLD");
  process.emitWarning("odd");
  await turn();
  printAgain();
  process.emitWarning("late");
  await turn();
`;

it.each([
  { flags: [], told: ["told DeprecationWarning [OLD]: old", "told Warning: odd"], printed: true },
  { flags: ["--no-deprecation"], told: ["told Warning: odd"], printed: true },
  { flags: ["--no-warnings"], told: [], printed: false },
])("warnings under $flags are told, and printed again in the end: $printed", async (row) => {
  const args = [...row.flags, "--import", "tsx", "--input-type=module", "--eval", WARNS];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);

  expect(stdout.split("\n").filter((line) => line !== "")).toEqual(row.told);
  expect(stderr).not.toMatch(/old|odd/);
  expect(stderr.includes("Warning: late")).toBe(row.printed);
});
