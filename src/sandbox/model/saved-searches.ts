import * as z from "zod";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";

const savedSearchSchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  ownerId: z.string(),
  query: z.string(),
  at: instant,
});

/** A query that a person has saved. */
export type SavedSearchRow = z.infer<typeof savedSearchSchema>;

export const savedSearches = defineTable({
  name: "saved_searches",
  schema: savedSearchSchema,
  key: (row) => row.id,
  order: (row) => row.id,
  indexes: { owner: (row) => row.ownerId },
});
