import * as z from "zod";
import { type ActionKind, platformId } from "./action-kind.ts";
import { relationEcho } from "./relation-echo.ts";

const schema = z
  .strictObject({
    type: z.literal("mute"),
    /** User id of the person to mute. */
    to: platformId,
  })
  .readonly();

/** Muting a person; muting again changes nothing. */
export type MuteUser = z.infer<typeof schema>;

export const mute: ActionKind<MuteUser> = {
  schema,
  needs: { access: "read-write", scopes: ["mute.write", "tweet.read", "users.read"] },
  repeatable: true,
  noticed: false,
  echo: relationEcho("mute", "user.muted"),
  concernedUser: ({ to }) => to,
  describe: ({ to }) => `mute of ${to}`,
};
