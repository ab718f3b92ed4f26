import type { PostEvent } from "../../events/event.ts";
import { editedBody, formerKeys } from "../../events/kinds/post.ts";
import { type TranslatedEvent, translate } from "../../events/translate.ts";
import type { ReadPort } from "../store/store.ts";

/**
 * Finds edits among events that the journal has already: later versions of a post that it has an earlier one of.
 *
 * Versions of one post have one key, so only the version that is received first is the post's event. A later one
 * becomes an event of its own, `post.edited`, with the text of the version before it. A version that is delivered
 * again, or after a later one, is no edit.
 */
export async function editsAmong(
  store: Pick<ReadPort, "journal">,
  duplicates: readonly TranslatedEvent[],
): Promise<readonly TranslatedEvent[]> {
  const edits: TranslatedEvent[] = [];
  for (const { event, body } of duplicates) {
    if (event.kind !== "post" || event.triggers.length === 0) continue;
    const former = await formerVersion(store, event);
    if (former === undefined) continue;
    edits.push(...translate(editedBody(body, former.post.text), event.at));
  }
  return edits;
}

/** The latest version before that of `event` in the journal. */
async function formerVersion(
  store: Pick<ReadPort, "journal">,
  event: PostEvent,
): Promise<PostEvent | undefined> {
  const versions = event.post.versions ?? [];
  for (const key of formerKeys(event)) {
    const [row] = await store.journal({ account: event.accountId, key, bare: true, limit: 1 });
    if (row === undefined) continue;
    const [found] = translate(JSON.parse(row.body), row.arrivedAt);
    if (found?.event.kind !== "post") continue;
    const { post } = found.event;
    // The first version received stands under the key of the whole post, whichever version that is.
    const isEarlier = (post.versions?.length ?? 1) < versions.length;
    return isEarlier && post.id !== event.post.id ? found.event : undefined;
  }
  return undefined;
}
