import { appOf } from "../auth/caller.ts";
import { Query } from "../data-query/query.ts";
import { readStreamSpan } from "../data-query/time-fault.ts";
import { renderContext } from "../data-query/viewer.ts";
import { type DraftLine, OpenStream } from "../kernel/delivery/open-stream.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { toDialect } from "../kernel/http/dialect.ts";
import type { RouteCall, RouteResponse } from "../server/route.ts";
import { ALL_POSTS, type PostRow, posts, NEW_POSTS } from "../model/posts.ts";
import { countPosts, isPostCapReached, refuseAtPostCap } from "../model/post-usage.ts";
import { postDocument } from "../rendering/post-documents.ts";
import { readPostSelection } from "../data-query/read-selection.ts";
import { streamRules } from "./entities.ts";
import { matchingRules } from "./matching.ts";
import { streamLimits } from "./rules.ts";

const MINUTE_MS = 60_000;

/** Opens the stream: sends the requested backfill first, then live posts. */
export function connect(call: RouteCall): RouteResponse {
  const { sandbox } = call;
  const query = new Query(call);
  const backfillMs = (query.integer("backfill_minutes", { min: 0, max: 5 }) ?? 0) * MINUTE_MS;
  const { start, end } = readStreamSpan(query, sandbox.time.now());
  const selection = readPostSelection(query);
  query.finish();
  const app = appOf(call.caller);
  refuseAtPostCap(sandbox, app);
  refuseConnection(call);
  return {
    headers: { "content-type": "application/json; charset=utf-8" },
    stream: (pipe) => {
      const now = sandbox.time.now();
      const lineOf = (post: PostRow): DraftLine[] => {
        if (post.at < (start ?? 0) || post.at >= (end ?? Infinity)) return [];
        const rules = matchingRules(sandbox.world, app.id, post);
        if (rules.length === 0) return [];
        if (isPostCapReached(sandbox, app)) {
          stream.end("post-cap");
          return [];
        }
        countPosts(sandbox, app, 1);
        const document = postDocument(renderContext(call), post, selection);
        const matching = rules.map(({ id, tag }) => ({ id, ...(tag !== undefined && { tag }) }));
        const body = { ...document, matching_rules: matching };
        const about = { event: "post", account: post.authorId };
        return [{ text: JSON.stringify(toDialect(body, call.dialect)), about }];
      };
      const onOffer = (id: string): void => {
        const post = posts.in(sandbox.world).get(id);
        if (post === undefined) return;
        for (const line of lineOf(post)) stream.send(line);
      };
      const stream = new OpenStream(
        sandbox,
        { kind: NEW_POSTS, path: call.path, appId: app.id, onOffer },
        pipe,
      );
      stream.sendPast(eachOf(postsSince(call, start ?? now - backfillMs), lineOf));
      if (end !== undefined) stream.endAt(end);
      return () => stream.gone();
    },
  };
}

/** Yields the lines of posts. Each post is rendered only when the stream reads its line. */
function* eachOf(
  past: readonly PostRow[],
  lineOf: (post: PostRow) => readonly DraftLine[],
): Generator<DraftLine> {
  for (const post of past) yield* lineOf(post);
}

/** Returns the posts since an instant, oldest first. */
function postsSince({ sandbox }: RouteCall, from: number): readonly PostRow[] {
  const recentPosts: PostRow[] = [];
  if (from >= sandbox.time.now()) return recentPosts;
  for (const post of posts.in(sandbox.world).descending("every", ALL_POSTS)) {
    if (post.at < from) break;
    recentPosts.push(post);
  }
  return recentPosts.toReversed();
}

/** @throws {ApiError} 409 if the app has no rules, 429 if the app has too many open streams. */
function refuseConnection({ sandbox, caller }: RouteCall): void {
  const app = appOf(caller);
  if (streamRules.in(sandbox.world).count("app", app.id) === 0) {
    throw connectionProblem(
      409,
      "RuleConfigurationIssue",
      "Rules must be configured before connecting.",
    );
  }
  if (sandbox.streams.of(NEW_POSTS, app.id).length < streamLimits(sandbox.world, app).connections)
    return;
  throw connectionProblem(
    429,
    "TooManyConnections",
    "This stream is currently at the maximum allowed connection limit.",
  );
}

function connectionProblem(status: number, issue: string, message: string): ApiError {
  return new ApiError({
    status,
    code: "connection_exception",
    message,
    title: "ConnectionException",
    problem: "streaming-connection",
    extra: { connection_issue: issue },
  });
}
