/** Characters that a link counts, however long it is. */
const LINK_LENGTH = 23;

const LINK = /https?:\/\/\S*[^\s.,;:!?)\]'"]/g;

/**
 * Length of a post as the platform counts it, in weighted characters: a character is one, whatever it
 * takes in memory, and a link 23.
 *
 * Source: "Limits" and "Longform posts" of the interface.
 */
export function postLength(text: string): number {
  const links = text.match(LINK) ?? [];
  const rest = text.replaceAll(LINK, "");
  return Array.from(rest).length + links.length * LINK_LENGTH;
}
