import { projects } from "../apps/entities.ts";
import { appOf } from "../auth/caller.ts";
import type { Query } from "../data-query/query.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteCall } from "../kernel/http/route.ts";
import { parseSearch, type SearchExpression } from "./parse.ts";
import { SearchSyntaxError } from "./tokens.ts";

/** Most characters of a query by plan. Source: operators of the live service. */
export const RECENT_LENGTHS = { enterprise: 4_096, other: 512 };
export const ARCHIVE_LENGTHS = { enterprise: 4_096, other: 1_024 };

/** Reads the parameter `query`; what it returns parses it, once all parameters were looked at. */
export function readSearch(
  query: Query,
  call: RouteCall,
  lengths: typeof RECENT_LENGTHS,
): () => SearchExpression {
  query.require("query");
  const plan = projects.in(call.sandbox.world).get(appOf(call.caller).projectId)?.plan;
  const max = plan === "enterprise" ? lengths.enterprise : lengths.other;
  const text = query.text("query", { max });
  return () => parse(text ?? "");
}

/** @throws {ApiError} 400 that says what is wrong with the query, and where. */
function parse(text: string): SearchExpression {
  try {
    return parseSearch(text);
  } catch (error) {
    if (!(error instanceof SearchSyntaxError)) throw error;
    throw ApiError.parameter("query", text, syntaxFault(error));
  }
}

/** What is wrong with a query, as the live service words it. */
export function syntaxFault({ message, at }: SearchSyntaxError): string {
  return `There were errors processing your request: ${message} (at position ${at})`;
}
