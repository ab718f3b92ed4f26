import type { ApiResponse } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { type Endpoint, nameOf } from "../http/endpoint.ts";
import { jsonFields } from "../http/json-fields.ts";
import { isFields } from "../http/problem.ts";
import { madeAt } from "./made-at.ts";
import { streamEnding } from "./stream-ending.ts";
import { fieldsToPostDialect } from "../http/dialect.ts";
import { receivedOne } from "../reading/read.ts";
import { type AnySelection, selectionParams } from "../reading/selection-params.ts";
import { postsWith } from "../reading/shapes.ts";
import type { StreamLine, StreamSource } from "./follow.ts";
import { followEndpoint, openEndpoint } from "./open-endpoint.ts";
import { searchGap } from "./search-gap.ts";
import type { MatchingRule, StreamedPost, StreamParams } from "./streamed-post.ts";

/** Yields the posts of the filtered stream, across reconnects. */
export function followPosts<S extends StreamParams>(
  caller: Caller,
  endpoints: { readonly stream: Endpoint; readonly rules: Endpoint },
  params: S | undefined,
): AsyncGenerator<StreamedPost<S>, void, undefined> {
  const { stream } = endpoints;
  const selection: AnySelection = params ?? {};
  const shape = postsWith<S>(params);
  const name = nameOf(stream);
  const read = (line: string): StreamLine<StreamedPost<S>> => {
    const body = fieldsToPostDialect(jsonFields(line, name, 200));
    const answer: ApiResponse = { endpoint: name, status: 200, body };
    if (body["data"] === undefined) return streamEnding(answer);
    const post = receivedOne(answer, params, shape);
    const { id } = post.data;
    return {
      kind: "item",
      item: { ...post, matching_rules: rulesOf(body["matching_rules"]) },
      id,
      madeAt: madeAt(id),
    };
  };
  const source: StreamSource<StreamedPost<S>> = {
    open: openEndpoint(caller, stream, selectionParams(selection, caller.settings.dialect)),
    read,
    ...(params?.searchGaps !== false && {
      search: (gap, signal) => searchGap(caller, endpoints.rules, params, gap, signal),
    }),
  };
  return followEndpoint(caller, source, params);
}

function rulesOf(rules: unknown): MatchingRule[] {
  if (!Array.isArray(rules)) return [];
  return rules.filter(isFields).map(({ id, tag }) => ({
    id: String(id),
    ...(typeof tag === "string" && { tag }),
  }));
}
