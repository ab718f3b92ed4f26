import * as z from "zod";
import { type ActionKind, platformId } from "./action-kind.ts";
import { relationEcho } from "./relation-echo.ts";

const schema = z
  .strictObject({
    type: z.literal("unfollow"),
    /** User id of the person to unfollow. */
    to: platformId,
  })
  .readonly();

/** No longer following a person; doing it again changes nothing. */
export type UnfollowUser = z.infer<typeof schema>;

export const unfollow: ActionKind<UnfollowUser> = {
  schema,
  needs: { access: "read-write", scopes: ["follows.write", "tweet.read", "users.read"] },
  repeatable: true,
  noticed: false,
  echo: relationEcho("unfollow", "user.unfollowed"),
  concernedUser: ({ to }) => to,
  describe: ({ to }) => `unfollow of ${to}`,
};
