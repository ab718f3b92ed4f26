import * as z from "zod";
import { stateResult } from "./action-result.ts";
import { type ActionKind, platformId } from "./action-kind.ts";

const schema = z
  .strictObject({
    type: z.literal("delete_message"),
    /** Id of the message event. */
    eventId: platformId,
    /** User id of the other person in the conversation; determines the lane (ordering key). */
    to: platformId,
  })
  .readonly();

/** Deletes a message from the account's view; the other person still sees the message. Idempotent. */
export type DeleteMessage = z.infer<typeof schema>;

export const deleteMessage: ActionKind<DeleteMessage> = {
  schema,
  needs: { access: "read-write-directmessages", scopes: ["dm.write", "dm.read"] },
  repeatable: true,
  noticed: false,
  echo: { triggers: [], recognise: () => undefined },
  result: stateResult("deleted", true),
  describe: ({ eventId }) => `deletion of message ${eventId}`,
};
