import * as z from "zod";
import { type AppRow, apps, projects } from "../model/apps.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { checkStreamed } from "../../protocol/search-query/operators.ts";
import { searchFault, type StreamRuleRow, streamRules, valueKey } from "./entities.ts";

/** A rule in the body of a request. */
export const newRule = z.strictObject({ value: z.string(), tag: z.string().optional() });

export type WantedRule = z.infer<typeof newRule>;

/** Reason why a rule was not added or deleted, as an entry of `errors`. */
export type RuleFault = Readonly<Record<string, unknown>>;

/** Options of a request that adds or deletes rules. */
interface RuleChange {
  /** Whether the change is only checked, and nothing is stored. */
  readonly dryRun: boolean;
  /** Origin that the client used; `type` URLs of problems begin with it. */
  readonly origin: string;
}

/** Added rules, and the reasons why the other requested rules were not added. */
export interface RulesAdded {
  readonly rules: readonly StreamRuleRow[];
  readonly problems: readonly RuleFault[];
}

/**
 * Adds the rules that are valid and new; on a dry run nothing is stored.
 *
 * @throws {ApiError} 400 if the app or its project would have too many rules.
 */
export function addRules(
  sandbox: Sandbox,
  app: AppRow,
  wanted: readonly WantedRule[],
  { dryRun, origin }: RuleChange,
): RulesAdded {
  const { world } = sandbox;
  const table = streamRules.in(world);
  const { ruleLength } = streamLimits(world, app);
  const rules = new Map<string, StreamRuleRow>();
  const problems: RuleFault[] = [];
  for (const { value, tag } of wanted) {
    const existing = rules.get(value) ?? table.first("value", valueKey(app.id, value));
    const details = existing === undefined ? ruleFault(value, ruleLength) : undefined;
    if (existing !== undefined) {
      const type = `${origin}/2/problems/duplicate-rules`;
      problems.push({ value, id: existing.id, title: "DuplicateRule", type });
    } else if (details !== undefined) {
      const type = `${origin}/2/problems/invalid-rules`;
      problems.push({ value, details: [details], title: "UnprocessableEntity", type });
    } else {
      const id = world.ids.next();
      const row = { id, appId: app.id, value, at: sandbox.time.now() };
      rules.set(value, tag === undefined ? row : { ...row, tag });
    }
  }
  refuseTooMany(world, app, rules.size);
  if (!dryRun) for (const rule of rules.values()) table.put(rule);
  return { rules: [...rules.values()], problems };
}

/** Deletes rules by id and by value; on a dry run only finds and counts them. */
export function deleteRules(
  { world }: Sandbox,
  app: AppRow,
  named: { readonly ids: readonly string[]; readonly values: readonly string[] },
  { dryRun, origin }: RuleChange,
): { readonly deleted: number; readonly problems: readonly RuleFault[] } {
  const table = streamRules.in(world);
  const ruleIds = new Set<string>();
  const problems: RuleFault[] = [];
  const take = (rule: StreamRuleRow | undefined, parameter: string, identifier: string): void => {
    if (rule !== undefined && rule.appId === app.id && !ruleIds.has(rule.id)) ruleIds.add(rule.id);
    else problems.push(noSuchRule(origin, parameter, identifier));
  };
  for (const id of named.ids) take(table.get(id), "id", id);
  for (const value of named.values) {
    take(table.first("value", valueKey(app.id, value)), "value", value);
  }
  if (!dryRun) for (const id of ruleIds) table.delete(id);
  return { deleted: ruleIds.size, problems };
}

/** Counts the rules of each app of a project. */
export function ruleCounts(world: SandboxWorld, app: AppRow): ReadonlyMap<string, number> {
  const siblings = app.projectId === "" ? [app] : apps.in(world).where("project", app.projectId);
  return new Map(siblings.map(({ id }) => [id, streamRules.in(world).count("app", id)]));
}

/** Returns the error of a rule in the live service's words; `undefined` for a valid rule. */
function ruleFault(value: string, maxLength: number): string | undefined {
  const length = Array.from(value).length;
  if (length === 0) return "Rule is empty. (at position 1)";
  if (length > maxLength) {
    return `Rule length is too long (${length} characters); at most ${maxLength} are allowed. (at position ${maxLength + 1})`;
  }
  return searchFault(value) ?? searchFault(value, checkStreamed);
}

function refuseTooMany(world: SandboxWorld, app: AppRow, added: number): void {
  const { rulesPerApp, rulesPerProject } = streamLimits(world, app);
  const counts = ruleCounts(world, app);
  const inProject = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if ((counts.get(app.id) ?? 0) + added <= rulesPerApp && inProject + added <= rulesPerProject)
    return;
  throw new ApiError({
    status: 400,
    code: "rule_cap",
    message: `Rule limit exceeded: an app may have ${rulesPerApp} rules, a project ${rulesPerProject}.`,
    title: "RulesCapExceeded",
    problem: "rule-cap",
  });
}

function noSuchRule(origin: string, parameter: string, identifier: string): RuleFault {
  return {
    errors: [{ message: "Rule does not exist", parameters: { [parameter]: [identifier] } }],
    title: "Invalid Request",
    detail: "One or more parameters to your request was invalid.",
    type: `${origin}/2/problems/invalid-request`,
  };
}

/** Limits on an app's rules and open connections, which depend on its plan. */
export interface StreamLimits {
  readonly rulesPerApp: number;
  readonly rulesPerProject: number;
  /** Maximum length of a rule, in characters. */
  readonly ruleLength: number;
  readonly connections: number;
}

/** Limits of the enterprise plan. Source: the live service's page on filtered streams. */
const ENTERPRISE: StreamLimits = {
  rulesPerApp: 1_000,
  rulesPerProject: 5_000,
  ruleLength: 2_048,
  connections: 2,
};
const OTHER: StreamLimits = {
  rulesPerApp: 1_000,
  rulesPerProject: 1_000,
  ruleLength: 1_024,
  connections: 1,
};

/** Returns the limits for the plan of an app's project. */
export function streamLimits(world: SandboxWorld, app: AppRow): StreamLimits {
  return projects.in(world).get(app.projectId)?.plan === "enterprise" ? ENTERPRISE : OTHER;
}
