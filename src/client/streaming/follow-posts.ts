import { UsageError } from "../../errors.ts";
import type { ApiResponse } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { type Endpoint, nameOf } from "../http/endpoint.ts";
import { jsonFields } from "../http/json-fields.ts";
import { isFields } from "../http/problem.ts";
import { fieldsToPostDialect } from "../reading/dialect.ts";
import { receivedOne } from "../reading/read.ts";
import { protocolError } from "../reading/response.ts";
import { type AnySelection, selectionParams } from "../reading/selection-params.ts";
import { postsWith } from "../reading/shapes.ts";
import { follow, type StreamLine } from "./follow.ts";
import { searchGap } from "./search-gap.ts";
import type { MatchingRule, StreamedPost, StreamParams } from "./streamed-post.ts";

/** How long a stream may be silent: it shows that it is alive every 20 seconds. */
const STALL_AFTER_MS = 30_000;

/** Follows the filtered stream. */
export function followPosts<S extends StreamParams>(
  caller: Caller,
  endpoints: { readonly stream: Endpoint; readonly rules: Endpoint },
  params: S | undefined,
): AsyncGenerator<StreamedPost<S>, void, undefined> {
  const { stream } = endpoints;
  const { settings } = caller;
  const selection: AnySelection = params ?? {};
  const shape = postsWith<S>(params);
  const name = nameOf(stream);
  const read = (line: string): StreamLine<StreamedPost<S>> => {
    const body = fieldsToPostDialect(jsonFields(line, name, 200));
    const answer: ApiResponse = { endpoint: name, status: 200, body };
    if (body["data"] === undefined) return ending(answer);
    const post = receivedOne(answer, params, shape);
    const { id } = post.data;
    return {
      kind: "item",
      item: { ...post, matching_rules: rulesOf(body["matching_rules"]) },
      id,
      madeAt: timeOfId(id),
    };
  };
  const signals = [params?.signal, settings.closing].filter((one) => one !== undefined);
  return follow(
    {
      open: async (minutes, signal, onArrival) => {
        const backfill = { backfill_minutes: minutes === 0 ? undefined : minutes };
        const query = { ...selectionParams(selection, settings.dialect), ...backfill };
        const answer = caller.open?.(stream, { query }, { signal, onArrival });
        if (answer !== undefined) return answer;
        throw new UsageError(`${name} goes on: it can't be asked for here`, {
          hint: "follow the stream with a client of createClient",
        });
      },
      read,
      ...(params?.searchGaps === false
        ? {}
        : { search: (gap, signal) => searchGap(caller, endpoints.rules, params, gap, signal) }),
    },
    {
      clock: settings.clock,
      signal: AbortSignal.any(signals),
      backfillMinutes: params?.backfillMinutes ?? 0,
      stallAfterMs: params?.stallAfterMs ?? STALL_AFTER_MS,
      onConnect: params?.onConnect,
      onDisconnect: params?.onDisconnect,
      onGap: params?.onGap,
    },
  );
}

/** Problems after which the stream may be connected again at once. */
const AT_ONCE = /operational-disconnect|client-disconnected/;

/** What a line without a post says. @throws ProtocolError */
function ending(answer: ApiResponse): StreamLine<never> {
  const { errors } = answer.body;
  const problem: unknown = Array.isArray(errors) ? errors[0] : undefined;
  if (!isFields(problem)) throw protocolError(answer, "a line has neither a post nor errors");
  const { title, detail, type, disconnect_type: kind } = problem;
  return {
    kind: "ended",
    why: String(detail ?? title),
    disconnectType: typeof kind === "string" ? kind : undefined,
    again: AT_ONCE.test(String(type)),
  };
}

function rulesOf(rules: unknown): MatchingRule[] {
  if (!Array.isArray(rules)) return [];
  return rules.filter(isFields).map(({ id, tag }) => ({
    id: String(id),
    ...(typeof tag === "string" && { tag }),
  }));
}

/** Milliseconds from which the platform counts its ids. */
const ID_EPOCH = 1_288_834_974_657n;

/** When a post was made, by its id: milliseconds since 1970. */
function timeOfId(id: string): number {
  return /^\d{1,19}$/.test(id) ? Number((BigInt(id) >> 22n) + ID_EPOCH) : 0;
}
