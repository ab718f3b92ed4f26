import type { PostEvent } from "../../events/event.ts";
import { editedBody, formerKeys } from "../../events/kinds/post.ts";
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
 * An edit also keeps the triggers of its post (`post.mentioned` …), unless a rule or bot has acted on an earlier
 * version. Example: no rule matches "@bot opening huors"; after an edit to "@bot opening hours", a rule can answer the
 * post.
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
    if (former === undefined || !isVersionBefore(event, former)) continue;
    const isUnanswered = event.direction === "inbound" && rows.every(cameToNothing);
    edits.push(...translate(editedBody(body, former.post.text, isUnanswered), event.at));
  }
  return edits;
}

/** Reads the journal entries of the versions before the version in `event`, latest version first. */
async function formerRows(
  store: Pick<ReadPort, "journal">,
  { accountId: account, ...event }: PostEvent,
): Promise<readonly JournalRow[]> {
  const rows: JournalRow[] = [];
  for (const key of formerKeys(event))
    rows.push(...(await store.journal({ account, key, limit: 1 })));
  return rows;
}

/** Returns the post event in a journal entry; undefined if the entry has another kind of event. */
export function postIn({ body, arrivedAt }: JournalRow): PostEvent | undefined {
  const [first] = translate(JSON.parse(body), arrivedAt);
  return first?.event.kind === "post" ? first.event : undefined;
}

/**
 * Whether `former` is an earlier version of the post. It may be a later one, because the post's first entry has the
 * version that was received first.
 */
function isVersionBefore({ post }: PostEvent, former: PostEvent): boolean {
  const isEarlier = (former.post.versions?.length ?? 1) < (post.versions?.length ?? 1);
  return isEarlier && former.post.id !== post.id;
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
