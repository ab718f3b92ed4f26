import type { Problem } from "../../../config/problem.ts";
import type { YamlDocument } from "../../../config/yaml-document.ts";
import type { RuleList } from "../../lists/rule-list.ts";
import type { NamedFiles } from "../../named-files.ts";
import type { Looked } from "./brought.ts";
import { listsOf } from "./lists.ts";

/** What a rule file has beside its rules, each piece compiled once for all of them. */
export interface FileShared {
  /** The list of that name, or in that file. */
  list(name: string): Looked<RuleList>;
  /** What is wrong with what stands there, also where no rule uses it. */
  readonly problems: () => readonly Problem[];
}

export function sharedOf(document: YamlDocument, named: NamedFiles): FileShared {
  const lists = listsOf(document, named);
  return { list: lists.find, problems: () => lists.problems() };
}
