import type { Path } from "../../../config/yaml-document.ts";
import type { AccountEvent } from "../../../events/event.ts";
import type { Trigger } from "../../../events/triggers.ts";
import type { CompiledCondition } from "../../evaluation/evaluation.ts";
import { queryFault } from "../../search/query-fault.ts";
import type { CompileContext } from "../compile-context.ts";
import { askedOfTrigger } from "./asked-of-trigger.ts";

/** Compiled trigger `post.found`: its query, and the condition that this query found the post. */
export interface FoundTrigger {
  readonly query?: string;
  readonly match: readonly CompiledCondition[];
}

const NONE: FoundTrigger = { match: [] };

/** Compiles the key `query` of a trigger. Problems go to the context. */
export function compileFound(
  context: CompileContext,
  path: Path,
  trigger: Trigger,
  {
    query: written,
    direction,
  }: { readonly query?: string | undefined; readonly direction: string },
): FoundTrigger {
  if (trigger !== "post.found") {
    if (written === undefined) return NONE;
    const message = `"query" is only for post.found, not for ${trigger}`;
    context.report([...path, "query"], { code: "unknown-key", message, help: USE_FOUND }, "key");
    return NONE;
  }
  if (direction === "outbound") {
    const message = "post.found finds only posts of other people, so it never occurs outbound";
    const help = "remove  direction: outbound,  or listen to post.created";
    context.report([...path, "direction"], { code: "invalid-value", message, help });
  }
  if (written === undefined) {
    const message = 'post.found has no search: "query" is missing';
    const help = 'write  {trigger: post.found, query: "brand -is:retweet"}';
    context.report(path, { code: "missing-key", message, help });
    return NONE;
  }
  const query = written.trim();
  const fault = queryFault(query);
  if (fault !== undefined) {
    const { mistake, length } = fault;
    const offset = fault.offset + written.indexOf(query);
    context.report([...path, "query"], mistake, { text: written, offset, length });
    if (mistake.severity !== "warning") return NONE;
  }
  const condition = { key: "query", field: "post.found_by", read: foundBy, values: [query] };
  return { query, match: [askedOfTrigger(context, path, { ...condition, isList: true })] };
}

const USE_FOUND = "remove it, or write  trigger: post.found";

const foundBy = (event: AccountEvent) => (event.kind === "post" ? event.foundBy : undefined);
