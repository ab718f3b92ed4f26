import * as z from "zod";
import { type ActionKind, platformId } from "./action-kind.ts";
import { relationEcho } from "./relation-echo.ts";

const schema = z
  .strictObject({
    type: z.literal("block"),
    /** User id of the person to block. */
    to: platformId,
  })
  .readonly();

/** Blocking a person; blocking again changes nothing. */
export type BlockUser = z.infer<typeof schema>;

export const block: ActionKind<BlockUser> = {
  schema,
  needs: { access: "read-write", scopes: ["block.write", "tweet.read", "users.read"] },
  repeatable: true,
  noticed: false,
  echo: relationEcho("block", "user.blocked"),
  concernedUser: ({ to }) => to,
  describe: ({ to }) => `block of ${to}`,
};
