import * as z from "zod";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";
import { parseSearch } from "../search/parse.ts";
import { SearchSyntaxError } from "../../protocol/search-query/tokens.ts";

const ruleSchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  appId: z.string(),
  /** Search query that posts must match. An old world may have operators that new rules can't have. */
  value: z.string().refine((value) => searchFault(value) === undefined, "is no search query"),
  tag: z.string().optional(),
  at: instant,
});

/** A rule of an app's filtered stream. */
export type StreamRuleRow = z.infer<typeof ruleSchema>;

/** Table of the rules that filter the streams of apps. */
export const streamRules = defineTable({
  name: "stream_rules",
  schema: ruleSchema,
  key: (row) => row.id,
  order: (row) => row.id,
  indexes: {
    app: (row) => row.appId,
    value: (row) => valueKey(row.appId, row.value),
  },
});

/** Returns the key of the index that finds an app's rule by its text. */
export function valueKey(appId: string, value: string): string {
  return `${appId}:${value}`;
}

/**
 * Returns the error of a rule's text in the live service's words; `undefined` for a valid text.
 *
 * @param check Throws a {@link SearchSyntaxError} for an invalid text.
 */
export function searchFault(
  value: string,
  check: (value: string) => unknown = parseSearch,
): string | undefined {
  try {
    check(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof SearchSyntaxError)) throw error;
    return `${error.message} (at position ${error.at})`;
  }
}
