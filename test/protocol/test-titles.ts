import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** Returns the titles of the tests in a file without running it; titles of tables contain their placeholders. */
export function testTitles(file: URL): ReadonlySet<string> {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(fileURLToPath(file), text, ts.ScriptTarget.Latest, true);
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(it|test)\b/.test(node.expression.getText())) {
      const [title, body] = node.arguments;
      if (body !== undefined && title !== undefined && ts.isStringLiteralLike(title)) {
        titles.add(title.text);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}
