import { POST_LENGTH } from "../../interface/limits.ts";
import type { User } from "../accounts/entities.ts";
import { entitiesIn } from "./entities-in-text.ts";

/** A link counts as many letters, however long it is. */
const LINK_LENGTH = 23;

/** Most letters of a longform post. */
const LONGFORM = 25_000;

/** Letters of a text as the platform counts them: links have one length. */
export function weight(text: string): number {
  const links = entitiesIn(text).filter(({ kind }) => kind === "url");
  return links.reduce(
    (sum, { start, end }) => sum - (end - start) + LINK_LENGTH,
    Array.from(text).length,
  );
}

/** Most letters of a post by `author`: longform is for subscribers. */
export function lengthFor(author: User): number {
  const subscription = author.profile["subscription_type"];
  return subscription === "Premium" || subscription === "PremiumPlus" ? LONGFORM : POST_LENGTH;
}
