import { encodeCursor, type ListPage, type PageRequest } from "../kernel/world/paging.ts";
import { relationships, type UserRow, users } from "../model/accounts.ts";
import { hiddenUserReason, type Viewpoint } from "../model/hidden-reason.ts";

/**
 * Returns a page of the people that a search finds: each word of the search begins a word of the name, or the username.
 * A person whose username is the searched one comes first, then the people with the most followers.
 */
export function peopleFound(
  { world }: Pick<Viewpoint, "world">,
  wanted: string,
  { size, cursor }: PageRequest,
): ListPage<UserRow> {
  const words = wordsOf(wanted);
  const followers = ({ id }: UserRow): number =>
    relationships.in(world).count("to", `follow:${id}`);
  const isNamed = ({ username }: UserRow): boolean => username.toLowerCase() === words.join("");
  const all = [...users.in(world).all()]
    .filter((user) => hiddenUserReason(user) === undefined && matches(user, words))
    .map((user) => ({ user, named: isNamed(user), followers: followers(user) }))
    .toSorted((a, b) => Number(b.named) - Number(a.named) || b.followers - a.followers)
    .map(({ user }) => user);
  const from = Number(cursor?.id ?? 0);
  const at = (place: number): string => encodeCursor({ direction: "older", id: String(place) });
  return {
    items: all.slice(from, from + size),
    ...(from + size < all.length ? { next: at(from + size) } : {}),
    ...(from > 0 ? { previous: at(Math.max(0, from - size)) } : {}),
  };
}

function matches({ name, username }: UserRow, words: readonly string[]): boolean {
  const own = [...wordsOf(name), username.toLowerCase()];
  return words.length > 0 && words.every((word) => own.some((one) => one.startsWith(word)));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}
