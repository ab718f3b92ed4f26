import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { glob } from "tinyglobby";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { everyCommand, programOf } from "../../../src/cli/program.ts";
import { processIo } from "../../../src/cli/io.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

interface SourceText {
  readonly file: string;
  /** Text of a string literal in the source. Of a template, it includes the placeholders `${…}`. */
  readonly text: string;
  /** Whether the text is the value of a property `hint`, or one of several possible values. */
  readonly isHint: boolean;
}

/** Every string and template of a source file. */
function textsOf(file: string, code: string): SourceText[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const texts: SourceText[] = [];
  const visit = (node: ts.Node, isHint: boolean): void => {
    if (ts.isStringLiteralLike(node)) texts.push({ file, text: node.text, isHint });
    else if (ts.isTemplateExpression(node)) {
      texts.push({ file, text: node.getText(source).slice(1, -1), isHint });
    } else {
      const inHint = ts.isPropertyAssignment(node)
        ? node.name.getText(source) === "hint"
        : isHint && (ts.isConditionalExpression(node) || ts.isParenthesizedExpression(node));
      ts.forEachChild(node, (child) => visit(child, inHint));
    }
  };
  visit(source, false);
  return texts;
}

describe("hints", () => {
  let texts: SourceText[];
  beforeAll(async () => {
    const files = await glob("src/**/*.ts", { cwd: ROOT });
    const codes = await Promise.all(files.map((file) => readFile(`${ROOT}${file}`, "utf8")));
    texts = files.flatMap((file, at) => textsOf(file, codes[at] ?? ""));
  });

  it("are lower-case and without a full stop", () => {
    const hints = texts.filter(({ isHint }) => isHint);

    expect(hints.length).toBeGreaterThan(40);
    expect(hints.filter(({ text }) => !/^[a-z].*[^.]$/s.test(text))).toEqual([]);
  });

  it("and all other texts name commands that exist", async () => {
    const program = await programOf(processIo(), "0.0.0-test");
    const names = new Set(["help", ...program.commands.map((command) => command.name())]);
    const subcommands = new Set(everyCommand(program).map((command) => command.name()));
    const unknown = texts.flatMap(({ file, text }) =>
      [...text.matchAll(/(?<![\w./"'-])answerback ([a-z]+)(?: ([a-z]+))?/g)].flatMap(
        ([line, command = "", second = ""]) => {
          const group = program.commands.find((one) => one.name() === command)?.commands ?? [];
          const isKnown =
            names.has(command) && (group.length === 0 || second === "" || subcommands.has(second));
          return isKnown ? [] : [{ file, line }];
        },
      ),
    );

    expect(unknown).toEqual([]);
  });
});
