import type { LookedUpKind } from "../events/looked-up.ts";
import type { Json } from "../protocol/json.ts";
import type { AttributionParameters } from "./attributed-conversion.ts";

/** Look-up on the platform: of a user or post, or of a conversion's attribution. */
export type Lookup = ObjectLookup | AttributionLookup;

/** User or post to look up on the platform, with the fields to return. */
export interface ObjectLookup {
  readonly of: LookedUpKind;
  /** Whether `name` is an id or a handle; for a post, always `id`. */
  readonly by: "id" | "username";
  /** Id of the object, or handle without `@`. */
  readonly name: string;
  /** Requested fields by their names in rules: `followers_count`. */
  readonly fields: readonly string[];
}

/** Conversion whose attribution to look up. */
export interface AttributionLookup {
  readonly of: "attribution";
  readonly conversion: AttributionParameters;
}

/** Outcome of a look-up. */
export type LookupOutcome =
  | { readonly ok: true; readonly result: Readonly<Record<string, Json>> }
  | {
      readonly ok: false;
      readonly code: LookupFailure;
      readonly error: string;
      /** HTTP status of the platform's response. Absent without a response. */
      readonly status?: number;
    };

/**
 * Reason why a look-up fails: the object does not exist or no longer does, the account may not see it, or the platform
 * did not answer.
 */
export type LookupFailure = (typeof LOOKUP_FAILURES)[number];

/** Reasons why a look-up fails. */
export const LOOKUP_FAILURES = ["not-found", "not-visible", "lookup-failed"] as const;

/** Describes the object of a look-up in words: `user 42`, `@ana`, `post 7`, `the attribution of SIGN_UP of app 7`. */
export function lookupInWords(lookup: Lookup): string {
  if (lookup.of === "attribution") {
    const { conversion_type: type, app_id: app } = lookup.conversion;
    return `the attribution of ${type} of app ${app}`;
  }
  const { of, by, name } = lookup;
  return by === "username" ? `@${name}` : `${of} ${name}`;
}
