import * as z from "zod";
import type { TextTemplate } from "../../expression/template.ts";
import type { StepBody } from "../../run/step.ts";
import { text } from "../../schema/pieces.ts";
import { defineStep, type FieldNeed, type StepKind } from "../step-kind.ts";
import { shownText } from "../written/written-text.ts";

/** Description of a step that is done to a post, a person or a message. */
export interface ObjectStep {
  readonly about: string;
  readonly example: string;
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
      const id = shownText(context, [...path, verb]);
      return id && bodyFor(id);
    },
  });
}
