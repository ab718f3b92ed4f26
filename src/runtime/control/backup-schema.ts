import * as z from "zod";

/** Store file that is held unchanged while another process copies it. */
export const heldCopy = z.object({
  /** Id by which the caller ends the hold, so that the file may change again. */
  id: z.string(),
  /** Absolute path of the file. */
  path: z.string(),
  bytes: z.number(),
  /** Numbers of journal entries (`entries`) and outbox items (`items`) in the file. */
  entries: z.number(),
  items: z.number(),
  /** Start of the hold, whose state the copy has, in milliseconds since the epoch by the platform's clock. */
  takenAt: z.number(),
  /** Milliseconds after which the file is released, unless the hold is renewed. */
  keepWithinMs: z.number(),
});

export const copying = z.strictObject({ id: z.string().min(1) });

export const copyKept = z.object({
  /** Whether the hold was renewed. If not, it has timed out, or another hold has begun. */
  kept: z.boolean(),
});

export const copyEnded = z.object({
  /** Whether the copy is usable. If not, the file has changed during the copying. */
  whole: z.boolean(),
});

export const forgetRequest = z.strictObject({
  /** User id, or handle with or without `@`. */
  person: z.string().min(1),
});

export const forgetAnswer = z.object({
  /** The person's user id; absent: nothing is stored for that handle or user id. */
  id: z.string().exactOptional(),
  /** Reason why nothing was deleted; absent if the request was accepted. */
  refused: z.string().exactOptional(),
  /** Correction of the request, if it was refused. */
  hint: z.string().exactOptional(),
  entries: z.number(),
  items: z.number(),
  state: z.number(),
  /** Number of other people's events that name the person, and of their messages to the person, that are still needed. */
  left: z.number(),
});
