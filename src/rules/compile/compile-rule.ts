import { checkValue, valueAt } from "../../config/check-value.ts";
import { didYouMean } from "../../config/did-you-mean.ts";
import { hasErrors, type Mistake, type Problem } from "../../config/problem.ts";
import type { Path, YamlDocument } from "../../config/yaml-document.ts";
import { maxAgeMsOf, type Trigger, TRIGGERS } from "../../events/triggers.ts";
import { compileConditions } from "./condition.ts";
import { type CallableRules, noCalls } from "./calling/calls.ts";
import { idIn } from "./calling/rule-id.ts";
import { type CompileContext, ruleContext } from "./compile-context.ts";
import { durationMs } from "../../system/duration.ts";
import { revisionOf } from "./revision.ts";
import { plainAccount } from "./shared/account.ts";
import type { FileShared } from "./shared/file-shared.ts";
import { timeTrigger } from "./mistakes/time-trigger.ts";
import { meantWord } from "../schema/other-words.ts";
import { NOT_YET, reservedWord } from "../schema/reserved-words.ts";
import { compileMode } from "./mode.ts";
import { compileSteps } from "./compile-steps.ts";
import { reportOtherTemplates } from "./mistakes/other-templates.ts";
import { reportWithoutPerson } from "./mistakes/without-person.ts";
import { reportPrivateTexts } from "./mistakes/private-to-public.ts";
import { reportUnheardHandOver } from "./mistakes/unheard-hand-over.ts";
import { reportWordsOfOthers } from "./mistakes/words-of-others.ts";
import { reportLoops } from "./reply-loop.ts";
import { type RuleMap, ruleMap } from "../schema/rule-file.ts";
import { homeOf } from "../rule-file-source.ts";
import type { CompiledRule, CompiledTrigger } from "../ruleset.ts";
import { scopeOf } from "./scope.ts";
import { allSteps, answers, type Step } from "../run/step.ts";
import { firstUses } from "../secrets.ts";
import { declareCaptures, declareSteps, stepAnswers, stepIdsAt, stepNumbers } from "./step-ids.ts";
import { reportOrder } from "./mistakes/steps-in-order.ts";
import { uniqueUses } from "../decide/state-view.ts";
import { compileTrigger } from "./triggers/compile-trigger.ts";
import { namesOf } from "./expressions/captures.ts";
import { compileVariables } from "./variables.ts";

/** What a rule is compiled with besides its own text. */
export interface RuleSurroundings {
  /** Names of the groups of all files. */
  readonly groups: ReadonlySet<string>;
  /** What its file has beside the rules. */
  readonly shared: FileShared;
  /** The file that the rule stands in. */
  readonly source: CompiledRule["source"];
  /** Rules whose steps it can run. */
  readonly callable: CallableRules;
  /** As `CompiledRule.place`, without the rule's line. */
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
  const later = triggersOfLater(document, path);
  const shape = checkValue(ruleMap, document, {
    at: path,
    within,
    meant: (key) => meantWord("rule", key),
  });
  const laterLines = new Set(later.map((problem) => problem.line));
  const problems = [...later, ...shape.problems.filter((problem) => !laterLines.has(problem.line))];
  const triggers = namedTriggers(valueAt(value, ["triggers"]));
  // what is inside is checked even when the frame is wrong: all mistakes of a file are shown at once
  const calls = noCalls(typeof id === "string" ? idIn(source, id) : "", callable);
  const own = { document, base: path, shared, source, calls };
  const context = ruleContext(own, scopeOf(triggers));
  const ids = shape.value ? [shape.value.id, ...(shape.value.formerly ?? [])] : [];
  const used = ids.map((one) => idIn(source, one));
  const parts = triggers.length > 0 ? compileParts(context, path, shape.value, used) : undefined;
  if (shape.value) reportGroup(context, path, shape.value, groups);
  const all = unique([...problems, ...context.problems]);
  if (!shape.value || !parts || hasErrors(all)) return { rule: undefined, problems: all };
  const [line] = document.linesOf(path);
  const account = plainAccount(shape.value.account) ?? shared.account;
  const rule = assemble(shape.value, parts, {
    id: idIn(source, shape.value.id),
    revision: revisionOf(document, path, { brought: context.brought, source, shared }),
    named: [...new Set(context.brought.flatMap(({ files }) => files))],
    runs: [...new Set(context.brought.flatMap(({ runs }) => runs ?? []))].filter(
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

function namedTriggers(value: unknown): Trigger[] {
  if (!Array.isArray(value)) return [];
  const names = value.map((one: unknown) =>
    typeof one === "string" ? one : valueAt(one, ["trigger"]),
  );
  const known = new Set(names);
  return TRIGGERS.filter((trigger) => known.has(trigger));
}

function triggersOfLater(document: YamlDocument, path: Path): Problem[] {
  const value = valueAt(document.value, [...path, "triggers"]);
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown, index) => {
    const at = [...path, "triggers", index];
    const name = typeof one === "string" ? one : valueAt(one, ["trigger"]);
    if (typeof name !== "string") return [];
    const place = typeof one === "string" ? at : [...at, "trigger"];
    const atTimes = timeTrigger(name, one);
    if (atTimes !== undefined) return [document.problemAt(place, atTimes)];
    const meant = meantWord("trigger", name);
    if (meant !== undefined) {
      const message = `"${name}" is no trigger`;
      const help = `did you mean "${meant}"?`;
      return [document.problemAt(place, { code: "unknown-word", message, help })];
    }
    const message = reservedWord("trigger", name);
    if (message === undefined) return [];
    return [document.problemAt(place, { code: "not-in-this-version", message, help: NOT_YET })];
  });
}

type Parts = ReturnType<typeof compileParts>;

function compileParts(
  context: CompileContext,
  path: Path,
  rule: RuleMap | undefined,
  ids: readonly string[],
) {
  const triggers = rule
    ? rule.triggers.map((one, index) =>
        compileTrigger(context, [...path, "triggers", index], one, ids),
      )
    : [];
  const { variables, environment, types } = compileVariables(
    context,
    [...path, "variables"],
    rule?.variables ?? {},
  );
  const hasConditions = valueAt(context.document.value, [...path, "conditions"]) !== undefined;
  const conditions = hasConditions
    ? compileConditions(context.declaring(environment).knowing({ vars: types }), [
        ...path,
        "conditions",
      ])
    : [];
  const captured = [...triggers.flatMap(({ match }) => match), ...conditions];
  const captures = namesOf(captured.flatMap((one) => one.captures ?? []));
  const known = declareCaptures(environment, captures.names);
  const capturing = context.knowing({ vars: types }).capturing(captures);
  const mode = rule && compileMode(capturing.declaring(known), path, rule);
  const asksState = uniqueUses(context.state);
  const found = stepIdsAt(context, path);
  const stepIds =
    found.size === 0 ? NO_STEP_IDS : new Map([...found].map(([id, { label }]) => [id, label]));
  const running = capturing
    .knowing({ numbers: stepNumbers(found), answers: stepAnswers(found) })
    .declaring(declareSteps(known, found));
  const actions = compileSteps(running, [...path, "actions"]);
  const onError = compileSteps(running, [...path, "on_error"]);
  reportOrder(context, path, stepIds);
  reportOtherTemplates(context, [...path, "actions"]);
  reportPrivateTexts(context, path, rule?.allow ?? []);
  reportWordsOfOthers(context, path);
  reportUnheardHandOver(context, path, [...actions, ...onError]);
  if (rule) reportWithoutPerson(context, path, rule);
  if (rule) reportLoops(context, path, triggers, actions, rule.cooldown !== undefined);
  const usesState = uniqueUses(context.state);
  const steps = { stepIds, actions, onError };
  return {
    triggers,
    conditions,
    variables,
    ...steps,
    ...(mode && { mode }),
    asksState,
    usesState,
    stateTypes: context.stateTypes,
  };
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

/** As the rule has it, else the longest of its triggers. */
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
