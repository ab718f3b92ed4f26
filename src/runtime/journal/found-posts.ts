import { foundAgainBody, isQuoteAlone } from "../../events/kinds/post.ts";
import { type TranslatedEvent, translate } from "../../events/translate.ts";
import { ComeAgain } from "../source.ts";
import type { ReadPort } from "../store/store.ts";
import { cameToNothing, foundRows, isOutdated, postIn } from "./edits.ts";

/**
 * Handles posts that a search has found although the journal already contains them, for example as a mention. If no
 * rule or bot has acted on such a post, it becomes another event, with the trigger `post.found`. A search query that
 * found the post before adds no event, and neither does a version of the post that was edited since.
 *
 * A post that was first delivered as a mention, and then as a quote, becomes another event with the trigger
 * `post.quoted` in the same way.
 *
 * @param duplicates Received events that the journal already contains.
 * @throws {ComeAgain} if rules and bots have not processed an earlier event of the post yet; the platform then repeats
 *   the delivery.
 */
export async function foundAmong(
  store: Pick<ReadPort, "journal">,
  duplicates: readonly TranslatedEvent[],
): Promise<readonly TranslatedEvent[]> {
  const foundPosts: TranslatedEvent[] = [];
  for (const { event, body } of duplicates) {
    if (event.kind !== "post" || event.direction !== "inbound") continue;
    if (event.foundBy === undefined && !isQuoteAlone(body)) continue;
    const first = await store.journal({ account: event.accountId, key: event.key, limit: 1 });
    const rows = [...first, ...(await foundRows(store, event))];
    const earlier = rows.flatMap((row) => postIn(row) ?? []);
    const earlierQueries = new Set(earlier.flatMap(({ foundBy = [] }) => foundBy));
    const queries = event.foundBy?.filter((query) => !earlierQueries.has(query)) ?? [];
    const isQuote =
      isQuoteAlone(body) && !earlier.some(({ triggers }) => triggers.includes("post.quoted"));
    if (queries.length === 0 && !isQuote) continue;
    if (await isOutdated(store, event, rows)) continue;
    if (rows.some(({ state }) => state === "open"))
      throw new ComeAgain("an earlier event of the post is not decided yet");
    if (!rows.every(cameToNothing)) continue;
    foundPosts.push(...translate(foundAgainBody(body, queries, rows.length), event.at));
  }
  return foundPosts;
}
