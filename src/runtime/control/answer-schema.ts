import * as z from "zod";
import { whole } from "./stored-schema.ts";

/** Maximum length of an operator's name, in UTF-16 units. */
export const MAX_NAME_LENGTH = 60;

/** Request to send an operator's answer to a person. */
export const answerRequest = z
  .strictObject({
    /** Handle in any case, with or without `@`, or user id of the person. Absent: the person of the event in `answers`. */
    person: z.string().min(1).exactOptional(),
    /** Handle or user id of the bot account that answers; by default the account of the person's last message. */
    account: z.string().min(1).exactOptional(),
    text: z.string(),
    /** Journal number of the message or post to answer; by default the person's last message or post. */
    answers: whole.exactOptional(),
    /** Name of the operator. */
    by: z.string().trim().min(1).max(MAX_NAME_LENGTH).default("an operator"),
    /** Idempotency key, drawn by the client: a second request with the same key creates no second answer. */
    key: z.string().regex(/^[\w.-]{8,100}$/, "not a key: 8 to 100 letters, digits, _, . and -"),
  })
  .refine(({ person, answers }) => person !== undefined || answers !== undefined, {
    error: "name the person, or the event that is answered",
  });

/** Result of an operator's answer: stored in the journal (`done: true`), or refused, with nothing changed. */
export const answerAnswer = z.discriminatedUnion("done", [
  z.object({
    done: z.literal(true),
    /** Whether the answer is new. If not, an earlier request had the same key, and the fields describe its answer. */
    changed: z.boolean(),
    /** Journal number of the stored answer. */
    seq: z.number(),
    /** User id of the account that answers. */
    account: z.string(),
    /** Handle of the answering account, without `@`. */
    accountName: z.string().exactOptional(),
    /** User id of the person. */
    person: z.string(),
    /** The person's handle, without `@`; absent if unknown. */
    username: z.string().exactOptional(),
    lane: z.string(),
    /** Journal number of the message or post that is answered. */
    answers: z.number(),
    /** `reply_post`: in public, in reply to the person's post. */
    as: z.enum(["reply_dm", "reply_post"]),
    by: z.string(),
    /** Ids of the open hand-overs that keep rules and bots silent for the person; absent if there are none. */
    silentBy: z.array(z.number()).readonly().exactOptional(),
  }),
  z.object({ done: z.literal(false), reason: z.string(), hint: z.string() }),
]);
