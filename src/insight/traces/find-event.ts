import type { AccountEvent } from "../../events/event.ts";
import { UsageError } from "../../errors.ts";
import { eventOf } from "../../runtime/runs.ts";
import type { Answers } from "../../runtime/vocabulary.ts";
import type { JournalReader } from "./needs.ts";

/** An entry of the journal with its event. */
export interface FoundEvent {
  readonly row: Answers["journal"][number];
  readonly event: AccountEvent;
}

/** Maximum number of entries that `last` searches for an inbound event. */
const LOOK_BACK = 50;

/**
 * Finds an event by its number, by its key, by `last` or by a handle such as `@ana`. `last` is the newest event that
 * the bot account did not cause itself, if the latest entries have one. A handle finds the newest event of this person.
 *
 * @throws {UsageError} when no event matches.
 */
export async function findEvent(stored: JournalReader, which: string): Promise<FoundEvent> {
  if (which.startsWith("@")) return latestOf(stored, which);
  if (which === "last") {
    const rows = (await stored.journal({ limit: LOOK_BACK })).map(withEvent);
    const latest = rows.find(({ event }) => event.direction === "inbound") ?? rows[0];
    if (latest !== undefined) return latest;
    throw new UsageError("the bot has received no event");
  }
  const query = /^\d+$/.test(which) ? { seq: Number(which) } : { key: which };
  const [row] = await stored.journal({ ...query, limit: 1 });
  if (row !== undefined) return withEvent(row);
  throw new UsageError(`the journal has no event ${which}`, {
    hint: "list them with: answerback journal",
  });
}

/**
 * Returns the lane of the latest conversation with a person.
 *
 * @param person Handle with or without `@`, or user id.
 * @throws {UsageError} when the journal has no event of the person.
 */
export async function conversationWith(stored: JournalReader, person: string): Promise<string> {
  return (await latestOf(stored, `@${person.replace(/^@/, "")}`)).row.lane;
}

/** Number of entries that are read at a time, and maximum number that are searched for a person. */
const [PAGE, MAX_READ] = [200, 10_000];

async function latestOf(stored: JournalReader, handle: string): Promise<FoundEvent> {
  const { newest, isWhole } = await search(stored, handle);
  if (newest !== undefined) return newest;
  if (!isWhole) {
    throw new UsageError(
      `nothing from ${handle} is among the latest ${MAX_READ} events of the bot`,
      {
        hint: "name an older event by its number, or its conversation by --lane: answerback journal",
      },
    );
  }
  throw new UsageError(`the bot has received nothing from ${handle}`, {
    hint: "see from whom it has: answerback journal; whether deliveries come: answerback doctor",
  });
}

/**
 * Finds the newest message or post of a person, else the person's newest event of another kind; undefined if the latest
 * {@link MAX_READ} entries of the journal have none.
 *
 * @param handle Handle with `@`, or `@` and a user id.
 */
export async function newestOf(
  stored: JournalReader,
  handle: string,
): Promise<FoundEvent | undefined> {
  return (await search(stored, handle)).newest;
}

interface SearchResult {
  readonly newest?: FoundEvent | undefined;
  /** Whether the whole journal was searched. */
  readonly isWhole?: boolean;
}

async function search(stored: JournalReader, handle: string): Promise<SearchResult> {
  const wanted = handle.slice(1).toLowerCase();
  let newest: FoundEvent | undefined;
  for (let before: number | undefined, looked = 0; looked < MAX_READ; looked += PAGE) {
    const rows = await stored.journal({ limit: PAGE, ...(before !== undefined && { before }) });
    for (const row of rows) {
      const event = readableEvent(row);
      if (event?.direction !== "inbound" || !isFrom(event, wanted)) continue;
      if (event.kind === "message" || event.kind === "post") return { newest: { row, event } };
      newest ??= { row, event };
    }
    before = rows.at(-1)?.seq;
    if (rows.length < PAGE) return { newest, isWhole: true };
  }
  return { newest };
}

function isFrom(event: AccountEvent, wanted: string): boolean {
  if (!("sender" in event)) return false;
  return event.sender.username?.toLowerCase() === wanted || event.sender.id === wanted;
}

function withEvent(row: Answers["journal"][number]): FoundEvent {
  return { row, event: eventOf(row) };
}

/**
 * Returns the event of a journal entry; undefined if an older version stored it in a format that this version can't
 * read.
 */
export function readableEvent(row: FoundEvent["row"]): AccountEvent | undefined {
  try {
    return eventOf(row);
  } catch {
    return undefined;
  }
}
