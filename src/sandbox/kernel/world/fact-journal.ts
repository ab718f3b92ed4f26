import * as z from "zod";

/** Where the facts of a journal begin. */
const BASES = [
  /** In an empty world. */
  "nothing",
  /** Where the journal before ends, or the saved world that names this one. */
  "before",
  /** In the saved world that names it and nowhere else: the world was replaced. */
  "replaced",
] as const;

/** First line of a journal: its number, and the header of the world that it is of. */
export const journalHead = z.looseObject({
  journal: z.int().min(1),
  base: z.enum(BASES),
});

export type JournalHead = z.infer<typeof journalHead>;

/** What a world keeps beside its rows and what the sandbox keeps beside its world, as it changes. */
export interface Asides {
  readonly drawn?: number | undefined;
  readonly clock?: unknown;
  readonly settings?: unknown;
  readonly faults?: unknown;
}

/** One thing that changed: a row put, a row deleted by its key, or what is kept aside. */
export const fact = z.union([
  z.tuple([z.string().min(1), z.record(z.string(), z.unknown())]),
  z.tuple([z.string().min(1), z.null(), z.string()]),
  z.tuple([
    z.literal(""),
    z.strictObject({
      drawn: z.int().min(0).optional(),
      clock: z.unknown().optional(),
      settings: z.unknown().optional(),
      faults: z.unknown().optional(),
    }),
  ]),
]);

/** What one request changed, all or nothing. */
export const facts = z.array(fact);

export type Fact =
  | readonly [table: string, row: object]
  | readonly [table: string, row: null, key: string]
  | readonly [aside: "", Asides];
