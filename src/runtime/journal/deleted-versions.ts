import { laneOf } from "../../events/lane.ts";
import { idAt, objectAt, objectsAt, type Wire, wireOf } from "../../events/wire.ts";
import type { ReadPort } from "../store/store.ts";
import { postIn } from "./edits.ts";

const DELETE_KEYS = ["post_delete_events", "tweet_delete_events"] as const;

/** Maximum number of the author's latest entries that are searched for the deleted version. */
const SEARCHED_ENTRIES = 100;

/**
 * Adds the id of a post's first version (`edit_of`) to deletions of later versions.
 *
 * When an edited post is deleted, the platform sends a deletion for each version, without the edit history. With the id
 * of the first version, all these deletions become one event.
 *
 * @returns The same object if nothing has to be added.
 */
export async function withFirstVersions(
  store: Pick<ReadPort, "journal">,
  delivery: object,
): Promise<object> {
  const body = wireOf(delivery);
  const account = idAt(body, "for_user_id");
  const key = DELETE_KEYS.find((one) => objectsAt(body, one).length > 0);
  if (body === undefined || account === undefined || key === undefined) return delivery;
  const elements = await Promise.all(
    objectsAt(body, key).map(async (element): Promise<Wire> => {
      const first = await firstVersionOf(store, account, objectAt(element, "status"));
      if (first === undefined) return element;
      return { ...element, status: { ...objectAt(element, "status"), edit_of: first } };
    }),
  );
  const isSame = objectsAt(body, key).every((element, index) => element === elements[index]);
  return isSame ? delivery : { ...body, [key]: elements };
}

/**
 * Finds the id of a post's first version in the journal, by a deleted later version; undefined if the journal lacks it.
 */
async function firstVersionOf(
  store: Pick<ReadPort, "journal">,
  account: string,
  status: Wire | undefined,
): Promise<string | undefined> {
  const id = idAt(status);
  const author = idAt(status, "user_id");
  if (id === undefined || author === undefined) return undefined;
  const edited = await store.journal({ account, key: `post_edited:${id}`, bare: true, limit: 1 });
  const rows =
    edited.length > 0
      ? edited
      : await store.journal({
          account,
          lane: laneOf(account, author),
          bare: true,
          limit: SEARCHED_ENTRIES,
        });
  for (const row of rows) {
    if (row.kind !== "post" || !row.body.includes(id)) continue;
    const post = postIn(row)?.post;
    if (post?.id === id) return post.versions?.[0];
  }
  return undefined;
}
