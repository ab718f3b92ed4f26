import type { RuleFileSource } from "../../rule-file-source.ts";

/** The id of a rule of a file as it is used: `spring.code`. */
export function idIn({ use }: RuleFileSource, id: string): string {
  return use === undefined ? id : `${use.as}.${id}`;
}
