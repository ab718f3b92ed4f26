import * as z from "zod";
import { valueAt } from "../../../config/check-value.ts";
import type { Path } from "../../../config/yaml-document.ts";
import type { CompileContext } from "../../compile/compile-context.ts";
import type { Evaluated } from "../../compile/expression.ts";
import type { TextTemplate } from "../../compile/template.ts";
import type { StepRun } from "../../run/step.ts";
import { text } from "../../schema/pieces.ts";
import { missing, textToSend } from "./action-step.ts";
import { drawn } from "../drawn.ts";
import { shownText } from "../written-text.ts";

const option = z.strictObject({
  weight: z.number().positive("a weight is greater than 0").default(1),
  text,
});

const textMap = z.strictObject({
  text: text.optional(),
  options: z
    .array(option)
    .min(1, "this list is empty")
    .optional()
    .describe("Texts of which one is drawn: with weight 2 twice as often as with 1."),
});

/** What a step says: a text, or a map with it or with several of which one is drawn. */
export const saidText = z.union([text, textMap]);
type SaidText = z.infer<typeof saidText>;

/** What a step says, ready to be filled in. */
export interface Said {
  /** Each text that it can be. */
  readonly templates: readonly TextTemplate[];
  /** The text to send: the line break that a YAML block leaves at its end is not part of it. */
  readonly render: (run: StepRun) => Evaluated<string>;
}

/** Compiles what stands at `path` and fits {@link saidText}. */
export function compileSaid(context: CompileContext, path: Path, said: SaidText): Said | undefined {
  if (typeof said === "string") return oneText(context, path);
  const { options } = said;
  if (said.text !== undefined && options !== undefined) {
    const message = '"text" and "options" both say what is sent';
    const help = "write the text as one of the options:  - {weight: 1, text: …}";
    return context.report([...path, "text"], { code: "two-texts", message, help }, "key");
  }
  if (options !== undefined) return drawnText(context, [...path, "options"], options);
  if (said.text !== undefined) return oneText(context, [...path, "text"]);
  const message = `"text" is missing in ${context.label(path)}`;
  return context.report(path, { code: "missing-key", message, help: "add  text:" });
}

function oneText(context: CompileContext, path: Path): Said | undefined {
  const template = shownText(context, path);
  return template && { templates: [template], render: (run) => textToSend(template, run) };
}

function drawnText(
  context: CompileContext,
  path: Path,
  options: readonly { readonly weight: number }[],
): Said | undefined {
  const templates = options.map((_, index) => shownText(context, [...path, index, "text"]));
  if (!templates.every((template) => template !== undefined)) return undefined;
  const total = options.reduce((sum, { weight }) => sum + weight, 0);
  return {
    templates,
    render(run) {
      let left = drawn(`${run.seed}/option`) * total;
      const chosen = options.findIndex(({ weight }) => (left -= weight) < 0);
      const template = templates.at(chosen);
      return template ? textToSend(template, run) : missing("there is no text to draw from");
    },
  };
}

/** Where the text of option or step stands, for problems that concern it. */
export function pathOfSaid(context: CompileContext, path: Path, index: number): Path {
  const value = valueAt(context.document.value, path);
  if (typeof value === "string") return path;
  const options = valueAt(value, ["options"]);
  return options === undefined ? [...path, "text"] : [...path, "options", index, "text"];
}
