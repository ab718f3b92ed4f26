import { ties } from "../accounts/entities.ts";
import { openUser } from "../accounts/seen.ts";
import { selfOf } from "../accounts/self.ts";
import { pageOf } from "../fields/paging.ts";
import { Query } from "../fields/query.ts";
import { readerOf } from "../fields/reader.ts";
import type { Answer, Call, Route } from "../kernel/route.ts";
import { pageDocument, readPostSelection } from "./document.ts";
import type { Post } from "./entities.ts";
import { type Bounds, postSource } from "./sources.ts";

const SIZES = { min: 5, max: 100 };
const HOME_SIZES = { min: 1, max: 100 };
const SIZE = 10;
const KINDS = ["replies", "retweets", "reposts"] as const;

const anybody = {
  auth: ["bearer", "oauth1", "oauth2"],
  scopes: ["tweet.read", "users.read"],
} as const;

export const timelineRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/users/:id/posts",
    ...anybody,
    limits: { app: 10_000, user: 900 },
    handle: (call) => {
      const asked = read(call, true);
      openUser(call, asked.id);
      return show(call, asked, [{ index: "author", value: asked.id }]);
    },
  },
  {
    method: "GET",
    path: "/2/users/:id/mentions",
    ...anybody,
    limits: { app: 450, user: 300 },
    handle: (call) => {
      const asked = read(call, false);
      const { username } = openUser(call, asked.id);
      const others = ({ authorId }: Post): boolean => authorId !== asked.id;
      const lists = [
        { index: "term", value: `@${username.toLowerCase()}` },
        { index: "term", value: `to:${asked.id}` },
      ] as const;
      return show(call, { ...asked, keep: others }, lists);
    },
  },
  {
    method: "GET",
    path: "/2/users/:id/timelines/reverse_chronological",
    auth: ["oauth1", "oauth2"],
    scopes: ["tweet.read", "users.read"],
    limits: { user: 180 },
    handle: (call) => {
      const asked = read(call, true, HOME_SIZES);
      const user = selfOf(call);
      const followed = ties.in(call.sandbox.world).where("from", `follow:${user.id}`);
      const muted = new Set(
        ties
          .in(call.sandbox.world)
          .where("from", `mute:${user.id}`)
          .map(({ to }) => to),
      );
      const authors = [user.id, ...followed.map(({ to }) => to).filter((id) => !muted.has(id))];
      return show(
        call,
        asked,
        authors.map((value) => ({ index: "author", value })),
      );
    },
  },
];

function read(call: Call, excluding: boolean, sizes = SIZES) {
  const query = new Query(call);
  const id = query.pathId("id");
  const size = query.integer("max_results", sizes) ?? SIZE;
  const place = query.token("pagination_token");
  const bounds: Bounds = {
    sinceId: query.id("since_id"),
    untilId: query.id("until_id"),
    startTime: query.time("start_time"),
    endTime: query.time("end_time"),
  };
  const excluded: ReadonlySet<string> = excluding ? query.choices("exclude", KINDS) : new Set();
  const selection = readPostSelection(query);
  query.done();
  const keep = (post: Post): boolean =>
    !(excluded.has("replies") && post.replyTo !== undefined) &&
    !((excluded.has("retweets") || excluded.has("reposts")) && post.repostOf !== undefined);
  return { id, size, place, bounds, selection, keep };
}

function show(
  call: Call,
  asked: ReturnType<typeof read>,
  lists: Parameters<typeof postSource>[1],
): Answer {
  const reader = readerOf(call);
  const source = postSource(reader, lists, asked.bounds, asked.keep);
  return { body: pageDocument(reader, pageOf(source, asked.size, asked.place), asked.selection) };
}
