import * as z from "zod";
import { OperationError } from "../operation.ts";
import type { DataScene } from "./scene.ts";
import type { FormField, ShownForm } from "./table.ts";

/** A form, and the function that creates an object from the form's values. */
export interface Maker<Given extends readonly unknown[]> {
  /** Returns the form with its initial values. */
  readonly form: (...formArgs: Given) => ShownForm;
  /**
   * Creates the object from the form's values.
   *
   * @returns A sentence about the result.
   * @throws {OperationError} for invalid values.
   */
  readonly make: (scene: DataScene, values: unknown) => Promise<string>;
}

/** Combines a form with the function that creates an object from its values. `values` is their schema. */
export function maker<Given extends readonly unknown[], Values>(
  form: (...formArgs: Given) => ShownForm,
  values: z.ZodType<Values>,
  make: (scene: DataScene, values: Values) => Promise<string>,
): Maker<Given> {
  return {
    form,
    make: async (scene, rawValues) => {
      const read = values.safeParse(rawValues);
      if (read.success) return make(scene, read.data);
      const faults = read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
      throw new OperationError(faults.join("; "));
    },
  };
}

/** Schema of a required value in a form. */
export const filled = z.string().trim().min(1, "fill it in");

/** Schema of a comma-separated list in a form. */
export const several = z
  .string()
  .transform((text) => text.split(",").flatMap((one) => one.trim() || []));

/** Schema of a field with the options {@link YES_NO}. */
export const yesNo = z.enum(["no", "yes"]).transform((word) => word === "yes");
export const YES_NO = optionsOf(["no", "yes"]);

/** Returns the options of a select list whose labels are the values themselves. */
export function optionsOf(words: readonly string[]): readonly (readonly [string, string])[] {
  return words.map((word) => [word, word] as const);
}

/** Returns a hidden form field. */
export function hidden(name: string, value: string): FormField {
  return { name, label: "", value, type: "hidden" };
}
