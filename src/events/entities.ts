import type { Mention } from "./event.ts";
import { idAt, objectsAt, textAt, type Wire } from "./wire.ts";

/** What stands in a text besides words. */
interface TextParts {
  readonly mentions: readonly Mention[];
  readonly hashtags: readonly string[];
  readonly urls: readonly string[];
}

/** Mentions, hashtags and links of an `entities` object. */
export function entitiesOf(entities: Wire | undefined): TextParts {
  return {
    mentions: objectsAt(entities, "user_mentions").flatMap((mention) => {
      const id = idAt(mention);
      return id === undefined ? [] : [{ id, username: textAt(mention, "screen_name") ?? "" }];
    }),
    hashtags: objectsAt(entities, "hashtags").flatMap((tag) => textAt(tag, "text") ?? []),
    urls: objectsAt(entities, "urls").flatMap(
      (url) => textAt(url, "expanded_url") ?? textAt(url, "url") ?? [],
    ),
  };
}
