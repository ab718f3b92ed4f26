import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { APP, type Endpoints } from "../http/endpoint.ts";
import type { Paged } from "../reading/paging.ts";
import type { EmptySelection, PostSelection, ValidPostSelection } from "../reading/selection.ts";
import { followPosts } from "./follow-posts.ts";
import type { StreamedPost, StreamParams } from "./streamed-post.ts";
import {
  type AddedRules,
  addRules,
  countRules,
  type DeletedRules,
  deleteRules,
  listRules,
  type NewRule,
  type RuleChangeParams,
  type RuleCounts,
  type RuleListParams,
  type RulePage,
  type RulesToDelete,
  type StreamRule,
} from "./stream-rules.ts";

/** Posts as they are made, filtered by rules of the app. The app's bearer token only. */
export interface FilteredStreamMethods {
  /**
   * Every post that matches a rule, from now on, over all connections, each once.
   *
   * A stream that ends, breaks, or is silent for longer than it may be is connected again: at once, then after waits that
   * grow, by the platform's reset where it limits. What was posted meanwhile is given by the stream's backfill, up to five
   * minutes; what is longer ago by recent search with the rules, where they can be searched for. `onGap` is told of each
   * such time, and whether it was filled. Posts of a gap may come after newer ones.
   *
   * The loop ends when `signal` is aborted or the client closed, and throws what another try would not change.
   *
   * @throws PlatformError with status 409 where the app has no rules, 401 or 403 where it may not.
   *
   * @example
   * const app = client.as({ type: "bearer", bearerToken: "…" });
   * await app.filteredStream.addRules([{ value: "answerback -is:retweet", tag: "us" }]);
   * const posts = app.filteredStream.posts({
   *   postFields: ["created_at"],
   *   onGap: ({ from, to, filled }) => console.log(`not there from ${from} to ${to}; filled: ${filled}`),
   * });
   * for await (const { data, matching_rules } of posts) console.log(matching_rules[0]?.tag, data.text);
   */
  posts<const S extends StreamParams = EmptySelection>(
    params?: ValidPostSelection<S, StreamParams>,
  ): AsyncGenerator<StreamedPost<S>, void, undefined>;
  /**
   * The app's rules, in the order in which they were added.
   *
   * @example
   * const app = client.as({ type: "bearer", bearerToken: "…" });
   * for await (const { id, value, tag } of app.filteredStream.rules()) console.log(id, value, tag);
   */
  rules(params?: RuleListParams, options?: CallOptions): Paged<StreamRule, RulePage>;
  /**
   * Adds rules. One that is invalid, or there already, is in `errors` and keeps no other from being added.
   *
   * @throws PlatformError with problem `rule-cap` where there would be too many.
   *
   * @example
   * const app = client.as({ type: "bearer", bearerToken: "…" });
   * const { data, errors } = await app.filteredStream.addRules(["answerback", { value: "from:somebody", tag: "them" }]);
   * console.log(data.length, errors.map(({ title, value }) => `${value}: ${title}`));
   */
  addRules(
    rules: readonly NewRule[],
    params?: RuleChangeParams,
    options?: CallOptions,
  ): Promise<AddedRules>;
  /**
   * Deletes rules by their ids or values, or all; one that is not there is in `errors`.
   *
   * @example
   * const app = client.as({ type: "bearer", bearerToken: "…" });
   * const { meta } = await app.filteredStream.deleteRules({ values: ["answerback"] });
   * console.log(meta.summary.deleted);
   */
  deleteRules(
    which: RulesToDelete,
    params?: RuleChangeParams,
    options?: CallOptions,
  ): Promise<DeletedRules>;
  /**
   * How many rules the app and its project have, and may have.
   *
   * @example
   * const app = client.as({ type: "bearer", bearerToken: "…" });
   * const { client_app_rules_count: own, cap_per_client_app: most } = await app.filteredStream.ruleCounts();
   * console.log(`${own.rule_count} of ${most}`);
   */
  ruleCounts(options?: CallOptions): Promise<RuleCounts>;
}

const RULES = "/2/posts/search/stream/rules";

/** Where the methods of the filtered stream go. */
export const FILTERED_STREAM = {
  posts: { method: "GET", path: "/2/posts/search/stream", takes: APP },
  rules: { method: "GET", path: RULES, takes: APP },
  addRules: { method: "POST", path: RULES, takes: APP },
  deleteRules: { method: "POST", path: RULES, takes: APP },
  ruleCounts: { method: "GET", path: `${RULES}/counts`, takes: APP },
} as const satisfies Endpoints<FilteredStreamMethods>;

/** The methods of the filtered stream over a caller. */
export function filteredStream(caller: Caller): FilteredStreamMethods {
  const { posts, rules, ...endpoints } = FILTERED_STREAM;
  return {
    posts: <S extends PostSelection & StreamParams>(params?: ValidPostSelection<S, StreamParams>) =>
      followPosts<S>(caller, { stream: posts, rules }, params),
    rules: (params, options) => listRules(caller, rules, params, options),
    addRules: (list, params, options) =>
      addRules(caller, endpoints.addRules, list, params, options),
    deleteRules: (which, params, options) =>
      deleteRules(caller, endpoints.deleteRules, which, params, options),
    ruleCounts: (options) => countRules(caller, endpoints.ruleCounts, options),
  };
}
