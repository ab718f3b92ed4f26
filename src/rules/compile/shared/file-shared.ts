import type { Problem } from "../../../config/problem.ts";
import type { YamlDocument } from "../../../config/yaml-document.ts";
import type { OpeningHours } from "../../../hours/opening-hours.ts";
import type { RuleList } from "../../lists/rule-list.ts";
import type { InputValues, RuleFileSource } from "../../rule-file-source.ts";
import { accountOf } from "./account.ts";
import type { Looked } from "./brought.ts";
import type { Definitions } from "./definitions.ts";
import { hoursOf } from "./hours.ts";
import { listsOf } from "./lists.ts";
import { mediaOf } from "./media.ts";
import { type StateDefaults, stateDefaultsOf } from "./state-defaults.ts";
import { type SharedText, textsOf } from "./texts.ts";

/** What a rule file has beside its rules, each piece compiled once for all of them. */
export interface FileShared {
  /** Those that it defines, and files by their path. */
  readonly lists: Definitions<RuleList>;
  readonly hours: Definitions<OpeningHours>;
  readonly texts: Definitions<SharedText>;
  /** The picture or video in that file, by its path as it is written. */
  media(written: string): Looked<string>;
  /** The account that its rules answer for: its id, or its handle in small letters. */
  readonly account: string | undefined;
  /** Values of its inputs. */
  readonly inputs: InputValues;
  readonly state: StateDefaults;
  /** What is wrong with what stands there, also where no rule uses it. */
  readonly problems: () => readonly Problem[];
}

export function sharedOf(
  document: YamlDocument,
  { source, inputs }: { readonly source: RuleFileSource; readonly inputs: InputValues },
): FileShared {
  const lists = listsOf(document, source.named ?? {});
  const hours = hoursOf(document);
  const texts = textsOf(document);
  const state = stateDefaultsOf(document);
  const problems = () => [lists, hours, texts, state].flatMap((one) => one.problems());
  const account = accountOf(document) ?? source.use?.account;
  return {
    account,
    lists,
    hours,
    texts,
    state,
    inputs,
    media: mediaOf(document.file, source.named ?? {}),
    problems,
  };
}
