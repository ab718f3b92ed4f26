import { OperationError } from "../operation.ts";
import { ADS_MAKERS } from "./ads-forms.ts";
import * as data from "./data-forms.ts";
import type { DataKind } from "./data-kinds.ts";
import * as objects from "./object-forms.ts";
import type { DataScene } from "./scene.ts";
import type { ShownForm } from "./table.ts";

/** Forms with the functions that create their objects, by the name that forms and table buttons send. */
const MAKERS = { ...data, ...objects, ...ADS_MAKERS } as const;

/** Functions that build the form for creating an object, by kind. */
export const DATA_FORMS: Readonly<Record<DataKind, (scene: DataScene) => ShownForm>> = {
  users: data.person.form,
  posts: data.post.form,
  messages: data.message.form,
  media: data.medium.form,
  polls: data.poll.form,
  places: data.place.form,
  lists: data.list.form,
  spaces: data.space.form,
};

/** Creates an object from a form. @returns A sentence about the result. @throws {OperationError} for invalid values. */
export async function makeOf(scene: DataScene, what: string, values: unknown): Promise<string> {
  const makerEntry = Object.entries(MAKERS).find(([name]) => name === what);
  if (makerEntry === undefined) throw new OperationError(`nothing makes ${what}`, 404);
  return makerEntry[1].make(scene, values);
}
