import * as z from "zod";
import { idInput } from "../kernel/http/id-input.ts";

/**
 * Schema of the body of a message: text, or one medium, or both. Source: the live service's API description, version
 * 2.167.
 */
export const messageInput = z
  .strictObject({
    text: z.string().min(1).max(10_000).optional(),
    attachments: z
      .array(z.strictObject({ media_id: idInput }))
      .min(1)
      .max(1, "a message has one attachment at most")
      .optional(),
  })
  .refine(
    ({ text, attachments }) => text !== undefined || attachments !== undefined,
    "At least one of `text`, `attachments` is required.",
  );

export type MessageInput = z.infer<typeof messageInput>;

/** Schema of the body of a request that opens a group conversation. */
export const groupInput = z.strictObject({
  conversation_type: z.literal("Group"),
  participant_ids: z.array(idInput).min(2).max(49),
  message: messageInput,
});

export const participantsInput = z
  .strictObject({ join: z.array(z.string()), leave: z.array(z.string()) })
  .partial();
