import { Refusal } from "../kernel/refusal.ts";
import type { Reader } from "./reader.ts";
import { spell } from "./spell.ts";

/** Why somebody does not get to see an object. */
export type Unseen = "missing" | "suspended" | "protected" | "blocked";

/** What an object of the data interface is, in the post dialect. */
export type Resource =
  | "post"
  | "user"
  | "media"
  | "poll"
  | "place"
  | "dm_event"
  | "dm_conversation";

/** An entry of `errors` in an answer that is otherwise good. */
export interface Problem {
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

/** Which object, and which parameter or field named it. */
export interface Reference {
  readonly resource: Resource;
  readonly parameter: string;
  readonly value: string;
}

/**
 * Why an object that was named is not in the answer.
 *
 * Source: partial errors of the live service; its words, in the reader's dialect.
 */
export function problemOf(reader: Reader, why: Unseen, reference: Reference): Problem {
  const { value } = reference;
  const resource = wireResource(reader, reference.resource);
  const parameter = spell(reference.parameter, reader.dialect);
  const named = { resource_type: resource, resource_id: value, parameter, value };
  const type = (name: string): string => `${reader.baseUrl}/2/problems/${name}`;
  switch (why) {
    case "missing":
      return {
        ...named,
        title: "Not Found Error",
        detail: `Could not find ${resource} with ${parameter}: [${value}].`,
        type: type("resource-not-found"),
      };
    case "suspended":
      return {
        ...named,
        title: "Forbidden",
        detail: `User has been suspended: [${value}].`,
        type: type("resource-not-found"),
      };
    case "protected":
    case "blocked":
      return {
        ...named,
        section: "data",
        title: "Authorization Error",
        detail: `Sorry, you are not authorized to see the ${resource} with ${parameter}: [${value}].`,
        type: type("not-authorized-for-resource"),
      };
  }
}

/** A private field that somebody else's token asked for. */
export function fieldProblem(reader: Reader, field: string, id: string): Problem {
  const resource = wireResource(reader, "post");
  return {
    resource_type: resource,
    parameter: "id",
    value: id,
    field,
    section: "data",
    title: "Field Authorization Error",
    detail: `Sorry, you are not authorized to access '${field}' on the ${resource} with id: [${id}].`,
    type: `${reader.baseUrl}/2/problems/not-authorized-for-field`,
  };
}

/** The answer where the one object of a request is not to be seen. */
export function refuseUnseen(reader: Reader, why: Unseen, reference: Reference): Refusal {
  const problem = problemOf(reader, why, reference);
  const { title, detail, type, ...named } = problem;
  return new Refusal({
    status: why === "missing" ? 404 : 403,
    code: why === "missing" ? "not_found" : "forbidden",
    message: detail,
    title,
    problem: type.slice(type.lastIndexOf("/") + 1),
    extra: { ...named, errors: [problem] },
  });
}

function wireResource({ dialect }: Reader, resource: Resource): string {
  return resource === "post" && dialect === "tweet" ? "tweet" : resource;
}
