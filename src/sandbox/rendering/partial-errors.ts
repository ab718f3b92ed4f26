import type { HiddenReason } from "../model/hidden-reason.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { toCallerWord } from "../kernel/http/dialect.ts";
import type { RenderContext } from "./render-context.ts";

/** Type of an object in API v2. Callers of the tweet dialect get `tweet` instead of `post`. */
export type ResourceType =
  | "post"
  | "user"
  | "media"
  | "poll"
  | "place"
  | "list"
  | "space"
  | "dm_event"
  | "dm_conversation";

/** An entry of `errors` in a response that is otherwise successful. */
export interface PartialError {
  readonly title: string;
  readonly detail: string;
  readonly type: string;
  readonly resource_type: string;
  readonly resource_id?: string;
  readonly parameter: string;
  readonly value: string;
  readonly field?: string;
  readonly section?: string;
}

/** An object's type and id, and the parameter or field that names the object. */
export interface ObjectReference {
  readonly resource: ResourceType;
  readonly parameter: string;
  readonly value: string;
}

/**
 * Returns the entry of `errors` for an object that the request names and the response lacks. Source: partial errors of
 * the live service. The messages use the caller's dialect.
 */
export function partialErrorOf(
  context: RenderContext,
  reason: HiddenReason,
  reference: ObjectReference,
): PartialError {
  const { value } = reference;
  const resource = wireResource(context, reference.resource);
  const parameter = toCallerWord(reference.parameter, context.dialect);
  const fields = { resource_type: resource, resource_id: value, parameter, value };
  const type = (name: string): string => `${context.baseUrl}/2/problems/${name}`;
  switch (reason) {
    case "missing":
      return {
        ...fields,
        title: "Not Found Error",
        detail: `Could not find ${resource} with ${parameter}: [${value}].`,
        type: type("resource-not-found"),
      };
    case "suspended":
      return {
        ...fields,
        title: "Forbidden",
        detail: `User has been suspended: [${value}].`,
        type: type("resource-not-found"),
      };
    case "protected":
    case "blocked":
      return {
        ...fields,
        section: "data",
        title: "Authorization Error",
        detail: `Sorry, you are not authorized to see the ${resource} with ${parameter}: [${value}].`,
        type: type("not-authorized-for-resource"),
      };
  }
}

/** Returns the error for a private field that was requested with another user's token. */
export function privateFieldError(context: RenderContext, field: string, id: string): PartialError {
  const resource = wireResource(context, "post");
  return {
    resource_type: resource,
    parameter: "id",
    value: id,
    field,
    section: "data",
    title: "Field Authorization Error",
    detail: `Sorry, you are not authorized to access '${field}' on the ${resource} with id: [${id}].`,
    type: `${context.baseUrl}/2/problems/not-authorized-for-field`,
  };
}

/** Returns the error response to a request for a single object that is hidden. */
export function hiddenObjectError(
  context: RenderContext,
  reason: HiddenReason,
  reference: ObjectReference,
): ApiError {
  const error = partialErrorOf(context, reason, reference);
  const { title, detail, type, ...fields } = error;
  return new ApiError({
    status: reason === "missing" ? 404 : 403,
    code: reason === "missing" ? "not_found" : "forbidden",
    message: detail,
    title,
    problem: type.slice(type.lastIndexOf("/") + 1),
    extra: { ...fields, errors: [error] },
  });
}

function wireResource({ dialect }: RenderContext, resource: ResourceType): string {
  return resource === "post" && dialect === "tweet" ? "tweet" : resource;
}
