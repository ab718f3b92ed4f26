import * as z from "zod";

const mark = z.object({
  /** Id of the run of a process that set the mark. */
  run: z.string(),
  /** Rises while that run sends: from 1. */
  generation: z.number(),
});

/** A point in the life of a store. */
export type Mark = z.infer<typeof mark>;

const history = z.object({
  /** The latest mark of each run, oldest run first. */
  marks: z.array(mark),
  /** The store's file at the latest mark; absent for a database server. */
  file: z.string().exactOptional(),
  /** Time of the latest mark by the platform's clock, in milliseconds. */
  at: z.number(),
});

/** The life of a store as the store itself records it. */
export type History = z.infer<typeof history>;

/** Runs that a history records. An older run is forgotten, so a mark of that run counts as unknown. */
const MAX_RUNS = 64;

/** @throws {z.ZodError} for a text that is no history. */
export function readHistory(text: string): History {
  return history.parse(JSON.parse(text));
}

/** @throws {z.ZodError} for a text that is no mark. */
export function readMark(text: string): Mark {
  return mark.parse(JSON.parse(text));
}

/** The history with a newer mark. */
export function withMark(
  { marks }: Pick<History, "marks">,
  added: Mark,
  { at, file }: Omit<History, "marks">,
): History {
  const others = marks.filter(({ run }) => run !== added.run);
  const kept = [...others, added].slice(-MAX_RUNS);
  return { marks: kept, at, ...(file !== undefined && { file }) };
}

/** What is known at a start, besides the store. */
export interface Surroundings {
  /** The latest mark that this machine recorded of the store; undefined where it recorded none. */
  readonly recorded: Mark | undefined;
  /** The store's file now; undefined for a database server. */
  readonly file: string | undefined;
}

/**
 * Why answers may have been sent that the store does not know of; undefined where it continues its last run.
 *
 * @param stored The store's own history; undefined for one that has none yet.
 */
export function doubtOf(
  stored: History | undefined,
  { recorded, file }: Surroundings,
): string | undefined {
  if (recorded !== undefined) {
    const known = stored?.marks.find(({ run }) => run === recorded.run);
    if (known === undefined || known.generation < recorded.generation) {
      return "the store is older than its last run on this machine";
    }
  }
  if (stored?.file !== undefined && file !== undefined && stored.file !== file) {
    return "the store's file is not the one of its last run: it was copied or moved";
  }
  return undefined;
}
