import { Query } from "../data-query/query.ts";
import { encodeCursor, type ListPage, type PageRequest } from "../data-query/paging.ts";
import { type RenderContext, renderContext } from "../data-query/render-context.ts";
import { hiddenUserReason } from "./hidden-reason.ts";
import type { Route, RouteCall, RouteResponse } from "../kernel/http/route.ts";
import { readUserSelection, userPageDocument } from "./document.ts";
import { relationships, type UserRow, users } from "./entities.ts";
import { DESCRIBED } from "./ledger.ts";

const SIZES = { min: 1, max: 1000 };
const SIZE = 100;
const WANTED = /^[A-Za-z0-9_' ]{1,50}$/;

export const userSearchRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/users/search",
    ledger: DESCRIBED,
    auth: ["oauth1", "oauth2"],
    scopes: ["tweet.read", "users.read"],
    limits: { user: 900 },
    handle: searchUsers,
  },
];

function searchUsers(call: RouteCall): RouteResponse {
  const query = new Query(call);
  query.require("query");
  const wanted = query.text("query", { max: 50 });
  if (wanted !== undefined && !WANTED.test(wanted)) {
    const message = `The \`query\` query parameter value [${wanted}] does not match ${WANTED.source}`;
    query.addFaultMessage("query", wanted, message);
  }
  const size = query.integer("max_results", SIZES) ?? SIZE;
  const cursor = query.token("next_token");
  const selection = readUserSelection(query);
  query.finish();
  const context = renderContext(call);
  const page = found(context, wanted ?? "", { size, cursor });
  const { meta, ...document } = userPageDocument(context, page, selection);
  // The live service describes no count here.
  const { result_count: _count, ...tokens } = Object(meta);
  return { body: { ...document, meta: tokens } };
}

/**
 * People whose name or username has a word that begins with each word of the search: the one of that username first,
 * then those with the most followers.
 */
function found(
  { world }: RenderContext,
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
