/** The character that takes the effect from mentions and links; the platform may drop it. */
const JOINER = "\u2060";
const LINK = /https?:\/\/\S+/g;
const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

/**
 * Is `shown` what the platform makes of the text `written`?
 *
 * The platform shortens links, writes `&`, `<` and `>` as entities, and drops space at the ends. Two
 * texts that differ in nothing but the addresses of their links therefore count as the same.
 */
export function isSameText(written: string, shown: string): boolean {
  return written === shown || comparable(written) === comparable(shown);
}

/**
 * As {@link isSameText}, for a reply: the platform may put the names of those it answers in front.
 */
export function isSameReply(written: string, shown: string): boolean {
  return (
    isSameText(written, shown) ||
    comparable(withoutNames(written)) === comparable(withoutNames(shown))
  );
}

function comparable(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(JOINER, "")
    .replaceAll(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(LINK, "https://")
    .trim();
}

function withoutNames(text: string): string {
  return text.replace(/^(?:@\w{1,15}\s+)+/, "");
}
