import type { z } from "zod";
import { dataOf } from "../reading/response.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import type { Endpoint } from "../http/endpoint.ts";

/** The acting user, who must be the owner of the credentials, and the other user. */
export interface UserAndTarget {
  readonly userId: string;
  readonly targetUserId: string;
}

/** The acting user, who must be the owner of the credentials, and the post. */
export interface UserAndPost {
  readonly userId: string;
  readonly postId: string;
}

/** A method that creates a relationship with another user: follow, mute, block. */
export function postTargetUser<T>(caller: Caller, endpoint: Endpoint, schema: z.ZodType<T>) {
  return async ({ userId, targetUserId }: UserAndTarget, options?: CallOptions): Promise<T> => {
    const input = { path: { id: userId }, json: { target_user_id: targetUserId } };
    return dataOf(await caller.call(endpoint, input, options), schema);
  };
}

/** A method that deletes a relationship with another user. */
export function deleteTargetUser<T>(caller: Caller, endpoint: Endpoint, schema: z.ZodType<T>) {
  return async ({ userId, targetUserId }: UserAndTarget, options?: CallOptions): Promise<T> => {
    const input = { path: { id: userId, target_user_id: targetUserId } };
    return dataOf(await caller.call(endpoint, input, options), schema);
  };
}

/** A method that acts on a post: like, repost. */
export function postTargetPost<T>(caller: Caller, endpoint: Endpoint, schema: z.ZodType<T>) {
  return async ({ userId, postId }: UserAndPost, options?: CallOptions): Promise<T> => {
    // Request bodies use the older spelling, `tweet_id`, in both dialects, as in the live service.
    const input = { path: { id: userId }, json: { tweet_id: postId } };
    return dataOf(await caller.call(endpoint, input, options), schema);
  };
}

/** A method that undoes an action on a post. */
export function deleteTargetPost<T>(caller: Caller, endpoint: Endpoint, schema: z.ZodType<T>) {
  return async ({ userId, postId }: UserAndPost, options?: CallOptions): Promise<T> => {
    const input = { path: { id: userId, post_id: postId } };
    return dataOf(await caller.call(endpoint, input, options), schema);
  };
}
