import type { Problem } from "../../../config/problem.ts";
import type { YamlDocument } from "../../../config/yaml-document.ts";
import type { OpeningHours } from "../../../hours/opening-hours.ts";
import type { RuleList } from "../../lists/rule-list.ts";
import type { InputValues, RuleFileSource } from "../../rule-file-source.ts";
import { accountOf } from "./account.ts";
import type { Looked } from "./dependency.ts";
import type { Definitions } from "./definitions.ts";
import { hoursOf } from "./hours.ts";
import { listsOf } from "./lists.ts";
import { mediaOf } from "./media.ts";
import { type StateDefaults, stateDefaultsOf } from "./state-defaults.ts";
import { type SharedText, textsOf } from "./texts.ts";

/** Definitions of a rule file that its rules share. Each is compiled once. */
export interface FileShared {
  /** Lists by name, and list files by path. */
  readonly lists: Definitions<RuleList>;
  readonly hours: Definitions<OpeningHours>;
  readonly texts: Definitions<SharedText>;
  /** Finds the picture or video at a path, as written. */
  media(written: string): Looked<string>;
  /** Account that the file's rules answer for: its id, or its handle in small letters. */
  readonly account: string | undefined;
  /** Values of the file's inputs. */
  readonly inputs: InputValues;
  readonly state: StateDefaults;
  /** Returns the problems of all definitions, also of unused ones. */
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
