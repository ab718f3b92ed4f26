import * as z from "zod";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";
import { parseSearch } from "../search/parse.ts";
import { SearchSyntaxError } from "../search/tokens.ts";

const ruleSchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  appId: z.string(),
  /** A search query. */
  value: z.string().refine((value) => searchFault(value) === undefined, "is no search query"),
  tag: z.string().optional(),
  at: instant,
});

/** A rule of an app's filtered stream. */
export type StreamRuleRow = z.infer<typeof ruleSchema>;

/** What apps have their streams filtered by. */
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

/** Index key of a rule's text among those of its app. */
export function valueKey(appId: string, value: string): string {
  return `${appId}:${value}`;
}

/** What is wrong with a rule's text, as the live service words it; undefined where it is right. */
export function searchFault(value: string): string | undefined {
  try {
    parseSearch(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof SearchSyntaxError)) throw error;
    return `${error.message} (at position ${error.at})`;
  }
}
