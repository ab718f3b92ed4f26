import type { Action } from "../../actions/action.ts";
import type { CallOptions } from "../../client/caller.ts";
import type { Client } from "../../client/client.ts";
import {
  CredentialError,
  PlatformError,
  RateLimitError,
  UnreachableError,
} from "../../client/errors.ts";
import { UsageError } from "../../errors.ts";
import type { Perform } from "./outbox.ts";
import type { Sending } from "./plan.ts";

export interface PerformNeeds {
  /** The client that acts for an account, or undefined when the account is not linked. */
  readonly clientOf: (account: string) => Client<"oauth1"> | undefined;
  readonly requestTimeoutMs: number;
}

/** Performs actions through the client; every way a request can end becomes a {@link Sending}. */
export function performer({ clientOf, requestTimeoutMs }: PerformNeeds): Perform {
  return async (account, action, beforeWrite) => {
    const client = clientOf(account);
    if (client === undefined) {
      return { kind: "refused", reason: `account ${account} is not linked` };
    }
    try {
      const options = { timeoutMs: requestTimeoutMs, retry: false as const, beforeWrite };
      const platformId = await request(client, account, action, options);
      return platformId === undefined ? { kind: "accepted" } : { kind: "accepted", platformId };
    } catch (error) {
      return endingOf(error);
    }
  };
}

/** @returns The platform's id of what was made, where something was. */
async function request(
  client: Client<"oauth1">,
  account: string,
  action: Action,
  options: CallOptions,
): Promise<string | undefined> {
  switch (action.type) {
    case "reply_dm": {
      const { to: participantId, text } = action;
      return (await client.dms.send({ participantId, text }, options)).dm_event_id;
    }
    case "reply_post":
      return (await client.posts.reply(action.inReplyTo, action.text, options)).id;
    case "like":
      await client.likes.create({ userId: account, postId: action.postId }, options);
      return undefined;
    case "follow":
      await client.follows.create({ userId: account, targetUserId: action.to }, options);
      return undefined;
  }
}

/** A refusal did nothing; no answer, an odd answer or a 5xx may have done it. */
function endingOf(error: unknown): Sending {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof RateLimitError) {
    return error.resetAt === undefined
      ? { kind: "limited", reason }
      : { kind: "limited", reason, resetAt: error.resetAt };
  }
  if (error instanceof PlatformError) {
    return { kind: error.executed === "no" ? "refused" : "unknown", reason };
  }
  if (error instanceof UnreachableError) {
    return { kind: error.sent === "no" ? "not-sent" : "unknown", reason };
  }
  if (error instanceof CredentialError || error instanceof UsageError) {
    return { kind: "refused", reason };
  }
  return { kind: "unknown", reason };
}
