import * as z from "zod";
import { OperationError } from "../operation.ts";
import type { DataScene } from "./scene.ts";
import type { FormField, ShownForm } from "./table.ts";

/** Something that a form makes: what it asks for, and what is done with it. */
export interface Maker<Given extends readonly unknown[]> {
  /** As it is filled in at first. */
  readonly form: (...given: Given) => ShownForm;
  /** Makes it, and says so in a sentence. @throws {OperationError} where what was filled in does not do. */
  readonly make: (scene: DataScene, values: unknown) => Promise<string>;
}

/** Ties a form to what is done with its values. */
export function maker<Given extends readonly unknown[], Values>(
  form: (...given: Given) => ShownForm,
  values: z.ZodType<Values>,
  make: (scene: DataScene, values: Values) => Promise<string>,
): Maker<Given> {
  return {
    form,
    make: async (scene, given) => {
      const read = values.safeParse(given);
      if (read.success) return make(scene, read.data);
      const faults = read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
      throw new OperationError(faults.join("; "));
    },
  };
}

/** What has to be filled in. */
export const filled = z.string().trim().min(1, "fill it in");

/** `a, b and c` apart. */
export const several = z
  .string()
  .transform((text) => text.split(",").flatMap((one) => one.trim() || []));

/** Of a field that has the options {@link YES_NO}. */
export const yesNo = z.enum(["no", "yes"]).transform((word) => word === "yes");
export const YES_NO = optionsOf(["no", "yes"]);

/** Options that are called what they are. */
export function optionsOf(words: readonly string[]): readonly (readonly [string, string])[] {
  return words.map((word) => [word, word] as const);
}

/** What the page sends along without showing it. */
export function hidden(name: string, value: string): FormField {
  return { name, label: "", value, type: "hidden" };
}
