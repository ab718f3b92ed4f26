import type { ActionResult } from "../../../actions/action-result.ts";
import type { CallOptions, EndpointName, UserAndTarget } from "../../../client/client.ts";
import { type ActingClient, type Effect, QUARTER_HOUR_MS } from "./effect.ts";

/**
 * Verb that begins or ends a relation with a person (follow, block, mute). The verbs differ in their endpoint and in
 * the connection status that shows their result.
 */

interface RelationVerb {
  readonly endpoint: EndpointName;
  readonly does: (
    client: ActingClient,
    pair: UserAndTarget,
    options: CallOptions,
  ) => Promise<ActionResult>;
  /** Whether a connection status of the person (a list such as `["following"]`) shows that the action was performed. */
  readonly isDone: (status: readonly string[]) => boolean;
  /** Returns the action's result from the connection status. Absent: the result follows from the action itself. */
  readonly shown?: (status: readonly string[]) => ActionResult;
}

function relationEffect({
  endpoint,
  does,
  isDone,
  shown,
}: RelationVerb): Effect<{ readonly to: string }> {
  return {
    endpoint,
    budget: [{ limit: 50, windowMs: QUARTER_HOUR_MS, per: "account" }],
    reads: {
      endpoint: "GET /2/users/:id",
      budget: [{ limit: 900, windowMs: QUARTER_HOUR_MS, per: "account" }],
    },
    async perform(client, account, { to }, options) {
      return { result: await does(client, { userId: account, targetUserId: to }, options) };
    },
    async find(client, _account, { to }, _since, options) {
      const { data } = await client.users.get(to, { userFields: ["connection_status"] }, options);
      const status = data.connection_status ?? [];
      if (!isDone(status)) return [];
      return [{ platformId: to, ...(shown && { result: shown(status) }) }];
    },
  };
}

/** Whether the account follows the person or has asked to. Protected accounts first have to accept a follow request. */
const follows = (status: readonly string[]) =>
  status.includes("following") || status.includes("follow_request_sent");

/** Requests of the verbs that begin or end a relation with a person, with the search for their results. */
export const RELATION_EFFECTS = {
  follow: relationEffect({
    endpoint: "POST /2/users/:id/following",
    does: async (client, pair, options) => {
      const { following, pending_follow = false } = await client.follows.create(pair, options);
      return { following, pending_follow };
    },
    isDone: follows,
    shown: (status) => ({
      following: status.includes("following"),
      pending_follow: status.includes("follow_request_sent"),
    }),
  }),
  unfollow: relationEffect({
    endpoint: "DELETE /2/users/:id/following/:target_user_id",
    does: (client, pair, options) => client.follows.delete(pair, options),
    isDone: (status) => !follows(status),
  }),
  block: relationEffect({
    endpoint: "POST /2/users/:id/blocking",
    does: (client, pair, options) => client.blocks.create(pair, options),
    isDone: (status) => status.includes("blocking"),
  }),
  unblock: relationEffect({
    endpoint: "DELETE /2/users/:id/blocking/:target_user_id",
    does: (client, pair, options) => client.blocks.delete(pair, options),
    isDone: (status) => !status.includes("blocking"),
  }),
  mute: relationEffect({
    endpoint: "POST /2/users/:id/muting",
    does: (client, pair, options) => client.mutes.create(pair, options),
    isDone: (status) => status.includes("muting"),
  }),
  unmute: relationEffect({
    endpoint: "DELETE /2/users/:id/muting/:target_user_id",
    does: (client, pair, options) => client.mutes.delete(pair, options),
    isDone: (status) => !status.includes("muting"),
  }),
};
