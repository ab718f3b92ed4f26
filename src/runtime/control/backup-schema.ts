import * as z from "zod";

/** The store's file, held so that another process can copy it. */
export const heldCopy = z.object({
  /** Names this copying. */
  id: z.string(),
  /** Absolute path of the file. */
  path: z.string(),
  bytes: z.number(),
  /** Entries of the journal in it, and items. */
  entries: z.number(),
  items: z.number(),
  /** Milliseconds since the epoch, by the platform's clock. */
  takenAt: z.number(),
  /** Let go after so long, unless it is kept again. */
  keepWithinMs: z.number(),
});

export const copying = z.strictObject({ id: z.string().min(1) });

export const copyKept = z.object({
  /** `false`: it took too long, or another one has begun. */
  kept: z.boolean(),
});

export const copyEnded = z.object({
  /** `false`: the file changed meanwhile, so the copy can't be used. */
  whole: z.boolean(),
});

export const forgetRequest = z.strictObject({
  /** User id, or handle with or without `@`. */
  person: z.string().min(1),
});

export const forgetAnswer = z.object({
  /** The person's user id; absent: nothing here is of anybody with that handle. */
  id: z.string().exactOptional(),
  /** Why nothing was done, where it was not. */
  refused: z.string().exactOptional(),
  entries: z.number(),
  items: z.number(),
  state: z.number(),
  /** Events of others that name the person, and are still being answered. */
  left: z.number(),
});
