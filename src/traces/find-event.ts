import type { AccountEvent } from "../events/event.ts";
import { UsageError } from "../errors.ts";
import type { Answers } from "../runtime/control/contract.ts";
import { eventOf } from "../runtime/runs/entry-event.ts";
import type { JournalReader } from "./needs.ts";

/** An entry of the journal with its event. */
export interface FoundEvent {
  readonly row: Answers["journal"][number];
  readonly event: AccountEvent;
}

/** How far back `last` looks for something that another person did. */
const LOOK_BACK = 50;

/**
 * The event that a person means: its number, its key, or `last`, the newest that another person caused.
 *
 * @throws {UsageError} when there is none.
 */
export async function findEvent(stored: JournalReader, which: string): Promise<FoundEvent> {
  if (which === "last") {
    const rows = (await stored.journal({ limit: LOOK_BACK })).map(withEvent);
    const found = rows.find(({ event }) => event.direction === "inbound") ?? rows[0];
    if (found !== undefined) return found;
    throw new UsageError("the bot has received no event");
  }
  const query = /^\d+$/.test(which) ? { seq: Number(which) } : { key: which };
  const [row] = await stored.journal({ ...query, limit: 1 });
  if (row !== undefined) return withEvent(row);
  throw new UsageError(`the journal has no event ${which}`, {
    hint: "list them with: answerback journal",
  });
}

function withEvent(row: Answers["journal"][number]): FoundEvent {
  return { row, event: eventOf(row) };
}

/** The event of an entry; undefined where this version can't read any more what an older one kept. */
export function readableEvent(row: FoundEvent["row"]): AccountEvent | undefined {
  try {
    return eventOf(row);
  } catch {
    return undefined;
  }
}
