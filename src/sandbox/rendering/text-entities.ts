import { users } from "../model/accounts.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import type { ShownText } from "./shown-text.ts";

/**
 * Renders the entities of a text for API v2; `undefined` if there are none. Offsets count code points. A handle that
 * belongs to no user is not a mention.
 *
 * @param mediaKeys Keys of the media that the link at the end represents.
 */
export function renderEntities(
  world: SandboxWorld,
  { entities: shownEntities }: ShownText,
  mediaKeys: readonly string[] = [],
): Record<string, unknown> | undefined {
  const tags = (kind: "hashtag" | "cashtag"): object[] =>
    shownEntities
      .filter((one) => one.kind === kind)
      .map(({ word, start, end }) => ({ start, end, tag: word }));
  const mentions = shownEntities
    .filter(({ kind }) => kind === "mention")
    .flatMap(({ word, start, end }) => {
      const user = users.in(world).first("username", word.toLowerCase());
      return user === undefined ? [] : [{ start, end, username: user.username, id: user.id }];
    });
  const urls = shownEntities
    .filter(({ kind }) => kind === "url")
    .flatMap(({ word, start, end, page = word, attached }) => {
      const shown = attached?.kind === "media" ? pictureUrl(word) : displayUrl(page);
      const link = { start, end, url: word, expanded_url: page, display_url: shown };
      if (attached?.kind !== "media") return [link];
      return mediaKeys.map((media_key) => ({ ...link, media_key }));
    });
  const lists = { urls, mentions, hashtags: tags("hashtag"), cashtags: tags("cashtag") };
  const held = Object.entries(lists).filter(([, list]) => list.length > 0);
  return held.length === 0 ? undefined : Object.fromEntries(held);
}

/** Returns the displayed form of a link to pictures. */
export function pictureUrl(url: string): string {
  return `pic.platform.example/${url.slice(-10)}`;
}

/** Returns a link without its scheme, shortened for display to 27 characters at most. */
export function displayUrl(url: string): string {
  const letters = Array.from(url.replace(/^https?:\/\/(www\.)?/i, ""));
  return letters.length > 27 ? `${letters.slice(0, 26).join("")}…` : letters.join("");
}
