import { readerOf } from "../fields/reader.ts";
import { refuseUnseen } from "../fields/problems.ts";
import type { Call } from "../kernel/route.ts";
import { type Post, posts } from "./entities.ts";
import { unseenPost } from "./visible.ts";

/** A post that the caller gets to see. @throws {Refusal} 404 or 403 that names it. */
export function seenPost(call: Call, id: string, parameter: string): Post {
  const reader = readerOf(call);
  const post = posts.in(reader.world).get(id);
  const why = unseenPost(reader.world, reader.viewer, post);
  if (why === undefined && post !== undefined) return post;
  throw refuseUnseen(reader, why ?? "missing", { resource: "post", parameter, value: id });
}
