import { EXPLAINED } from "./explained/explained.ts";
import { MESSAGE_CODES } from "../../rules/language.ts";
import type { Topic } from "./topic.ts";

/** Returns a reference topic for every problem that `check` or `test` reports, by its code. */
export function problemTopics(): readonly Topic[] {
  return Object.entries(EXPLAINED)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { why, wrong, right }]) => ({
      kind: "problem",
      name,
      aliases: [],
      about: Object.entries(MESSAGE_CODES).find(([code]) => code === name)?.[1] ?? "",
      why,
      facts: [],
      keys: [],
      examples: [
        { title: "Wrong", example: wrong },
        { title: "Right", example: right },
      ],
      section: "problems",
    }));
}
