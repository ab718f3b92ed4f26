import * as z from "zod";

/** State of the world to which a journal's facts (recorded changes) apply. */
const BASES = [
  /** An empty world. */
  "nothing",
  /** The world at the end of the previous journal, or the saved world that names this journal. */
  "before",
  /** Only the saved world that names this journal: the world was replaced. */
  "replaced",
] as const;

/** First line of a journal: its number, the state to which its facts apply, and the header of its world. */
export const journalHead = z.looseObject({
  journal: z.int().min(1),
  base: z.enum(BASES),
});

export type JournalHead = z.infer<typeof journalHead>;

/** Values stored beside the rows: number of random draws and clock of the world, settings and faults of the sandbox. */
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

/** Changes of one request, applied all or nothing. */
export const facts = z.array(fact);

export type Fact =
  | readonly [table: string, row: object]
  | readonly [table: string, row: null, key: string]
  | readonly [aside: "", StoredValues];
