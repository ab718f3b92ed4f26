import { z } from "zod";
import { UsageError } from "../../errors.ts";
import { checkedPart, dataOf } from "../reading/response.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { paged, type Paged } from "../reading/paging.ts";

const Rule = z.object({ id: z.string(), value: z.string(), tag: z.string().optional() });
const Problem = z.object({
  title: z.string(),
  type: z.string(),
  value: z.string().optional(),
  id: z.string().optional(),
  detail: z.string().optional(),
  details: z.array(z.string()).optional(),
  errors: z.array(z.object({ message: z.string() })).optional(),
});
const sent = z.string().optional();
const Listed = z.object({
  data: z.array(Rule).default([]),
  meta: z.object({ sent, next_token: z.string().optional() }),
});
const Added = z.object({
  data: z.array(Rule).default([]),
  errors: z.array(Problem).default([]),
  meta: z.object({
    sent,
    summary: z.object({
      created: z.number(),
      not_created: z.number(),
      valid: z.number(),
      invalid: z.number(),
    }),
  }),
});
const Deleted = z.object({
  errors: z.array(Problem).default([]),
  meta: z.object({ sent, summary: z.object({ deleted: z.number(), not_deleted: z.number() }) }),
});
/** Accepts numbers and numbers as text, because the platform documents both. */
const number = z.coerce.number();
const AppCount = z.object({ client_app_id: z.string().nullish(), rule_count: number });
const Counts = z.object({
  cap_per_client_app: number,
  cap_per_project: number,
  project_rules_count: number,
  client_app_rules_count: AppCount,
  all_project_client_apps: z.array(AppCount).default([]),
});

/** A rule of the filtered stream: a query in the platform's search operators, and your own label (`tag`). */
export type StreamRule = z.infer<typeof Rule>;

/** Reason why a stream rule was not added or deleted. */
export type RuleProblem = z.infer<typeof Problem>;

/** A page of rules, in the order of their creation. */
export type RulePage = z.infer<typeof Listed>;

/** Added stream rules, and the reasons why other rules were not added; a duplicate has the title `DuplicateRule`. */
export type AddedRules = z.infer<typeof Added>;

/** Number of deleted rules, and the rules that do not exist. */
export type DeletedRules = z.infer<typeof Deleted>;

/** Numbers of stream rules of the app and its project, and the limits of these numbers. */
export type RuleCounts = z.infer<typeof Counts>;

/** A rule to be added; a string is its value. */
export type NewRule = string | { readonly value: string; readonly tag?: string | undefined };

/** Filter and page size of a list of rules. */
export interface RuleListParams {
  readonly ids?: readonly string[] | undefined;
  /** Number of rules on a page, from 1 to 1000. */
  readonly maxResults?: number | undefined;
}

/** Options for adding or deleting rules. */
export interface RuleChangeParams {
  /** Validates the change without making it. */
  readonly dryRun?: boolean | undefined;
}

/** Rules to delete, by id or value, or all. */
export type RulesToDelete =
  | "all"
  | {
      readonly ids?: readonly string[] | undefined;
      readonly values?: readonly string[] | undefined;
    };

/** Lists the app's stream rules page by page. */
export function listRules(
  caller: Caller,
  endpoint: Endpoint,
  { ids, maxResults }: RuleListParams = {},
  options?: CallOptions,
): Paged<StreamRule, RulePage> {
  return paged<StreamRule, RulePage>(
    async (token) => {
      const query = { ids, max_results: maxResults, pagination_token: token };
      const answer = await caller.call(endpoint, { query }, options);
      const page = checkedPart(answer, answer.body, Listed, "answer");
      return { page, next: page.meta.next_token, answer };
    },
    ({ data }) => data,
  );
}

export async function addRules(
  caller: Caller,
  endpoint: Endpoint,
  rules: readonly NewRule[],
  { dryRun }: RuleChangeParams = {},
  options?: CallOptions,
): Promise<AddedRules> {
  const add = rules.map((rule) => (typeof rule === "string" ? { value: rule } : rule));
  const answer = await caller.call(
    endpoint,
    { query: { dry_run: dryRun }, json: { add } },
    options,
  );
  return checkedPart(answer, answer.body, Added, "answer");
}

export async function deleteRules(
  caller: Caller,
  endpoint: Endpoint,
  which: RulesToDelete,
  { dryRun }: RuleChangeParams = {},
  options?: CallOptions,
): Promise<DeletedRules> {
  const query = { dry_run: dryRun, delete_all: which === "all" ? true : undefined };
  const json = which === "all" ? {} : { delete: { ids: which.ids, values: which.values } };
  if (which !== "all" && (which.ids?.length ?? 0) + (which.values?.length ?? 0) === 0) {
    throw new UsageError("no rule to delete is named", {
      hint: 'give ids or values of rules, or "all"',
    });
  }
  const answer = await caller.call(endpoint, { query, json }, options);
  return checkedPart(answer, answer.body, Deleted, "answer");
}

export async function countRules(
  caller: Caller,
  endpoint: Endpoint,
  options?: CallOptions,
): Promise<RuleCounts> {
  return dataOf(await caller.call(endpoint, {}, options), Counts);
}
