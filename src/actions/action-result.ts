import * as z from "zod";
import type { Json } from "../protocol/json.ts";

/** Result of a performed action, as rules read it in `steps.ID.result`: `{ "post_id": "1" }`. */
export interface ActionResult {
  readonly [name: string]: Json;
}

/** The schema of {@link ActionResult}. */
export const actionResult: z.ZodType<ActionResult> = z.record(z.string(), z.json());

/** Types of a result's fields, by name. A nested `ResultFields` describes an object or null. */
export interface ResultFields {
  readonly [name: string]: ResultFieldType | ResultFields;
}

/** Type of a field. `any` is an object whose fields the platform's description does not list. */
export type ResultFieldType = "text" | "number" | "boolean" | "any";

/** Account that performed an action, and the object that the action created. */
export interface PerformedAs {
  /** User id of the account. */
  readonly account: string;
  /** Id of the created message event or post; absent if none was created or its id is unknown. */
  readonly platformId?: string | undefined;
}

/** Form of the results of a verb. An outbox item stores its result only if the result differs from {@link of}. */
export interface ResultKind<A> {
  readonly fields: ResultFields;
  /** Computes the fields that need no response of the platform: from the action and the id of the created object. */
  of(action: A, performed: PerformedAs): ActionResult;
  /** Further fields that only the platform's response has, with their usual values. For tests and dry runs. */
  readonly usual?: ActionResult;
}

/** Result of a published post. */
export const postResult: ResultKind<unknown> = {
  fields: { post_id: "text" },
  of: (_action, { platformId }) => withId("post_id", platformId),
};

/** Result of a verb that sets a state: `{ liked: true }`. */
export function stateResult(name: string, value: boolean): ResultKind<unknown> {
  return { fields: { [name]: "boolean" }, of: () => ({ [name]: value }) };
}

/** Returns `{ [name]: id }`; an empty object if the id is unknown. */
export function withId(name: string, id: string | undefined): ActionResult {
  return id === undefined ? {} : { [name]: id };
}
