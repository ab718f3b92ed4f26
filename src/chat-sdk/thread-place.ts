import { ChatError } from "chat";

/** The name of the adapter, with which ids of threads begin. */
export const ADAPTER_NAME = "answerback";

/** The channel of everything that is said in public. */
export const PUBLIC_CHANNEL = `${ADAPTER_NAME}:public`;

/**
 * Where something is said. `dm`: in the messages with a person, by their user id. `post`: in public, below the post
 * with which the conversation began.
 */
export type ThreadPlace =
  | { readonly kind: "dm"; readonly userId: string }
  | { readonly kind: "post"; readonly rootId: string };

/** `answerback:dm:USER` or `answerback:post:ROOT`. */
export function threadIdOf(place: ThreadPlace): string {
  return `${ADAPTER_NAME}:${place.kind}:${place.kind === "dm" ? place.userId : place.rootId}`;
}

/** @throws {ChatError} where it is no id of a thread of ours. */
export function placeOf(threadId: string): ThreadPlace {
  const [, kind, id = ""] = /^answerback:(dm|post):(\d+)$/.exec(threadId) ?? [];
  if (kind === "dm") return { kind, userId: id };
  if (kind === "post") return { kind, rootId: id };
  throw new ChatError(
    `"${threadId}" is no thread here: it is ${ADAPTER_NAME}:dm:USER_ID or ${ADAPTER_NAME}:post:POST_ID`,
    "NO_SUCH_THREAD",
  );
}

/** Messages with a person are a channel of their own; what is public shares one. */
export function channelOf(threadId: string): string {
  return placeOf(threadId).kind === "dm" ? threadId : PUBLIC_CHANNEL;
}
