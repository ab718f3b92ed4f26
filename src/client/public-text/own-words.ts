import { UsageError } from "../../errors.ts";
import { textIn, writtenRange } from "../../protocol/public-text/written-range.ts";
import { isPageOf, type ShownLink, writtenText } from "../../protocol/written-text.ts";
import { isFields } from "../http/problem.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the text that the author of a post wrote. Handles that the platform adds before a reply are removed, and so
 * are added links to media and to a quoted post. Entities for `&`, `<` and `>` are decoded, short links are expanded,
 * and a longform post returns its full text. A link that was typed without a scheme begins with `http://`: the platform
 * does not report whether the author typed it.
 *
 * The leading handles are located by `display_text_range`: request it in `postFields`, with `entities`. If it is
 * missing, `in_reply_to_user_id` and the mentions are used instead.
 *
 * @param post A post object of version 2, or of version 1.1 (also of a webhook's delivery), in either dialect.
 * @throws UsageError for an object that has neither `text` nor `full_text`.
 *
 * @example
 * const { data: post } = await client.posts.get("1994000000000000910", {
 *   postFields: ["display_text_range", "entities", "in_reply_to_user_id", "note_post"],
 * });
 * console.log(ownWords(post));
 */
export function ownWords(post: object): string {
  const fields: Fields = { ...post };
  const whole = fieldsIn(fields, "extended_post", "extended_tweet", "note_post", "note_tweet");
  const text = textOf(whole) ?? textOf(fields);
  if (text === undefined) {
    throw new UsageError("the post has no text: neither text nor full_text is a string", {
      hint: "pass the post itself: data of an answer, or an element of post_create_events",
    });
  }
  const range = writtenRange({
    text,
    range: (whole ?? fields)["display_text_range"],
    short: whole && { text: textOf(fields) ?? "", range: fields["display_text_range"] },
    answered: () => answeredHandle(fields),
  });
  const entities = fieldsIn(whole, "entities") ?? fieldsIn(fields, "entities");
  const links = listIn(entities, "urls").flatMap(linkOf);
  return writtenText(textIn(text, range), links, addedLinks(fields, entities));
}

function textOf(fields: Fields | undefined): string | undefined {
  return stringIn(fields, "full_text") ?? stringIn(fields, "text");
}

/** Short addresses of the links that the platform adds for media and a quoted post. */
function addedLinks(post: Fields, entities: Fields | undefined): readonly string[] {
  const quoted =
    idIn(post, "quoted_status_id") ??
    idIn(
      listIn(post, "referenced_posts", "referenced_tweets").find((one) => one["type"] === "quoted"),
      "id",
    );
  const isAdded = (link: Fields): boolean =>
    stringIn(link, "media_key") !== undefined ||
    isPageOf(quoted, stringIn(link, "expanded_url") ?? "");
  const added = [...listIn(entities, "media"), ...listIn(entities, "urls").filter(isAdded)];
  // `entities` need not list the link to the quoted post
  const permalink = stringIn(fieldsIn(post, "quoted_status_permalink"), "url");
  const urls = added.flatMap(linkOf).map(({ url }) => url);
  return permalink === undefined ? urls : [...urls, permalink];
}

/** Handle of the user to whom a post replies; undefined if the post is no reply, or replies to its own author. */
function answeredHandle(post: Fields): string | undefined {
  const answered = idIn(post, "in_reply_to_user_id");
  const author = idIn(post, "author_id") ?? idIn(fieldsIn(post, "user"), "id");
  if (answered === undefined || answered === author) return undefined;
  const named = listIn(fieldsIn(post, "entities"), "user_mentions", "mentions").find(
    (one) => idIn(one, "id") === answered,
  );
  return (
    stringIn(named, "screen_name") ??
    stringIn(named, "username") ??
    stringIn(post, "in_reply_to_screen_name")
  );
}

function linkOf(entity: Fields): ShownLink[] {
  const url = stringIn(entity, "url");
  return url === undefined ? [] : [{ url, expanded_url: stringIn(entity, "expanded_url") }];
}

function fieldsIn(fields: Fields | undefined, ...keys: readonly string[]): Fields | undefined {
  return keys.map((key) => fields?.[key]).find(isFields);
}

function listIn(fields: Fields | undefined, ...keys: readonly string[]): readonly Fields[] {
  const list: unknown = keys.map((key) => fields?.[key]).find(Array.isArray);
  return Array.isArray(list) ? list.filter(isFields) : [];
}

function stringIn(fields: Fields | undefined, key: string): string | undefined {
  const value = fields?.[key];
  return typeof value === "string" ? value : undefined;
}

/** Returns an id, from `<key>_str` if there is one: a numeric id above 2^53 has lost its last digits. */
function idIn(fields: Fields | undefined, key: string): string | undefined {
  return stringIn(fields, `${key}_str`) ?? stringIn(fields, key);
}
