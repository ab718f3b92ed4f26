import * as z from "zod";
import { idInput } from "../data-query/id-input.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { jsonInput } from "../kernel/http/input.ts";
import type { RouteCall } from "../kernel/http/route.ts";

const newRule = z.strictObject({ value: z.string(), tag: z.string().optional() });

/** A rule as it is asked for. */
export type WantedRule = z.infer<typeof newRule>;

const rulesInput = z.strictObject({
  add: z.array(newRule).min(1).optional(),
  delete: z
    .strictObject({
      ids: z.array(idInput).optional(),
      values: z.array(z.string()).optional(),
    })
    .optional(),
});

/** What a request changes of the rules. */
export type RuleChange =
  | { readonly kind: "add"; readonly rules: readonly WantedRule[] }
  | { readonly kind: "delete"; readonly ids: readonly string[]; readonly values: readonly string[] }
  | { readonly kind: "delete_all" };

/** Exactly one change. @throws {ApiError} 400 for none or several. */
export function readChange(call: RouteCall, deleteAll: boolean): RuleChange {
  const { add, delete: removed } = jsonInput(call, rulesInput);
  const given = [deleteAll, add !== undefined, removed !== undefined].filter(Boolean);
  if (given.length !== 1) {
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
