import { POST_LENGTH } from "../../../protocol/limits.ts";
import type { UserRow } from "../../accounts/entities.ts";
import { textEntities } from "./text-entities.ts";

/** Characters that a link counts, however long it is. */
const LINK_LENGTH = 23;

/** Maximum length of a longform post. */
const LONGFORM_LENGTH = 25_000;

/** Weighted length of a text: links have one length. */
export function weightedLength(text: string): number {
  const links = textEntities(text).filter(({ kind }) => kind === "url");
  return links.reduce(
    (sum, { start, end }) => sum - (end - start) + LINK_LENGTH,
    Array.from(text).length,
  );
}

/** Maximum length of a post by `author`: longform is for subscribers. */
export function maxLengthFor(author: UserRow): number {
  const subscription = author.profile["subscription_type"];
  return subscription === "Premium" || subscription === "PremiumPlus"
    ? LONGFORM_LENGTH
    : POST_LENGTH;
}
