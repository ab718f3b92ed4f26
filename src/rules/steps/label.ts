import * as z from "zod";
import type { StepContext } from "./step-context.ts";
import type { Evaluated } from "../expression/expression.ts";
import type { TextTemplate } from "../expression/template.ts";
import { keyOf } from "../schema/state-keys.ts";
import { stateOf } from "../evaluation/state-view.ts";
import type { View } from "../expression/view.ts";
import { texts } from "../schema/pieces.ts";
import { A_PERSON } from "./platform/action-step.ts";
import { defineStep } from "./step-kind.ts";
import { shownText } from "./written/written-text.ts";
import type { Path } from "../../config/yaml-document.ts";
import { fold } from "../../text/fold.ts";
import { example } from "../example.ts";

/** Maximum number of labels per person. A longer list is a mistake, such as labels that are never removed. */
const MAX_LABELS = 100;
const LABELS = { kind: "labels" } as const;

/** `label: {add: [..], remove: [..]}` changes the labels of the person, which rules read as `sender.labels`. */
export const label = defineStep({
  example: example`
    conditions: [{ message.text: { contains_word: vip } }]
    actions:
      - label: { add: [vip], remove: [new] }
  `,
  shape: {
    label: z
      .strictObject({
        add: texts.max(MAX_LABELS, `a person has at most ${MAX_LABELS} labels`).optional(),
        remove: texts.optional(),
      })
      .describe("Change the person's labels: sender.labels."),
  },
  needs: A_PERSON,
  compile({ context, path, keys }) {
    const at = [...path, "label"];
    const { add = [], remove = [] } = keys.label;
    if (add.length + remove.length === 0) {
      const help = "write  label: {add: [NAME]}  or  label: {remove: [NAME]}";
      return context.report(at, { code: "missing-key", message: "no label is named", help });
    }
    const added = compileTexts(context, [...at, "add"], add);
    const removed = compileTexts(context, [...at, "remove"], remove);
    if (!added || !removed) return undefined;
    context.uses(LABELS);
    return {
      perform({ event, view, read }) {
        const [more, less] = [rendered(added, view), rendered(removed, view)];
        if (!more.ok) return { kind: "not-ready", message: more.error };
        if (!less.ok) return { kind: "not-ready", message: less.error };
        const storedLabels = stateOf(LABELS, event, read);
        const before = Array.isArray(storedLabels)
          ? storedLabels.filter((one) => typeof one === "string")
          : [];
        // equal as for conditions, whose operators fold the labels
        const removedLabels = new Set(less.value.map((one) => fold(one)));
        const byName = new Map<string, string>();
        for (const one of [...before, ...more.value]) {
          const name = fold(one);
          if (!byName.has(name) && !removedLabels.has(name)) byName.set(name, one);
        }
        const after = [...byName.values()];
        if (after.length > MAX_LABELS) {
          return { kind: "not-ready", message: `a person has at most ${MAX_LABELS} labels` };
        }
        const value = after.length === 0 ? undefined : after;
        return { kind: "remember", writes: [{ key: keyOf(LABELS, event), value }] };
      },
    };
  },
});

function compileTexts(
  context: StepContext,
  path: Path,
  written: readonly string[],
): readonly TextTemplate[] | undefined {
  const compiled = written.map((_, index) => shownText(context, [...path, index]));
  return compiled.every((one) => one !== undefined) ? compiled : undefined;
}

function rendered(templates: readonly TextTemplate[], view: View): Evaluated<readonly string[]> {
  const values: string[] = [];
  for (const template of templates) {
    const one = template.render(view);
    if (!one.ok) return one;
    if (one.value !== "") values.push(one.value);
  }
  return { ok: true, value: values };
}
