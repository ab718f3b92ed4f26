import { checkValue, valueAt } from "../../config/check-value.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { hasErrors, type Mistake, type Problem } from "../../config/problem.ts";
import type { Path, YamlDocument } from "../../config/yaml-document.ts";
import { maxAgeMsOf } from "../../events/triggers.ts";
import { compileConditions } from "./condition.ts";
import { type CallableRules, noCalls } from "./calling/calls.ts";
import { idIn, homeOf } from "../rule-file-source.ts";
import { type CompileContext, ruleContext } from "./compile-context.ts";
import { durationMs } from "../../system/duration.ts";
import { revisionOf } from "./revision.ts";
import { plainAccount } from "./shared/account.ts";
import type { FileShared } from "./shared/file-shared.ts";
import { meantWord } from "../schema/other-words.ts";
import { isPlainMap } from "./habits/plain-map.ts";
import { type OtherRule, otherRule, namesOfFile } from "./habits/other-rule.ts";
import { ruleHabits, triggerHabits } from "./mistakes/rule-habits.ts";
import { compileMode } from "./mode.ts";
import { compileSteps } from "./compile-steps.ts";
import { reportTemplatesIn } from "./mistakes/other-templates.ts";
import { reportWithoutPerson } from "./mistakes/without-person.ts";
import { reportPrivateTexts } from "./mistakes/private-to-public.ts";
import { reportUnheardHandOver } from "./silence/unheard-hand-over.ts";
import { reportWordsOfOthers } from "./mistakes/words-of-others.ts";
import { reportManyRounds } from "./mistakes/many-rounds.ts";
import { reportLoops } from "./reply-loop.ts";
import { type RuleMap, ruleMap } from "../file-schema/rule-file.ts";
import type { CompiledRule, CompiledTrigger } from "../ruleset.ts";
import { scopeOf } from "../expression/scope.ts";
import { allSteps, answers, type Step } from "../run/step.ts";
import { firstUses } from "../secrets.ts";
import { declareCaptures, declareSteps, stepIdsAt, stepTypes } from "./step-ids.ts";
import { reportOrder } from "./mistakes/steps-in-order.ts";
import { uniqueUses } from "../evaluation/state-view.ts";
import { compileTrigger } from "./triggers/compile-trigger.ts";
import { namesOf } from "./conditions/captures.ts";
import { compileVariables } from "./variables.ts";

/** Inputs of the compilation of a rule besides its own text. */
export interface RuleSurroundings {
  /** Names of the groups that any rule file declares. */
  readonly groups: ReadonlySet<string>;
  /** Definitions that the rules of the file share. */
  readonly shared: FileShared;
  /** File of the rule. */
  readonly source: CompiledRule["source"];
  /** Rules that the rule's steps can call. */
  readonly callable: CallableRules;
  /** Sort key of the rule's file. The rule's line is appended, so that rules are evaluated in this order. */
  readonly place: CompiledRule["place"];
}

/** Compiles the rule at `path` of a rule file. The rule is absent when it has errors. */
export function compileRule(
  document: YamlDocument,
  path: Path,
  { groups, shared, source, callable, place }: RuleSurroundings,
): { readonly rule: CompiledRule | undefined; readonly problems: readonly Problem[] } {
  const value = valueAt(document.value, path);
  const id: unknown = valueAt(value, ["id"]);
  const within = typeof id === "string" ? ` in rule "${id}"` : " in this rule";
  const other = otherRule(value, namesOfFile(shared));
  const habits = [...triggerHabits(document, path), ...ruleHabits(document, path, other)];
  const shape = checkValue(ruleMap, document, {
    at: path,
    within,
    mayBeLeftOut: "outer",
    meant: (key, at) => (at.length === 0 ? meantWord("rule", key) : undefined),
    form: (key, at) => (at.length === 0 ? other.formOf(key) : undefined),
  });
  const habitProblems = habits.map(({ problem }) => problem);
  const problems = [
    ...habitProblems,
    ...shape.problems.filter((problem) => !habits.some(({ covers }) => covers(problem))),
  ];
  const { triggers } = other;
  // compiles the parts of an invalid rule, too: all problems of a file are reported at once
  const calls = noCalls(typeof id === "string" ? idIn(source, id) : "", callable);
  const own = { document, base: path, shared, source, calls };
  const context = ruleContext(own, scopeOf(triggers));

  const ids = shape.value ? [shape.value.id, ...(shape.value.formerly ?? [])] : [];
  const used = ids.map((one) => idIn(source, one));
  const written = { rule: shape.value, other };
  const parts = triggers.length > 0 ? compileParts(context, path, written, used) : undefined;
  if (shape.value) reportGroup(context, path, shape.value, groups);
  const all = unique([...problems, ...context.problems]);
  if (!shape.value || !parts || hasErrors(all)) return { rule: undefined, problems: all };
  const [line] = document.linesOf(path);
  const account = plainAccount(shape.value.account) ?? shared.account;
  const rule = assemble(shape.value, parts, {
    id: idIn(source, shape.value.id),
    revision: revisionOf(document, path, { dependencies: context.dependencies, source, shared }),
    named: [...new Set(context.dependencies.flatMap(({ files }) => files))],
    runs: [...new Set(context.dependencies.flatMap(({ runs }) => runs ?? []))].filter(
      (one) => one !== source,
    ),
    file: document.file,
    source,
    place: place.concat(0, line),
    secrets: firstUses(context.secrets),
    called: context.called,
    ...(account === undefined ? {} : { account }),
    line,
  });
  return { rule, problems: all };
}

/** A rule after its schema check, and the keys of its lists, which may be another tool's: `steps` for `actions`. */
interface WrittenRuleParts {
  readonly rule: RuleMap | undefined;
  readonly other: OtherRule;
}

type Parts = ReturnType<typeof compileParts>;

function compileParts(
  context: CompileContext,
  path: Path,
  { rule, other }: WrittenRuleParts,
  ids: readonly string[],
) {
  const lists = { conditions: other.keyOf("conditions"), actions: other.keyOf("actions") };
  const triggers = rule
    ? rule.triggers.map((one, index) =>
        compileTrigger(context, [...path, "triggers", index], one, ids),
      )
    : [];
  const named = variablesOf(valueAt(context.document.value, path));
  const { variables, environment, types } = compileVariables(
    context,
    [...path, named.key],
    rule?.variables ?? named.values,
  );
  const written = valueAt(context.document.value, [...path, lists.conditions]);
  const conditions =
    written !== undefined &&
    (Array.isArray(written) || other.formOf(lists.conditions) === undefined)
      ? compileConditions(context.declaring(environment).knowing({ vars: types }), [
          ...path,
          lists.conditions,
        ])
      : [];
  const captured = [...triggers.flatMap(({ match }) => match), ...conditions];
  const captures = namesOf(captured.flatMap((one) => one.captures ?? []));
  const withCaptures = declareCaptures(environment, captures.names);
  const capturing = context.knowing({ vars: types }).capturing(captures);
  const mode = rule && compileMode(capturing.declaring(withCaptures), path, rule);
  const asksState = uniqueUses(context.state);
  const byId = stepIdsAt(context, path, lists.actions);
  const stepIds =
    byId.size === 0 ? NO_STEP_IDS : new Map([...byId].map(([id, { label }]) => [id, label]));
  const running = capturing.knowing(stepTypes(byId)).declaring(declareSteps(withCaptures, byId));
  const done = valueAt(context.document.value, [...path, lists.actions]);
  const actions =
    Array.isArray(done) || other.formOf(lists.actions) === undefined
      ? compileSteps(running, [...path, lists.actions])
      : [];
  const onError = compileSteps(running, [...path, "on_error"]);
  const steps = { stepIds, actions, onError };
  reportTemplatesIn(running, path, [named.key, lists.actions, "on_error"], captures.names);
  reportMistakesOfSteps(context, path, rule, steps);
  reportManyRounds(context, [...path, lists.actions], actions);
  if (rule) reportLoops(context, path, triggers, actions, rule.cooldown !== undefined);
  return {
    triggers,
    conditions,
    variables,
    ...steps,
    ...(mode && { mode }),
    asksState,
    usesState: uniqueUses(context.state),
    stateTypes: context.stateTypes,
  };
}

/** Reports mistakes that concern several steps of a rule, such as a wrong order. */
function reportMistakesOfSteps(
  context: CompileContext,
  path: Path,
  rule: RuleMap | undefined,
  { stepIds, actions, onError }: Pick<CompiledRule, "stepIds" | "actions" | "onError">,
): void {
  reportOrder(context, path, stepIds);
  reportPrivateTexts(context, path, rule?.allow ?? []);
  reportWordsOfOthers(context, path);
  reportUnheardHandOver(context, path, [...actions, ...onError]);
  if (rule) reportWithoutPerson(context, path, rule);
}

/**
 * Returns the variables of a rule and the key under which they are written, even if other parts of the rule are
 * invalid.
 */
function variablesOf(rule: unknown): {
  readonly key: string;
  readonly values: Readonly<Record<string, unknown>>;
} {
  const keys = isPlainMap(rule) ? Object.keys(rule) : [];
  const key = keys.find((one) => one === "variables" || meantWord("rule", one) === "variables");
  const values = valueAt(rule, [key ?? "variables"]);
  return { key: key ?? "variables", values: isPlainMap(values) ? values : {} };
}

const NO_STEP_IDS: CompiledRule["stepIds"] = new Map();

function reportGroup(
  context: CompileContext,
  path: Path,
  rule: RuleMap,
  groups: ReadonlySet<string>,
): void {
  const { group, fallback } = rule;
  if (group === "none" && fallback) {
    context.report([...path, "fallback"], FALLBACK_IN_NO_GROUP, "key");
  }
  if (group === undefined || group === "none" || groups.has(group)) return;
  const guess = didYouMean(group, groups);
  const help =
    guess === undefined
      ? `add under groups:  ${group}: {match: first}`
      : `did you mean "${guess}"?`;
  context.report([...path, "group"], {
    code: "unknown-group",
    message: `there is no group "${group}"`,
    help,
  });
}

const FALLBACK_IN_NO_GROUP: Mistake = {
  code: "fallback-without-group",
  message: 'a fallback in "group: none" has no other rules to fall back from: it would always run',
  help: "remove  group: none  (the rules of a file are a group), or remove  fallback: true",
};

function assemble(
  rule: RuleMap,
  parts: Parts,
  origin: Pick<
    CompiledRule,
    | "id"
    | "place"
    | "account"
    | "revision"
    | "file"
    | "source"
    | "named"
    | "runs"
    | "secrets"
    | "called"
    | "line"
  >,
): CompiledRule {
  const group = rule.group ?? (rule.fallback || answers(parts.actions) ? homeOf(origin) : "none");
  const { cooldown, limit } = rule;
  const maxAgeMs = maxAge(rule.max_age, parts.triggers);
  return {
    ...origin,
    ...parts,
    formerly: (rule.formerly ?? []).map((former) => idIn(origin.source, former)),
    enabled: rule.enabled,
    stage: rule.stage,
    fallback: rule.fallback,
    interrupts: rule.interrupts,
    onReplay: rule.on_replay,
    onReload: rule.on_reload,
    ...(rule.timeout === undefined ? {} : { timeoutMs: durationMs(rule.timeout) }),
    ...(rule.name === undefined ? {} : { name: rule.name }),
    ...(group === "none" ? {} : { group }),
    ...(cooldown ? { cooldown: { per: cooldown.per, forMs: durationMs(cooldown.for) } } : {}),
    labels: rule.labels ?? [],
    ...(rule.active ? { active: spanOf(rule.active) } : {}),
    ...(limit ? { limit: compileLimit(limit, parts.actions) } : {}),
    ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
  };
}

function spanOf({ from, to }: NonNullable<RuleMap["active"]>) {
  return {
    from: from === undefined ? -Infinity : Date.parse(from),
    to: to === undefined ? Infinity : Date.parse(to),
  };
}

function compileLimit(
  limit: NonNullable<RuleMap["limit"]>,
  actions: readonly Step[],
): NonNullable<CompiledRule["limit"]> {
  const { per, max, overflow } = limit;
  const [inMs, expiresMs] = [durationMs(limit.in), durationMs(limit.expires)];
  const queue = limit.queue ?? allSteps(actions).find((step) => step.queue !== undefined)?.queue;
  return { per, max, overflow, inMs, expiresMs, ...(queue !== undefined && { queue }) };
}

/** Returns the `max_age` of the rule, otherwise the longest default of its triggers, in milliseconds. */
function maxAge(
  written: string | undefined,
  triggers: readonly CompiledTrigger[],
): number | undefined {
  if (written !== undefined) return written === "none" ? undefined : durationMs(written);
  const ages = triggers.map(({ trigger }) => maxAgeMsOf(trigger));
  const longest = Math.max(...ages);
  return Number.isFinite(longest) ? longest : undefined;
}

function unique(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(
    ({ file, line, column }) =>
      !seen.has(`${file}:${line}:${column}`) && seen.add(`${file}:${line}:${column}`),
  );
}
