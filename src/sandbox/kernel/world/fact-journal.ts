import * as z from "zod";

/** Starting point of a journal: the state of the world to which its facts (recorded changes) are applied. */
const BASES = [
  /** An empty world. */
  "nothing",
  /** The world at the end of the previous journal, or the saved world whose header names this journal's number. */
  "before",
  /** Only the saved world whose header names this journal's number, because a restore or reset replaced the world. */
  "replaced",
] as const;

/** First line of a journal file: the journal's number, its starting point, and the header of its world. */
export const journalHead = z.looseObject({
  journal: z.int().min(1),
  base: z.enum(BASES),
});

export type JournalHead = z.infer<typeof journalHead>;

/** Values stored beside the table rows: draw count and clock of the world, settings and faults of the sandbox. */
export interface StoredValues {
  readonly drawn?: number | undefined;
  readonly clock?: unknown;
  readonly settings?: unknown;
  readonly faults?: unknown;
}

/** A change: a row put, a row deleted by its key, or a value stored beside the rows. */
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

/** A line of a journal: the changes of one request, which are applied together or not at all. */
export const facts = z.array(fact);

export type Fact =
  | readonly [table: string, row: object]
  | readonly [table: string, row: null, key: string]
  | readonly [aside: "", StoredValues];
