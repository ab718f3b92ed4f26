import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import type { PostRow } from "../model/posts.ts";
import { hiddenPostReason } from "../model/hidden-reason.ts";
import { PostFacts } from "../search/facts.ts";
import { parseSearch, type SearchExpression } from "../search/parse.ts";
import { matches } from "../search/run.ts";
import { type StreamRuleRow, streamRules } from "./entities.ts";

/** Cache of parsed rules by row. Rows are immutable, so an entry never becomes stale. */
const parsed = new WeakMap<StreamRuleRow, SearchExpression>();

function searchOf(rule: StreamRuleRow): SearchExpression {
  const cachedSearch = parsed.get(rule);
  if (cachedSearch !== undefined) return cachedSearch;
  const search = parseSearch(rule.value);
  parsed.set(rule, search);
  return search;
}

/** Returns the rules of an app that a post matches; none if apps may not see the post. */
export function matchingRules(
  world: SandboxWorld,
  appId: string,
  post: PostRow,
): readonly StreamRuleRow[] {
  if (hiddenPostReason(world, undefined, post) !== undefined) return [];
  const facts = new PostFacts(world, post);
  return streamRules
    .in(world)
    .where("app", appId)
    .filter((rule) => matches(searchOf(rule), facts));
}
