import { AnswerbackError } from "../../errors.ts";
import type { Caller } from "../http/caller.ts";
import { ANY, type Endpoint } from "../http/endpoint.ts";
import { listRules, type StreamRule } from "./stream-rules.ts";
import { readPages } from "../reading/read.ts";
import { postsWith } from "../reading/shapes.ts";
import { MARGIN_MS, type Stretch } from "./coverage.ts";
import type { StreamedPost, StreamParams } from "./streamed-post.ts";

/** Endpoint that searches the posts of the last seven days. */
export const RECENT_SEARCH = {
  method: "GET",
  path: "/2/posts/search/recent",
  takes: ANY,
} as const satisfies Endpoint;

/** Reach of recent search: seven days, minus a minute of allowance for the delay of the requests. */
const REACH_MS = 7 * 24 * 60 * 60_000 - 60_000;

/** Posts of a gap, oldest first. `why` is the reason why the list may be incomplete. */
export interface SearchedGap<S> {
  readonly items: readonly { readonly id: string; readonly item: StreamedPost<S> }[];
  readonly why?: string;
}

/** Finds the posts of a gap that match the stream rules, with one recent search for each rule. */
export async function searchGap<S extends StreamParams>(
  caller: Caller,
  rulesEndpoint: Endpoint,
  params: S | undefined,
  { from, to }: Stretch,
  signal: AbortSignal,
): Promise<SearchedGap<S>> {
  const postsById = new Map<string, StreamedPost<S>>();
  const reached = caller.settings.platformTime.now() - REACH_MS;
  const startTime = new Date(Math.max(from - MARGIN_MS, reached));
  const problems = from < reached ? ["it began more than seven days ago"] : [];
  try {
    for await (const rule of listRules(caller, rulesEndpoint, {}, { signal })) {
      const problem = await searchRule(caller, params, rule, { startTime, to }, signal, postsById);
      if (problem !== undefined) problems.push(problem);
    }
  } catch (error) {
    if (!(error instanceof AnswerbackError)) throw error;
    problems.push(error.message);
  }
  const items = [...postsById]
    .map(([id, item]) => ({ id, item }))
    .toSorted((a, b) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1));
  return problems.length === 0 ? { items } : { items, why: problems.join("; ") };
}

/** Adds the posts that match one stream rule to `postsById`. Returns the reason if the search failed. */
async function searchRule<S extends StreamParams>(
  caller: Caller,
  params: S | undefined,
  { id, value, tag }: StreamRule,
  { startTime, to }: { readonly startTime: Date; readonly to: number },
  signal: AbortSignal,
  postsById: Map<string, StreamedPost<S>>,
): Promise<string | undefined> {
  const query = { query: value, start_time: startTime, end_time: new Date(to), max_results: 100 };
  const matching = { id, ...(tag !== undefined && { tag }) };
  const read = {
    endpoint: RECENT_SEARCH,
    input: { query },
    selection: params,
    shape: postsWith<S>(params),
    options: { signal },
  };
  try {
    for await (const { data, includes, errors } of readPages(caller, read, "next_token").pages()) {
      for (const post of data) {
        const rules = [...(postsById.get(post.id)?.matching_rules ?? []), matching];
        postsById.set(post.id, { data: post, includes, errors, matching_rules: rules });
      }
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof AnswerbackError)) throw error;
    return `the rule "${value}" can't be searched for: ${error.message}`;
  }
}
