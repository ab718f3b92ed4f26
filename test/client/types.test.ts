import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "..", "client-types");
const FILES = ["selection.ts", "credentials.ts"].map((name) => join(FOLDER, name));

it("compiles every claim of the client's types, and refuses what they refuse", () => {
  const root = join(import.meta.dirname, "..", "..");
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) =>
    ts.sys.readFile(path),
  );
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(FILES, { ...options, noEmit: true });
  const faults = FILES.flatMap((file) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(file)),
  );
  expect(
    faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")),
  ).toEqual([]);

  const text = FILES.map((file) => readFileSync(file, "utf8")).join("\n");
  const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
  const [claims, refusals, sames] = [
    /\/\/ case: /g,
    /@ts-expect-error \S/g,
    /\bsame<(?!A, B>\()/g,
  ].map(count);
  process.stdout.write(
    `client types: ${claims} cases, ${refusals} refusals, ${sames} exact types\n`,
  );
  expect(claims).toBeGreaterThanOrEqual(30);
  expect(refusals).toBeGreaterThanOrEqual(30);
});
