import { users } from "../../accounts/entities.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import { textEntities } from "../text/text-entities.ts";
import type { DisplayText } from "../text/longform.ts";

/**
 * Entities of a text as objects of the data interface carry them; nothing where there are none.
 *
 * Offsets count code points. A username that does not exist is not a mention.
 */
export function renderEntities(
  world: SandboxWorld,
  { text, more }: DisplayText,
): Record<string, unknown> | undefined {
  const found = textEntities(text);
  const tags = (kind: "hashtag" | "cashtag"): object[] =>
    found
      .filter((one) => one.kind === kind)
      .map(({ word, start, end }) => ({ start, end, tag: word }));
  const mentions = found
    .filter(({ kind }) => kind === "mention")
    .flatMap(({ word, start, end }) => {
      const user = users.in(world).first("username", word.toLowerCase());
      return user === undefined ? [] : [{ start, end, username: user.username, id: user.id }];
    });
  const urls = found
    .filter(({ kind }) => kind === "url")
    .map(({ word, start, end }) => {
      const target = more !== undefined && word === more.url ? more.page : word;
      return { start, end, url: word, expanded_url: target, display_url: displayUrl(target) };
    });
  const lists = { urls, mentions, hashtags: tags("hashtag"), cashtags: tags("cashtag") };
  const held = Object.entries(lists).filter(([, list]) => list.length > 0);
  return held.length === 0 ? undefined : Object.fromEntries(held);
}

/** A link without its scheme, cut to what a screen shows. */
function displayUrl(url: string): string {
  const bare = url.replace(/^https?:\/\/(www\.)?/, "");
  return bare.length > 27 ? `${bare.slice(0, 26)}…` : bare;
}
