import type { Mistake, Problem } from "../../../config/problem.ts";
import type { Path, YamlDocument } from "../../../config/yaml-document.ts";
import { type RuleFileSource, idIn } from "../../rule-file-source.ts";
import { type CaptureNames, NO_NAMES } from "../conditions/captures.ts";
import { type FileShared, sharedOf } from "../shared/file-shared.ts";
import { documentOf } from "../shared/uses.ts";
import type { RuleOutline } from "./rule-outline.ts";

/** Rule that other rules can call. */
export interface CallableRule {
  readonly id: string;
  readonly document: YamlDocument;
  /** Path of the rule in the document. */
  readonly base: Path;
  readonly shared: FileShared;
  readonly source: RuleFileSource;
}

/** Position of a callable rule in its file. */
interface CallablePlace {
  readonly id: string;
  readonly file: RuleOutline;
  readonly index: number;
}

/** Rules of a project that other rules can call with the step `run`. Some of them have no triggers. */
export interface CallableRules {
  /** Finds the rule that steps of the file `from` call by `id`. Rules of `from` itself take precedence. */
  find(id: string, from: RuleFileSource): CallableRule | undefined;
  /** Finds the place of a rule like `find`, but does not open the file. */
  placeOf(id: string, from: RuleFileSource): CallablePlace | undefined;
  /** Returns the ids by which rules of the file `from` can call other rules. */
  names(from: RuleFileSource): readonly string[];
}

/** Rule file with the definitions that its rules share. */
export type CallableFile = Pick<CallableRule, "document" | "shared" | "source">;

/** Reads a rule file, or returns it if it was read before. */
export type OpenFile = (source: RuleFileSource) => CallableFile;

/** Reads a rule file whose rules are called. Document and definitions are those of the file's own compilation. */
export function openFile(source: RuleFileSource): CallableFile {
  const { document, inputs } = documentOf(source);
  return { document, shared: sharedOf(document, { source, inputs }), source };
}

/** Returns the callable rules of `files`. If two rules have the same id, the first rule is used. */
export function callableRules(files: readonly RuleOutline[], open: OpenFile): CallableRules {
  let placesById: ReadonlyMap<string, CallablePlace> | undefined;
  const rules = () => (placesById ??= firstOfEach(files));
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
  const placesById = new Map<string, CallablePlace>();
  for (const file of files) {
    for (const [index, id] of file.ids.entries()) {
      if (id !== undefined && !placesById.has(id)) placesById.set(id, { id, file, index });
    }
  }
  return placesById;
}

/** Call stack of the compiler: from the rule under compilation to the called rule whose steps it compiles now. */
export interface Calls {
  readonly callable: CallableRules;
  /** Id of the rule whose steps are compiled now. */
  readonly rule: string;
  /** Steps that call, outermost first. Empty while the steps of the rule under compilation itself are compiled. */
  readonly chain: readonly CallLink[];
  /** Prefix of the labels of the steps of `rule`, such as `actions[0].run(greet).`. */
  readonly label: string;
  /** Variables of `rule` to which the calling step passes private text. */
  readonly private: readonly string[];
  /** Variables of `rule` that hold text of another person. */
  readonly words: readonly string[];
  /** Captures of the patterns in the outermost rule, which a trigger starts. */
  readonly captures: CaptureNames;
  /** Number of calls so far, in the rule under compilation and all rules that it runs. */
  readonly callCounter: { count: number };
}

/** Step that runs another rule. `id` is the id of the rule that contains the step. */
export interface CallLink {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly problem: (mistake: Mistake) => Problem;
  /** Whether the calling step, its rule or an outer caller has `on_error` steps for a failure of the called rule. */
  readonly handlesFailure: boolean;
}

/** Returns the call stack for a rule that is compiled by itself, not called by another rule. */
export function noCalls(rule: string, callable: CallableRules): Calls {
  return {
    callable,
    rule,
    chain: [],
    label: "",
    private: [],
    words: [],
    captures: NO_NAMES,
    callCounter: { count: 0 },
  };
}

/**
 * Returns the problem of a step that calls `target` if the call is recursive; `undefined` if it is not.
 *
 * Only one step of a circle of calls has the problem: the step that calls the first id by alphabet.
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
