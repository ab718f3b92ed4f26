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

/** Live posts that match the app's stream rules. Accepts only the app's bearer token. */
export interface FilteredStreamMethods {
  /**
   * Live posts that match a stream rule. Each post comes once, also after a reconnect.
   *
   * A stream that ends, breaks or stalls is reconnected: at once, then with growing waits, or at the reset of a rate
   * limit. Up to five minutes of missed posts come from the stream's backfill. Older posts come from recent search with
   * the stream rules, if these are searchable. `onGap` is called for each gap and reports whether the gap was filled.
   * Posts of a gap may come after newer posts.
   *
   * The loop ends when `signal` aborts or the client closes. The loop throws an error if a retry would fail the same
   * way.
   *
   * @throws PlatformError with status 409 if the app has no rules, 401 or 403 if it has no permission.
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
   * The app's stream rules, in the order of their creation.
   *
   * @example
   * const app = client.as({ type: "bearer", bearerToken: "…" });
   * for await (const { id, value, tag } of app.filteredStream.rules()) console.log(id, value, tag);
   */
  rules(params?: RuleListParams, options?: CallOptions): Paged<StreamRule, RulePage>;
  /**
   * Adds stream rules. `errors` lists invalid and duplicate rules; all other rules are added.
   *
   * @throws PlatformError with problem `rule-cap` if the app would have too many rules.
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
   * Deletes stream rules by id or value, or all rules; `errors` lists the rules that do not exist.
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
   * Returns the numbers of stream rules of the app and its project, and the limits of these numbers.
   *
   * @example
   * const app = client.as({ type: "bearer", bearerToken: "…" });
   * const { client_app_rules_count: own, cap_per_client_app: most } = await app.filteredStream.ruleCounts();
   * console.log(`${own.rule_count} of ${most}`);
   */
  ruleCounts(options?: CallOptions): Promise<RuleCounts>;
}

const RULES = "/2/posts/search/stream/rules";

/** Endpoints of the filtered stream's methods. */
export const FILTERED_STREAM = {
  posts: { method: "GET", path: "/2/posts/search/stream", takes: APP },
  rules: { method: "GET", path: RULES, takes: APP },
  addRules: { method: "POST", path: RULES, takes: APP },
  deleteRules: { method: "POST", path: RULES, takes: APP },
  ruleCounts: { method: "GET", path: `${RULES}/counts`, takes: APP },
} as const satisfies Endpoints<FilteredStreamMethods>;

/** Creates the methods of the filtered stream, which send their requests through `caller`. */
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
