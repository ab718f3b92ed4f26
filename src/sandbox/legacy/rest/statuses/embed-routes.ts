import { users } from "../../../model/accounts.ts";
import { posts } from "../../../model/posts.ts";
import { hiddenPostReason } from "../../../model/hidden-reason.ts";
import type { Route, RouteCall, RouteResponse } from "../../../server/route.ts";
import { shownText } from "../../../rendering/shown-text.ts";
import { LEGACY } from "../../ledger.ts";
import { coded } from "../coded-errors.ts";
import { LegacyParameters } from "../parameters.ts";
import { legacyBody } from "../respond.ts";

const WIDTH = 550;
const DAY = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** Routes that return a post as HTML for other sites; they need no log-in and show public posts only. */
export const embedRoutes: readonly Route[] = ["/1.1/statuses/oembed.json", "/oembed"].map(
  (path) => ({
    method: "GET",
    path,
    ledger: LEGACY,
    auth: [],
    handle: embed,
  }),
);

function embed(call: RouteCall): RouteResponse {
  const { world } = call.sandbox;
  const params = new LegacyParameters(call);
  const id = params.id("id") ?? /\/status(?:es)?\/(\d{1,19})/.exec(params.text("url") ?? "")?.[1];
  if (id === undefined) throw coded("missing");
  const post = posts.in(world).get(id);
  const author = users.in(world).get(post?.authorId ?? "");
  const isHidden = hiddenPostReason(world, undefined, post) !== undefined;
  if (post === undefined || author === undefined || isHidden) throw coded("pageMissing");
  const authorUrl = `https://platform.example/${author.username}`;
  const url = `${authorUrl}/status/${id}`;
  const name = `${escaped(author.name)} (@${author.username})`;
  // `shownText` escapes `&`, `<` and `>`, so the text needs no further escaping in HTML.
  const words = shownText(post.text).text;
  const html = `<blockquote class="twitter-tweet"><p lang="en" dir="ltr">${words}</p>&mdash; ${name} <a href="${url}">${DAY.format(post.at)}</a></blockquote>\n`;
  return legacyBody({
    url,
    author_name: author.name,
    author_url: authorUrl,
    html,
    width: WIDTH,
    height: null,
    type: "rich",
    cache_age: "3153600000",
    provider_name: "Platform",
    provider_url: "https://platform.example",
    version: "1.0",
  });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
