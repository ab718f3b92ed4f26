import type { CallOptions, EndpointName, UserAndTarget } from "../../../client/client.ts";
import { type ActingClient, type Effect, QUARTER_HOUR_MS } from "./effect.ts";

/** Verbs that begin or end a relation with a person. They differ in their endpoint and in the status that shows them. */

interface RelationVerb {
  readonly endpoint: EndpointName;
  readonly does: (
    client: ActingClient,
    pair: UserAndTarget,
    options: CallOptions,
  ) => Promise<unknown>;
  /** Whether the relation that the platform shows is the result of the verb. */
  readonly isDone: (status: readonly string[]) => boolean;
}

function relationEffect({ endpoint, does, isDone }: RelationVerb): Effect<{ readonly to: string }> {
  return {
    endpoint,
    budget: [{ limit: 50, windowMs: QUARTER_HOUR_MS, per: "account" }],
    reads: {
      endpoint: "GET /2/users/:id",
      budget: [{ limit: 900, windowMs: QUARTER_HOUR_MS, per: "account" }],
    },
    async perform(client, account, { to }, options) {
      await does(client, { userId: account, targetUserId: to }, options);
      return undefined;
    },
    async find(client, _account, { to }, { until }, options) {
      const { data } = await client.users.get(to, { userFields: ["connection_status"] }, options);
      return isDone(data.connection_status ?? []) ? [{ platformId: to, at: until }] : [];
    },
  };
}

/** Includes a follow request: a protected person has to accept it first. */
const follows = (status: readonly string[]) =>
  status.includes("following") || status.includes("follow_request_sent");

/** Sending of the verbs that begin or end a relation with a person. */
export const RELATION_EFFECTS = {
  follow: relationEffect({
    endpoint: "POST /2/users/:id/following",
    does: (client, pair, options) => client.follows.create(pair, options),
    isDone: follows,
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
