/**
 * Derives an id from a name: `Opening hours` becomes `Opening-hours`, `Öffnung` becomes `Offnung`. Letters of other
 * scripts are dropped, so the result may be empty.
 */
export function idOf(name: string): string {
  return name
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(/[^\w-]+/g, "-")
    .replaceAll(/^[-_]+|[-_]+$/g, "");
}
