import type { Mistake, Problem } from "../../../config/problem.ts";
import type { Path, YamlDocument } from "../../../config/yaml-document.ts";
import { type RuleFileSource, idIn } from "../../rule-file-source.ts";
import { type CaptureNames, NO_NAMES } from "../conditions/captures.ts";
import { type FileShared, sharedOf } from "../shared/file-shared.ts";
import { documentOf } from "../shared/uses.ts";
import type { RuleOutline } from "./rule-outline.ts";

/** A rule whose steps others can run. */
export interface CallableRule {
  readonly id: string;
  readonly document: YamlDocument;
  /** Where it stands in the document. */
  readonly base: Path;
  readonly shared: FileShared;
  readonly source: RuleFileSource;
}

/** Where a rule stands that others can run. */
interface CallablePlace {
  readonly id: string;
  readonly file: RuleOutline;
  readonly index: number;
}

/** The rules whose steps can be run, those without triggers among them. */
export interface CallableRules {
  /** The rule that a rule of the file `from` calls `id`: one of its own file is meant before others. */
  find(id: string, from: RuleFileSource): CallableRule | undefined;
  /** As `find`, with nothing of it read. */
  placeOf(id: string, from: RuleFileSource): CallablePlace | undefined;
  /** As rules of the file `from` may call them. */
  names(from: RuleFileSource): readonly string[];
}

/** A rule file with what stands beside its rules. */
export type CallableFile = Pick<CallableRule, "document" | "shared" | "source">;

/** Reads a rule file; what was read already is given once more. */
export type OpenFile = (source: RuleFileSource) => CallableFile;

/** A rule file read again, as it was compiled. */
export function openFile(source: RuleFileSource): CallableFile {
  const { document, inputs } = documentOf(source);
  return { document, shared: sharedOf(document, { source, inputs }), source };
}

/** The rules of `files`; of two with one id the first. */
export function callableRules(files: readonly RuleOutline[], open: OpenFile): CallableRules {
  let known: ReadonlyMap<string, CallablePlace> | undefined;
  const rules = () => (known ??= firstOfEach(files));
  const placeOf: CallableRules["placeOf"] = (id, from) =>
    rules().get(idIn(from, id)) ?? rules().get(id);
  return {
    placeOf,
    find(id, from) {
      const place = placeOf(id, from);
      if (place === undefined) return undefined;
      return { ...open(place.file.source), id: place.id, base: ["rules", place.index] };
    },
    names(from) {
      const before = idIn(from, "");
      return [...rules().keys()].map((id) =>
        id.startsWith(before) ? id.slice(before.length) : id,
      );
    },
  };
}

function firstOfEach(files: readonly RuleOutline[]): ReadonlyMap<string, CallablePlace> {
  const found = new Map<string, CallablePlace>();
  for (const file of files) {
    for (const [index, id] of file.ids.entries()) {
      if (id !== undefined && !found.has(id)) found.set(id, { id, file, index });
    }
  }
  return found;
}

/** What the compiler of a rule knows of the rules that it runs, and of those that run it. */
export interface Calls {
  readonly callable: CallableRules;
  /** Id of the rule whose steps are compiled. */
  readonly rule: string;
  /** The steps that lead to it, that of the rule which is compiled first. Empty: it is that rule itself. */
  readonly chain: readonly CallLink[];
  /** Put before the labels of its steps. */
  readonly label: string;
  /** Names of its variables that hold what was written in private, by what it was given. */
  readonly private: readonly string[];
  /** Variables that hold what another person wrote. */
  readonly words: readonly string[];
  /** What the patterns of the rule capture that was started. */
  readonly captures: CaptureNames;
  /** How many rules were run so far, by the rule that is compiled and all that it runs. */
  readonly made: { count: number };
}

/** A step that runs another rule, and the rule in which it stands. */
export interface CallLink {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly problem: (mistake: Mistake) => Problem;
  /** Steps follow in that rule, or in one that runs it, where the called rule has failed. */
  readonly handlesFailure: boolean;
}

/** The calls of a rule that was not run by another. */
export function noCalls(rule: string, callable: CallableRules): Calls {
  return {
    callable,
    rule,
    chain: [],
    label: "",
    private: [],
    words: [],
    captures: NO_NAMES,
    made: { count: 0 },
  };
}

/**
 * The circle that a step closes which runs `target`; `undefined`: it closes none.
 *
 * However it is come to, it is told at the same step: the one that runs the rule whose id sorts first.
 */
export function circleTo(
  target: string,
  { rule, chain }: Calls,
  last: CallLink,
): Problem | undefined {
  const ring = [...chain.map(({ id }) => id), rule];
  const start = ring.indexOf(target);
  if (start === -1) return undefined;
  const members = ring.slice(start);
  const first = members.indexOf([...members].sort()[0] ?? target);
  const named = [...members.slice(first), ...members.slice(0, first)];
  const links = [...chain.slice(start), last];
  const way = [...named, named[0]].map((id) => `"${id}"`).join(" runs ");
  return (links.at(first - 1) ?? last).problem({
    code: "run-in-a-circle",
    message: `a rule can't run itself: ${way}`,
    help: "remove one of these  run:  steps",
  });
}
