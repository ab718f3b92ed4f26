import { readFile } from "node:fs/promises";
import { glob } from "tinyglobby";
import ts from "typescript";
import { describe, expect, it } from "vitest";

/** Pattern of a string's text before an inserted value, if the text ends within a shell command. */
const BEGUN = new RegExp(
  String.raw`(?:^|[\s"'(:>])(?:(?:npx )?answerback [a-z]|npm run |npx |\$ |` +
    `(?:rm|mv|cp|cd|ln|ls|cat|tail|mkdir|chmod|chown|kill|export(?! async| default)|curl|psql|pg_dump|ssh|scp|sudo|` +
    String.raw`docker|podman|systemctl|journalctl) )[^;,()&|\n]*$|(?:^|\s)--[a-z][a-z-]*[ =]$`,
);
/** Functions allowed in a command: each quotes its values. */
const QUOTING = new Set(["shell", "shellWord", "shellText", "withSameSettings"]);

interface UnquotedValue {
  readonly line: number;
  readonly text: string;
}

/** Values that are inserted into a command without being quoted for a shell. */
function unquotedIn(code: string, file = "a.tsx"): readonly UnquotedValue[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const values: UnquotedValue[] = [];
  const look = (before: string, value: ts.Expression): void => {
    if (!BEGUN.test(before) || quotes(value)) return;
    const { line } = source.getLineAndCharacterOfPosition(value.getStart(source));
    values.push({ line: line + 1, text: `${before.trimStart()}\${${value.getText(source)}}` });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateExpression(node) && !isTagOfQuoting(node.parent)) {
      let before = node.head.text;
      for (const { expression, literal } of node.templateSpans) {
        look(before, expression);
        before += `x${literal.text}`;
      }
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      const { left: leftOperand, right } = node;
      if (ts.isStringLiteral(leftOperand) && !ts.isStringLiteralLike(right))
        look(leftOperand.text, right);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return values;
}

function quotes(value: ts.Expression): boolean {
  if (ts.isTaggedTemplateExpression(value)) return isTagOfQuoting(value);
  return ts.isCallExpression(value) && QUOTING.has(value.expression.getText());
}

function isTagOfQuoting(node: ts.Node): boolean {
  return ts.isTaggedTemplateExpression(node) && QUOTING.has(node.tag.getText());
}

/** Commands whose values are fixed in the source, or quoted where they were created. */
const FIXED: readonly string[] = [
  "src/cli/commands/platform/ads.ts: answerback ads conversion ${KEY}",
  "src/cli/commands/platform/ads.ts: answerback ads attribution ${KEY}",
  "src/cli/init/project-files.ts: npx answerback ${command}",
  "src/cli/init/project-files.ts: npx answerback x   # ${outcome}",
  "src/cli/live/go-live.ts: npx answerback ${args.padEnd(15)}",
  "src/cli/live/go-live.ts: npx answerback x${dim(what)}",
];

describe("a command that is printed for people", () => {
  it("contains no value that is not quoted for a shell", async () => {
    const files = await glob("src/**/*.{ts,tsx}");
    const texts = await Promise.all(
      files.map(async (file) =>
        unquotedIn(await readFile(file, "utf8"), file).map(({ text }) => `${file}: ${text}`),
      ),
    );

    expect(files.length).toBeGreaterThan(500);
    expect(texts.flat().filter((text) => !FIXED.includes(text))).toEqual([]);
  });

  it.each([
    { why: "a path", code: "`go on with: rm ${file}`" },
    { why: "a second path", code: "`mv store.id ${file}`" },
    { why: "a flag", code: "` --config ${file}`" },
    { why: "a handle", code: "`answerback send @${handle} hi`" },
    { why: "a sum", code: '"rm " + file' },
    { why: "another function's", code: "`cd ${join(a, b)} && ls`" },
  ])("is found where it has $why in it", ({ code }) => {
    expect(unquotedIn(code)).toHaveLength(1);
  });

  it.each([
    { why: "is quoted", code: "`go on with: ${shell`rm ${file}`}`" },
    { why: "is one quoted word", code: "`rm ${shellWord(file)}`" },
    { why: "comes after the command", code: "`see answerback doctor, or ask ${person}`" },
    { why: "is in no command", code: "`${file} is missing`" },
  ])("may have a value that $why", ({ code }) => {
    expect(unquotedIn(code)).toEqual([]);
  });
});
