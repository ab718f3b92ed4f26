import * as z from "zod";
import { assumed } from "../kernel/ledger.ts";
import type { Route, RouteCall, RouteResponse } from "../server/route.ts";
import { appOf } from "../auth/caller.ts";
import { Query } from "../data-query/query.ts";
import { idInput } from "../kernel/http/id-input.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { jsonInput } from "../server/input.ts";
import { connect } from "./stream-request.ts";
import { type StreamRuleRow, streamRules } from "./entities.ts";
import {
  streamLimits,
  addRules,
  deleteRules,
  ruleCounts,
  type RuleFault,
  newRule,
  type WantedRule,
} from "./rules.ts";

const RULES = "/2/posts/search/stream/rules";

const app = {
  auth: ["bearer"],
  ledger: assumed(
    "The documentation only announces a filtered stream; follows the live service's API description.",
  ),
} as const;

export const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/posts/search/stream",
    ...app,
    limits: { app: 50 },
    handle: connect,
  },
  { method: "GET", path: RULES, ...app, limits: { app: 450 }, handle: listRules },
  { method: "POST", path: RULES, ...app, limits: { app: 100 }, handle: changeRules },
  { method: "GET", path: `${RULES}/counts`, ...app, limits: { app: 75 }, handle: countRules },
];

const MAX_RULES = 1_000;
const ID = /^[0-9]{1,19}$/;
/** Length of the page tokens of `GET` requests for rules, in characters. */
const TOKEN_LENGTH = 16;
const COUNT_FIELDS = [
  "all_project_client_apps",
  "cap_per_client_app",
  "cap_per_project",
  "client_app_rules_count",
  "project_rules_count",
] as const;

/** Lists the app's rules, or only the rules with the requested ids, in the order in which they were added. */
function listRules(call: RouteCall): RouteResponse {
  const query = new Query(call);
  const ids = query.list("ids", { max: MAX_RULES, pattern: ID });
  const size = query.integer("max_results", { min: 1, max: MAX_RULES }) ?? MAX_RULES;
  const token = query.text("pagination_token", { min: 16, max: 16 });
  const above = token === undefined ? "0" : readRuleToken(token);
  if (above === undefined) {
    const message = `The \`pagination_token\` query parameter value [${token}] is not valid`;
    query.addFaultMessage("pagination_token", token ?? "", message);
  }
  query.finish();
  const rules: StreamRuleRow[] = [];
  let next: string | undefined;
  const table = streamRules.in(call.sandbox.world);
  for (const rule of table.ascending("app", appOf(call.caller).id, above ?? "0")) {
    if (ids !== undefined && !ids.includes(rule.id)) continue;
    const last = rules.at(-1);
    if (rules.length === size && last !== undefined) {
      next = ruleToken(last.id);
      break;
    }
    rules.push(rule);
  }
  const meta = {
    sent: sent(call),
    result_count: rules.length,
    ...(next !== undefined && { next_token: next }),
  };
  return { body: { ...dataOf(rules), meta } };
}

/** Adds or deletes rules. A fault in one rule does not affect the other rules. */
function changeRules(call: RouteCall): RouteResponse {
  const { sandbox, caller, origin } = call;
  const query = new Query(call);
  const dryRun = query.choice("dry_run", ["true", "false"]) === "true";
  const deleteAll = query.choice("delete_all", ["true", "false"]) === "true";
  query.finish();
  const change = readChange(call, deleteAll);
  const app = appOf(caller);
  if (change.kind === "add") {
    const { rules, problems } = addRules(sandbox, app, change.rules, { dryRun, origin });
    const [created, refused] = [rules.length, problems.length];
    const summary = { created, not_created: refused, valid: created, invalid: refused };
    const body = { ...dataOf(rules), meta: { sent: sent(call), summary }, ...errorsOf(problems) };
    return { status: created === 0 ? 200 : 201, body };
  }
  const all = streamRules.in(sandbox.world).where("app", app.id);
  const named =
    change.kind === "delete" ? change : { ids: all.map(({ id }) => id), values: [] as const };
  const { deleted, problems } = deleteRules(sandbox, app, named, { dryRun, origin });
  const summary = { deleted, not_deleted: problems.length };
  return { body: { meta: { sent: sent(call), summary }, ...errorsOf(problems) } };
}

/** Counts the rules of the app and of its project, with their limits. */
function countRules(call: RouteCall): RouteResponse {
  const query = new Query(call);
  query.choices("rules_count.fields", COUNT_FIELDS);
  query.finish();
  const { world } = call.sandbox;
  const app = appOf(call.caller);
  const { rulesPerApp, rulesPerProject } = streamLimits(world, app);
  const counts = [...ruleCounts(world, app)].map(([id, count]) => ({
    client_app_id: id,
    rule_count: count,
  }));
  const inProject = counts.reduce((sum, { rule_count: count }) => sum + count, 0);
  // The live service sends strings here to callers that use the word `post` instead of `tweet`.
  const number = (value: number): number | string =>
    call.dialect === "post" ? String(value) : value;
  return {
    body: {
      data: {
        all_project_client_apps: counts,
        cap_per_client_app: number(rulesPerApp),
        cap_per_project: number(rulesPerProject),
        client_app_rules_count: counts.find(({ client_app_id: id }) => id === app.id),
        project_rules_count: number(inProject),
      },
    },
  };
}

function sent({ sandbox }: RouteCall): string {
  return new Date(sandbox.time.now()).toISOString();
}

function dataOf(rules: readonly StreamRuleRow[]): { data?: readonly object[] } {
  if (rules.length === 0) return {};
  return {
    data: rules.map(({ id, value, tag }) => ({ id, value, ...(tag !== undefined && { tag }) })),
  };
}

function errorsOf(problems: readonly RuleFault[]): { errors?: readonly RuleFault[] } {
  return problems.length === 0 ? {} : { errors: problems };
}

/** Encodes the token of the page that follows a rule. */
function ruleToken(id: string): string {
  return BigInt(id).toString(32).padStart(TOKEN_LENGTH, "0");
}

/** Decodes a page token to the id of the rule before the page; `undefined` for an invalid token. */
function readRuleToken(token: string): string | undefined {
  if (!/^[0-9a-v]{16}$/.test(token)) return undefined;
  let id = 0n;
  for (const digit of token) id = id * 32n + BigInt(Number.parseInt(digit, 32));
  return String(id);
}

const rulesInput = z.strictObject({
  add: z.array(newRule).min(1).optional(),
  delete: z
    .strictObject({
      ids: z.array(idInput).optional(),
      values: z.array(z.string()).optional(),
    })
    .optional(),
});

/** Change that a request makes to the rules. */
type RuleChange =
  | { readonly kind: "add"; readonly rules: readonly WantedRule[] }
  | { readonly kind: "delete"; readonly ids: readonly string[]; readonly values: readonly string[] }
  | { readonly kind: "delete_all" };

/** Reads the change that a request makes. @throws {ApiError} 400 unless the request makes exactly one change. */
function readChange(call: RouteCall, deleteAll: boolean): RuleChange {
  const { add, delete: removed } = jsonInput(call, rulesInput);
  const requestedChanges = [deleteAll, add !== undefined, removed !== undefined].filter(Boolean);
  if (requestedChanges.length !== 1) {
    throw ApiError.invalid([
      { message: "Exactly one of `add`, `delete` or `delete_all` must be given." },
    ]);
  }
  if (add !== undefined) return { kind: "add", rules: add };
  if (removed === undefined) return { kind: "delete_all" };
  const { ids = [], values = [] } = removed;
  if (ids.length + values.length > 0) return { kind: "delete", ids, values };
  throw ApiError.invalid([{ message: "$.delete: give `ids` or `values` of rules." }]);
}
