import * as z from "zod";

const mark = z.object({
  /** Id of the process run that set the mark. A process run lasts from a start of the bot to its stop. */
  run: z.string(),
  /** Number of the mark within its process run, from 1. Rises as long as the run sends answers. */
  generation: z.number(),
});

/** Mark that a process run writes to the store and to its machine, to detect later that the store is an older copy. */
export type Mark = z.infer<typeof mark>;

const history = z.object({
  /** Latest mark of each process run, oldest run first. */
  marks: z.array(mark),
  /** Identity of the store's file at the latest mark; absent for a database server. */
  file: z.string().exactOptional(),
  /** Time of the latest mark by the platform's clock, in milliseconds. */
  at: z.number(),
});

/** History of a store, as recorded in the store itself. */
export type History = z.infer<typeof history>;

/** Maximum number of process runs in a history. A mark of an older run counts as unknown. */
const MAX_RUNS = 64;

/** Parses a history. @throws {z.ZodError} if the text is not a history. */
export function readHistory(text: string): History {
  return history.parse(JSON.parse(text));
}

/** Parses a mark. @throws {z.ZodError} if the text is not a mark. */
export function readMark(text: string): Mark {
  return mark.parse(JSON.parse(text));
}

/** Returns the history with the added mark, which replaces the earlier mark of the same process run. */
export function withMark(
  { marks }: Pick<History, "marks">,
  added: Mark,
  { at, file }: Omit<History, "marks">,
): History {
  const others = marks.filter(({ run }) => run !== added.run);
  const latest = [...others, added].slice(-MAX_RUNS);
  return { marks: latest, at, ...(file !== undefined && { file }) };
}

/** Facts at the start of a process run that come from outside the store's content. */
export interface Surroundings {
  /** Latest mark of the store that is recorded on this machine; undefined if there is none. */
  readonly recorded: Mark | undefined;
  /** Current identity of the store's file; undefined for a database server. */
  readonly file: string | undefined;
}

/**
 * Returns the reason why the store may lack answers that were sent; undefined if the store is up to date.
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
