import type { Problem } from "../../../config/problem.ts";
import type { YamlDocument } from "../../../config/yaml-document.ts";
import type { OpeningHours } from "../../hours/opening-hours.ts";
import type { RuleList } from "../../lists/rule-list.ts";
import type { NamedFiles } from "../../named-files.ts";
import type { Looked } from "./brought.ts";
import type { Definitions } from "./definitions.ts";
import type { InputValues } from "./inputs.ts";
import { hoursOf } from "./hours.ts";
import { listsOf } from "./lists.ts";
import { mediaOf } from "./media.ts";
import { type SharedText, textsOf } from "./texts.ts";

/** What a rule file has beside its rules, each piece compiled once for all of them. */
export interface FileShared {
  /** Those that it defines, and files by their path. */
  readonly lists: Definitions<RuleList>;
  readonly hours: Definitions<OpeningHours>;
  readonly texts: Definitions<SharedText>;
  /** The picture or video in that file, by its path as it is written. */
  media(written: string): Looked<string>;
  /** Values of its inputs. */
  readonly inputs: InputValues;
  /** What is wrong with what stands there, also where no rule uses it. */
  readonly problems: () => readonly Problem[];
}

export function sharedOf(
  document: YamlDocument,
  { named, inputs }: { readonly named: NamedFiles; readonly inputs: InputValues },
): FileShared {
  const lists = listsOf(document, named);
  const hours = hoursOf(document);
  const texts = textsOf(document);
  const problems = () => [lists, hours, texts].flatMap((one) => one.problems());
  return { lists, hours, texts, inputs, media: mediaOf(document.file, named), problems };
}
