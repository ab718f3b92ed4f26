import * as z from "zod";
import { type ActionKind, platformId } from "./action-kind.ts";
import { relationEcho } from "./relation-echo.ts";

const schema = z
  .strictObject({
    type: z.literal("follow"),
    /** User id of the person to follow. */
    to: platformId,
  })
  .readonly();

/** Following a person; following again changes nothing. */
export type FollowUser = z.infer<typeof schema>;

export const follow: ActionKind<FollowUser> = {
  schema,
  needs: { access: "read-write", scopes: ["follows.write", "tweet.read", "users.read"] },
  repeatable: true,
  noticed: true,
  echo: relationEcho("follow", "user.followed"),
  concernedUser: ({ to }) => to,
  describe: ({ to }) => `follow of ${to}`,
};
