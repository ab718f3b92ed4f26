import { translate } from "../../events/translate.ts";
import { idAt, objectAt, objectsAt, textAt, type Wire, wireOf } from "../../events/wire.ts";
import type { ReadPort } from "../store/store.ts";

/** Dependencies of {@link withQuotedPosts}. */
export interface QuotedPostNeeds {
  readonly store: Pick<ReadPort, "journal">;
  /** Returns the handle of an account, without `@`. */
  readonly usernameOf: (account: string) => string | undefined;
}

const POST_KEYS = ["post_create_events", "tweet_create_events"] as const;

/**
 * Adds the quoted post to quotes that were delivered without it: quotes of the account's posts, and the account's own
 * quotes of posts that it received. The lane of an own quote needs the quoted author.
 *
 * A delivered quote may contain only the id and the URL of the quoted post. The URL shows the author's handle, and the
 * text of the account's own posts and of received posts is in the journal.
 *
 * @returns The same object if no quoted post is missing.
 */
export async function withQuotedPosts(needs: QuotedPostNeeds, delivery: object): Promise<object> {
  const body = wireOf(delivery);
  const account = idAt(body, "for_user_id");
  const key = POST_KEYS.find((one) => objectsAt(body, one).some(isIncomplete));
  if (body === undefined || account === undefined || key === undefined) return delivery;
  const elements: readonly unknown[] = [body[key]].flat();
  const posts = await Promise.all(
    elements.map((element) => {
      const post = wireOf(element);
      return post !== undefined && isIncomplete(post) ? completed(needs, account, post) : element;
    }),
  );
  return { ...body, [key]: posts };
}

function isIncomplete(post: Wire): boolean {
  return idAt(post, "quoted_status_id") !== undefined && !objectAt(post, "quoted_status");
}

async function completed(
  { store, usernameOf }: QuotedPostNeeds,
  account: string,
  post: Wire,
): Promise<Wire> {
  const id = idAt(post, "quoted_status_id") ?? "";
  const own = { id: account, username: usernameOf(account) };
  const address = textAt(objectAt(post, "quoted_status_permalink"), "expanded");
  const handle = address === undefined ? undefined : handleIn(address);
  const isQuoteByAccount = idAt(objectAt(post, "user")) === account;
  const isOther = handle !== undefined && handle !== own.username?.toLowerCase();
  if (isOther && !isQuoteByAccount) return post;
  const [row] = await store.journal({ account, key: `post:${id}`, bare: true, limit: 1 });
  const [arrival] = row === undefined ? [] : translate(JSON.parse(row.body), row.arrivedAt);
  const event = arrival?.event.kind === "post" ? arrival.event : undefined;
  const isAuthorKnown = isQuoteByAccount || event?.direction === "outbound";
  const author =
    (isAuthorKnown ? event?.post.author : undefined) ??
    (handle === undefined || isOther ? undefined : own);
  if (author === undefined) return post;
  const { username } = author;
  const user = { id_str: author.id, ...(username === undefined ? {} : { screen_name: username }) };
  return { ...post, quoted_status: { id_str: id, text: event?.post.text ?? "", user } };
}

/** Returns the handle from the URL of a post, in lower case. A URL with `/i/` instead of a handle leads to any post. */
function handleIn(address: string): string | undefined {
  return /^https?:\/\/[^/]+\/(?!i\/)(?<name>\w{1,15})\/status\/\d+/
    .exec(address)
    ?.groups?.["name"]?.toLowerCase();
}
