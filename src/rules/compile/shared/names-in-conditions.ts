import type { Path } from "../../../config/yaml-document.ts";
import type { OperandFault } from "../../operators/operator.ts";
import type { CompileContext } from "../compile-context.ts";
import type { Names, OperatorTest } from "../matcher.ts";
import type { Looked } from "./dependency.ts";

/** Creates the lookups that operators use for lists and hours. Each use is recorded in the context. */
export function namesFor(context: CompileContext): Names {
  const finding =
    <T>(find: (name: string) => Looked<T>) =>
    (name: string): T | OperandFault => {
      const looked = find(name);
      if ("mistake" in looked) return { mistake: looked.mistake, part: { text: name } };
      if ("problems" in looked) return looked;
      context.dependsOn(looked.dependency);
      return looked.value;
    };
  const { lists, hours } = context.shared;
  return { list: finding((name) => lists.find(name)), hours: finding((name) => hours.find(name)) };
}

/** Fields with a person's text, which is seldom exactly an entry of a list. */
const WRITTEN_BY_PEOPLE: ReadonlySet<string> = new Set(["text", "message.text", "post.text"]);

/** Warns about a list without `match` on a field with a person's text: the whole text would have to be an entry. */
export function reportWholeText(
  context: CompileContext,
  field: string,
  path: Path,
  tests: readonly OperatorTest[],
): void {
  if (!WRITTEN_BY_PEOPLE.has(field)) return;
  const unsaid = tests
    .flatMap(({ test }) => test.lists ?? [])
    .some((list) => list.match === undefined);
  if (!unsaid) return;
  context.report(
    [...path, "in_list"],
    {
      code: "list-of-whole-texts",
      severity: "warning",
      message: `this holds only if the whole ${field} is an entry, because the list has no  match:`,
      help: "write at the list, under lists:  match: word  (or  match: exact)",
    },
    "key",
  );
}
