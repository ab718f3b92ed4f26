import type { PostEvent } from "../../events/event.ts";
import { editedBody, formerKeys, foundKey } from "../../events/kinds/post.ts";
import { type TranslatedEvent, translate } from "../../events/translate.ts";
import { textAt, objectAt, wireOf } from "../../events/wire.ts";
import type { JournalRow, ListedRun } from "../store/listings.ts";
import type { ReadPort } from "../store/store.ts";

/**
 * Finds edits among events whose keys the journal already contains, and returns them as events with the trigger
 * `post.edited`.
 *
 * All versions of a post have the same key, so only the version that is received first becomes an event with that key.
 * A later version becomes a separate event, with the previous text. A repeated or outdated version is not an edit.
 *
 * An edit also has the triggers of its post (`post.mentioned` …), unless a rule or bot has acted on an earlier version.
 * Example: no rule matches "@bot opening huors"; after an edit to "@bot opening hours", a rule can answer the post. The
 * earlier versions may still be undecided, so {@link isAnsweredEdit} checks them again when the edit is decided.
 */
export async function editsAmong(
  store: Pick<ReadPort, "journal">,
  duplicates: readonly TranslatedEvent[],
): Promise<readonly TranslatedEvent[]> {
  const edits: TranslatedEvent[] = [];
  for (const { event, body } of duplicates) {
    if (event.kind !== "post" || event.triggers.length === 0) continue;
    const rows = await formerRows(store, event);
    const former = rows[0] && postIn(rows[0]);
    if (former === undefined || former.post.id === event.post.id) continue;
    if (await isOutdated(store, event, rows)) continue;
    const isUnanswered =
      event.direction === "inbound" &&
      rows.every((row) => row.state === "open" || cameToNothing(row));
    edits.push(...translate(editedBody(body, former.post.text, isUnanswered), event.at));
  }
  return edits;
}

/**
 * Whether an edit must not be answered as a new post, because a rule or bot has acted on an earlier version, or the
 * journal has a later version. To be called when the edit is decided: the earlier versions are in the same lane, so
 * they are decided then.
 */
export async function isAnsweredEdit(
  store: Pick<ReadPort, "journal">,
  event: PostEvent,
): Promise<boolean> {
  const rows = await formerRows(store, event);
  return !rows.every(cameToNothing) || (await isOutdated(store, event, rows));
}

/**
 * Reads the journal entries of the versions before the version in `event`, latest version first; then those of the
 * post's later events as found or quoted.
 */
async function formerRows(
  store: Pick<ReadPort, "journal">,
  event: PostEvent,
): Promise<readonly JournalRow[]> {
  const rows: JournalRow[] = [];
  for (const key of formerKeys(event))
    rows.push(...(await store.journal({ account: event.accountId, key, limit: 1 })));
  return rows.length === 0 ? rows : [...rows, ...(await foundRows(store, event))];
}

/** Reads the journal entries of a post's later events as found or quoted, in order. */
export async function foundRows(
  store: Pick<ReadPort, "journal">,
  event: PostEvent,
): Promise<readonly JournalRow[]> {
  const rows: JournalRow[] = [];
  for (;;) {
    const key = foundKey(event, rows.length + 1);
    const [row] = await store.journal({ account: event.accountId, key, limit: 1 });
    if (row === undefined) return rows;
    rows.push(row);
  }
}

/**
 * Whether the journal has a later version of the post. Searches the entries of the lane, back to the post's first entry.
 *
 * @param rows Entries of the post, among them the first one.
 */
export async function isOutdated(
  store: Pick<ReadPort, "journal">,
  { accountId: account, lane, post }: PostEvent,
  rows: readonly JournalRow[],
): Promise<boolean> {
  const since = Math.min(...rows.map(({ seq }) => seq));
  const firstId = post.versions?.[0] ?? post.id;
  for (let before = {}; ;) {
    // Reads single entries: to fill a longer page, the store would search the whole journal.
    const [row] = await store.journal({ account, lane, ...before, bare: true, limit: 1 });
    if (row === undefined || row.seq < since) return false;
    const other = row.body.includes(firstId) ? postIn(row)?.post : undefined;
    if (other?.versions?.[0] === firstId && isNewer(other.id, post.id)) return true;
    before = { before: row.seq };
  }
}

/** Whether an id is newer than another. Ids rise with time, and newer ones may have more digits. */
function isNewer(id: string, other: string): boolean {
  return id.length === other.length ? id > other : id.length > other.length;
}

/** Returns the post event in a journal entry; undefined if the entry has another kind of event. */
export function postIn({ body, arrivedAt }: JournalRow): PostEvent | undefined {
  const [first] = translate(JSON.parse(body), arrivedAt);
  return first?.event.kind === "post" ? first.event : undefined;
}

/** Whether no rule or bot has acted on the version in an entry. Runs that only an edit started are ignored. */
export function cameToNothing({ state, decision, runs }: JournalRow): boolean {
  if (state !== "done" || decision === undefined) return false;
  const decided = wireOf(JSON.parse(decision));
  const isTaken = textAt(decided, "takenBy") !== undefined;
  return !isTaken && textAt(decided, "paused") === undefined && runs.every(isAboutEdits);
}

/** Whether a run was started by the edit of a post, not by the post's first event. */
function isAboutEdits({ body }: ListedRun): boolean {
  const run = wireOf(JSON.parse(body));
  const triggers = run?.["triggers"] ?? [textAt(objectAt(run, "trigger"), "name")];
  return Array.isArray(triggers) && triggers.every((one) => one === "post.edited");
}
