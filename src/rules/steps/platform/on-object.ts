import * as z from "zod";
import type { TextTemplate } from "../../expression/template.ts";
import type { StepBody } from "../../run/step.ts";
import type { Mistake } from "../../../config/problem.ts";
import { text, WITH_EXPRESSION } from "../../schema/pieces.ts";
import { defineStep, type FieldNeed, type StepKind } from "../step-kind.ts";
import { shownText } from "../written/written-text.ts";

/** Description of a step that is done to a post, a person or a message. */
export interface ObjectStep {
  readonly about: string;
  readonly example: string;
}

/** Returns the mistake of a constant that is no id: the platform would refuse it in each run. */
function idMistake(verb: string, id: string, { field }: FieldNeed): Mistake | undefined {
  if (WITH_EXPRESSION.test(id) || /^\d+$/.test(id)) return undefined;
  const message = `"${id}" is not an id: an id has only digits`;
  if (/^(?:true|yes)$/i.test(id)) {
    return { code: "invalid-value", message, help: `write  ${verb}  alone` };
  }
  const isPath = /^[a-z]\w*(?:\.\w+)+$/.test(id);
  const isPerson = field === "sender.id";
  const other =
    isPerson && /^@?\w+$/.test(id)
      ? `look the id up:  { id: who, lookup: { username: ${id.replace("@", "")} } }  and  ${verb}: "\${{ steps.who.result.id }}"`
      : `for another one its id, as  ${verb}: "1234567890"`;
  const help = isPath ? `write  ${verb}: "\${{ ${id} }}"` : `write  ${verb}  alone, or ${other}`;
  return { code: "invalid-value", message, help };
}

/**
 * Creates a step that is done to the object of the event, or to the object whose id the step names.
 *
 * @param bodyFor Returns the body of the step; `id` is absent for the object of the event.
 */
export function stepOnObject(
  verb: string,
  needs: FieldNeed,
  { about, example }: ObjectStep,
  bodyFor: (id?: TextTemplate) => StepBody,
): StepKind {
  // the id of another object, as text or expression; an empty map (a key without a value) for the event's object
  const objectId = z.union([text, z.strictObject({})]);
  return defineStep({
    example,
    shape: { [verb]: objectId.describe(about) },
    needs,
    takesId: true,
    bare: () => bodyFor(),
    compile({ context, path, keys }) {
      if (typeof keys[verb] !== "string") return bodyFor();
      const at = [...path, verb];
      const mistake = idMistake(verb, keys[verb].trim(), needs);
      if (mistake !== undefined) return context.report(at, mistake);
      const id = shownText(context, at);
      return id && bodyFor(id);
    },
  });
}
