import * as z from "zod";

const mark = z.object({
  /** Id of the process run that set the mark. */
  run: z.string(),
  /** Generation within that run: from 1, rises while the run sends. */
  generation: z.number(),
});

/** Point in the history of a store. */
export type Mark = z.infer<typeof mark>;

const history = z.object({
  /** Latest mark of each run, oldest run first. */
  marks: z.array(mark),
  /** Identity of the store's file at the latest mark; absent for a database server. */
  file: z.string().exactOptional(),
  /** Time of the latest mark by the platform's clock, in milliseconds. */
  at: z.number(),
});

/** History of a store, as recorded in the store itself. */
export type History = z.infer<typeof history>;

/** Number of runs that a history records. A mark of an older run counts as unknown. */
const MAX_RUNS = 64;

/** @throws {z.ZodError} if the text is not a history. */
export function readHistory(text: string): History {
  return history.parse(JSON.parse(text));
}

/** @throws {z.ZodError} if the text is not a mark. */
export function readMark(text: string): Mark {
  return mark.parse(JSON.parse(text));
}

/** Returns the history with a newer mark. */
export function withMark(
  { marks }: Pick<History, "marks">,
  added: Mark,
  { at, file }: Omit<History, "marks">,
): History {
  const others = marks.filter(({ run }) => run !== added.run);
  const latest = [...others, added].slice(-MAX_RUNS);
  return { marks: latest, at, ...(file !== undefined && { file }) };
}

/** Facts known at a start from outside the store. */
export interface Surroundings {
  /** Latest mark that this machine recorded of the store; undefined if it recorded none. */
  readonly recorded: Mark | undefined;
  /** Identity of the store's file now; undefined for a database server. */
  readonly file: string | undefined;
}

/**
 * Returns the reason why answers may have been sent that are missing in the store; undefined if the store continues its last
 * run.
 *
 * @param stored The store's own history; undefined if it has none yet.
 */
export function doubtOf(
  stored: History | undefined,
  { recorded, file }: Surroundings,
): string | undefined {
  if (recorded !== undefined) {
    const ownMark = stored?.marks.find(({ run }) => run === recorded.run);
    if (ownMark === undefined || ownMark.generation < recorded.generation) {
      return "the store is older than its last run on this machine";
    }
  }
  if (stored?.file !== undefined && file !== undefined && stored.file !== file) {
    return "the store's file is not the one of its last run: it was copied or moved";
  }
  return undefined;
}
