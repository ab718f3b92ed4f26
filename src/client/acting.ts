import type { z } from "zod";
import { dataOf } from "./answer.ts";
import type { Caller, CallOptions } from "./caller.ts";
import type { Endpoint } from "./endpoint.ts";

/** The user who acts, who must be the one whose credentials these are, and the user acted on. */
export interface UserAndTarget {
  readonly userId: string;
  readonly targetUserId: string;
}

/** The user who acts, who must be the one whose credentials these are, and the post. */
export interface UserAndPost {
  readonly userId: string;
  readonly postId: string;
}

/** A method by which a user begins something with another: follows, mutes, blocks. */
export function beginWithUser<T>(caller: Caller, endpoint: Endpoint, schema: z.ZodType<T>) {
  return async ({ userId, targetUserId }: UserAndTarget, options?: CallOptions): Promise<T> => {
    const input = { path: { id: userId }, json: { target_user_id: targetUserId } };
    return dataOf(await caller.call(endpoint, input, options), schema);
  };
}

/** A method by which a user ends it. */
export function endWithUser<T>(caller: Caller, endpoint: Endpoint, schema: z.ZodType<T>) {
  return async ({ userId, targetUserId }: UserAndTarget, options?: CallOptions): Promise<T> => {
    const input = { path: { id: userId, target_user_id: targetUserId } };
    return dataOf(await caller.call(endpoint, input, options), schema);
  };
}

/** A method by which a user does something with a post: likes, reposts. */
export function beginWithPost<T>(caller: Caller, endpoint: Endpoint, schema: z.ZodType<T>) {
  return async ({ userId, postId }: UserAndPost, options?: CallOptions): Promise<T> => {
    // The older spelling in both dialects, as in every body of the live service.
    const input = { path: { id: userId }, json: { tweet_id: postId } };
    return dataOf(await caller.call(endpoint, input, options), schema);
  };
}

/** A method by which a user takes it back. */
export function endWithPost<T>(caller: Caller, endpoint: Endpoint, schema: z.ZodType<T>) {
  return async ({ userId, postId }: UserAndPost, options?: CallOptions): Promise<T> => {
    const input = { path: { id: userId, post_id: postId } };
    return dataOf(await caller.call(endpoint, input, options), schema);
  };
}
