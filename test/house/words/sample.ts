import { seeded } from "../../support/seeded.ts";
import type { HouseText } from "./read-texts.ts";

/** Draws texts at random: half of them docstrings, a third paragraphs, the others line comments. */
export function drawTexts(
  texts: readonly HouseText[],
  count: number,
  seed: number,
): readonly HouseText[] {
  const drawn = seeded(seed);
  const draw = (kind: HouseText["kind"], wanted: number): readonly HouseText[] => {
    const urn = texts.filter((text) => text.kind === kind);
    return Array.from({ length: Math.min(wanted, urn.length) }, () => {
      const [text] = urn.splice(drawn(urn.length), 1);
      return text;
    }).filter((text) => text !== undefined);
  };
  const docstrings = Math.round(count / 2);
  const paragraphs = Math.round(count / 3);
  return [
    ...draw("docstring", docstrings),
    ...draw("paragraph", paragraphs),
    ...draw("line comment", count - docstrings - paragraphs),
  ];
}
