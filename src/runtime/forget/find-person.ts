import type { ReadPort } from "../store/store.ts";

/** Number of journal entries read at a time. */
const PAGE = 200;

/**
 * Returns the user ids of the people who have had a handle in the journal, latest first; the user id itself if it is
 * passed. Usually it is one person, but a handle that was given up may be taken by another person.
 *
 * Searches only the journal, because a person who wants to be forgotten may have left the platform.
 *
 * @param idOrHandle User id, or a handle in any case, with or without `@`.
 */
export async function findPeople(
  store: Pick<ReadPort, "journal">,
  idOrHandle: string,
): Promise<readonly string[]> {
  if (/^\d+$/.test(idOrHandle)) return [idOrHandle];
  const ids = new Set<string>();
  const handle = idOrHandle.replace(/^@/, "").toLowerCase();
  for (let before: number | undefined; ;) {
    const from = before === undefined ? {} : { before };
    const rows = await store.journal({ ...from, limit: PAGE, bare: true });
    for (const { body } of rows) {
      if (!body.toLowerCase().includes(handle)) continue;
      const id = idIn(JSON.parse(body), handle);
      if (id !== undefined) ids.add(id);
    }
    before = rows.at(-1)?.seq;
    if (rows.length < PAGE) return [...ids];
  }
}

/** Finds the id of the user object with this handle at any depth. Supports the field names of all event formats. */
function idIn(value: unknown, handle: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { username, screen_name: screenName, id_str: idStr, id }: Person = value;
  const name = username ?? screenName;
  if (typeof name === "string" && name.toLowerCase() === handle) {
    const ownId = idStr ?? id;
    if (typeof ownId === "string") return ownId;
  }
  for (const [key, part] of Object.entries(value)) {
    const innerId = idIn(part, handle) ?? keyed(key, part, handle);
    if (innerId !== undefined) return innerId;
  }
  return undefined;
}

/** Returns `key` if `value` is the user with this handle. Message events list users in an object, by user id. */
function keyed(key: string, value: unknown, handle: string): string | undefined {
  if (!/^\d+$/.test(key) || typeof value !== "object" || value === null) return undefined;
  const { username, screen_name: screenName }: Person = value;
  const name = username ?? screenName;
  return typeof name === "string" && name.toLowerCase() === handle ? key : undefined;
}

interface Person {
  readonly username?: unknown;
  readonly screen_name?: unknown;
  readonly id_str?: unknown;
  readonly id?: unknown;
}
