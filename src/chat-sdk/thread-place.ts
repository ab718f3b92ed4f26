import { ChatError } from "chat";

/** Name of the adapter, the prefix of thread ids. */
export const ADAPTER_NAME = "answerback";

/** Channel of all public posts. */
export const PUBLIC_CHANNEL = `${ADAPTER_NAME}:public`;

/**
 * Place of a thread. `dm`: the messages with a person, by user id. `post`: the public conversation that starts with a
 * post.
 */
export type ThreadPlace =
  | { readonly kind: "dm"; readonly userId: string }
  | { readonly kind: "post"; readonly rootId: string };

/** Returns the id of a thread: `answerback:dm:USER` or `answerback:post:ROOT`. */
export function threadIdOf(place: ThreadPlace): string {
  return `${ADAPTER_NAME}:${place.kind}:${place.kind === "dm" ? place.userId : place.rootId}`;
}

/** Returns the place of a thread. @throws {ChatError} if the id is not a thread id of this adapter. */
export function placeOf(threadId: string): ThreadPlace {
  const [, kind, id = ""] = /^answerback:(dm|post):(\d+)$/.exec(threadId) ?? [];
  if (kind === "dm") return { kind, userId: id };
  if (kind === "post") return { kind, rootId: id };
  throw new ChatError(
    `"${threadId}" is no thread here: it is ${ADAPTER_NAME}:dm:USER_ID or ${ADAPTER_NAME}:post:POST_ID`,
    "NO_SUCH_THREAD",
  );
}

/** Channel of a thread: each person's messages are a separate channel, public posts share one. */
export function channelOf(threadId: string): string {
  return placeOf(threadId).kind === "dm" ? threadId : PUBLIC_CHANNEL;
}
