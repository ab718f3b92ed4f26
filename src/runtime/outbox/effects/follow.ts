import type { FollowUser } from "../../../actions/follow.ts";
import { type Effect, QUARTER_HOUR_MS } from "./effect.ts";

export const follow: Effect<FollowUser> = {
  endpoint: "POST /2/users/:id/following",
  budget: [{ limit: 50, windowMs: QUARTER_HOUR_MS, per: "account" }],
  reads: {
    endpoint: "GET /2/users/:id",
    budget: [{ limit: 900, windowMs: QUARTER_HOUR_MS, per: "account" }],
  },
  async perform(client, account, { to }, options) {
    await client.follows.create({ userId: account, targetUserId: to }, options);
    return undefined;
  },
  /** A protected person has to agree first: the request is what a follow can make until then. */
  async find(client, _account, { to }, { until }, options) {
    const { data } = await client.users.get(to, { userFields: ["connection_status"] }, options);
    const status = data.connection_status ?? [];
    const follows = status.includes("following") || status.includes("follow_request_sent");
    return follows ? [{ platformId: to, at: until }] : [];
  },
};
