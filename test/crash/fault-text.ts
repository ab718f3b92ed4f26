import type { PlacedFault } from "./outcome.ts";

/** Formats a fault with the kills before it and the state of its message. */
export function faultText({ kind, lane, about, after, story }: PlacedFault, seed: number): string {
  return [
    `${kind}: ${about} in lane ${lane}, seed ${seed}, after kills at`,
    ...after.map((place) => `  ${place}`),
    ...story.map((line) => `    ${line}`),
    "",
  ].join("\n");
}
