import { linksIn } from "../protocol/public-text/links.ts";

/** Invisible character that is inserted into mentions and links to make them inert; the platform may drop it. */
const JOINER = "\u2060";
/** Rest of a link, or a link that only a newer list of top-level domains has. */
const LINK = /https?:\/\/\S+/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&" };

/**
 * Whether `shown` can be the platform's version of the text `written`.
 *
 * The platform shortens links, also bare domains, writes `&`, `<` and `>` as entities, and trims space. Texts
 * that differ only in the addresses of their links therefore count as the same.
 */
export function isSameText(written: string, shown: string): boolean {
  return written === shown || comparable(written) === comparable(shown);
}

/**
 * Like {@link isSameText}, for the text of a reply. The platform may put handles before it, or remove them.
 */
export function isSameReply(written: string, shown: string): boolean {
  return (
    isSameText(written, shown) ||
    withoutNames(comparable(written)) === withoutNames(comparable(shown))
  );
}

function comparable(text: string): string {
  const plain = text
    .normalize("NFC")
    .replaceAll(JOINER, "")
    // A bot may write an entity itself: the platform shows `&lt;` as `&amp;lt;`.
    .replaceAll(/&(?:amp;)*(lt|gt|amp);/g, (entity, name: string) => ENTITIES[name] ?? entity);
  return withoutAddresses(plain).replaceAll(LINK, "https://").trim();
}

function withoutAddresses(text: string): string {
  let rest = "";
  let done = 0;
  for (const { start, end } of linksIn(text)) {
    rest += `${text.slice(done, start)}https://`;
    done = end;
  }
  return rest + text.slice(done);
}

function withoutNames(text: string): string {
  return text.replace(/^(?:@\w{1,15}\s+)+/, "");
}
