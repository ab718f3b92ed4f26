import { ownMember } from "../../../../system/own-member.ts";
import { without, type WrittenMap } from "../plain-map.ts";
import type { ReadSteps } from "./step-surroundings.ts";

export const LOOPING = /^(?:loop|repeat|for)$/i;

/** Translates a step whose verb has two keys, such as `repeat: 3` beside `sequence`. */
export function pairs(
  frame: WrittenMap,
  verbs: WrittenMap,
  readSteps: ReadSteps,
): readonly unknown[] | undefined {
  const kind = Object.keys(verbs).find((key) => /^(?:for_?each|while|until)$/i.test(key));
  if (kind !== undefined) {
    const own = kind.toLowerCase().replace("foreach", "for_each");
    const kindRounds = repeated({ [own]: verbs[kind], ...without(verbs, [kind]) }, readSteps);
    const bound = own === "for_each" ? {} : { max: 10 };
    return kindRounds && [{ ...frame, repeat: Object.assign({}, kindRounds["repeat"], bound) }];
  }
  const loop = Object.keys(verbs).find((key) => LOOPING.test(key));
  const rounds =
    loop === undefined
      ? undefined
      : repeated({ count: verbs[loop], ...without(verbs, [loop]) }, readSteps);
  return rounds && [{ ...frame, ...rounds }];
}

export function repeated(map: WrittenMap, readSteps: ReadSteps): WrittenMap | undefined {
  const words: Readonly<Record<string, string>> = {
    times: "count",
    steps: "sequence",
    do: "sequence",
    actions: "sequence",
    items: "for_each",
    each: "for_each",
  };
  const keys = Object.entries(map).map(
    ([key, one]) => [ownMember(words, key) ?? key, one] as const,
  );
  const read = Object.fromEntries(keys);
  const steps = readSteps(read["sequence"]);
  return steps && { repeat: { ...read, sequence: steps } };
}
