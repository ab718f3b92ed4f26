import { POST_LENGTH } from "../../../protocol/limits.ts";
import type { UserRow } from "../../accounts/entities.ts";

/** Maximum length of a longform post. */
const LONGFORM_LENGTH = 25_000;

/** Maximum length of a post by `author`: longform is for subscribers. */
export function maxLengthFor(author: UserRow): number {
  const subscription = author.profile["subscription_type"];
  return subscription === "Premium" || subscription === "PremiumPlus"
    ? LONGFORM_LENGTH
    : POST_LENGTH;
}
