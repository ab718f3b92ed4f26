import type { LookedUpKind } from "./looked-up.ts";
import type { Json } from "../protocol/json.ts";

/** User or post to look up on the platform, with the fields to return. */
export interface Lookup {
  readonly of: LookedUpKind;
  /** Kind of the name: a post has only an id. */
  readonly by: "id" | "username";
  /** Id, or handle without `@`. */
  readonly name: string;
  /** Requested fields by their names in rules: `followers_count`. */
  readonly fields: readonly string[];
}

/** Outcome of a look-up. */
export type LookupOutcome =
  | { readonly ok: true; readonly result: Readonly<Record<string, Json>> }
  | {
      readonly ok: false;
      readonly code: LookupFailure;
      readonly error: string;
      /** Status of the platform's answer. Absent if there was none. */
      readonly status?: number;
    };

/**
 * Reason why a look-up fails: the object does not exist or no longer does, the account may not see it, or the platform
 * did not answer.
 */
export type LookupFailure = "not-found" | "not-visible" | "lookup-failed";

/** Returns the object of a look-up in words: `user 42`, `@ana`, `post 7`. */
export function lookupInWords({ of, by, name }: Lookup): string {
  return by === "username" ? `@${name}` : `${of} ${name}`;
}
