import * as z from "zod";
import { userOf } from "../../../auth/caller.ts";
import { ApiError } from "../../../kernel/http/api-error.ts";
import { requireAttachable } from "../../../media/attach.ts";
import type { RouteCall } from "../../../server/route.ts";
import { LEGACY } from "../../ledger.ts";
import { coded } from "../coded-errors.ts";

/** Properties that all message routes share: fidelity note, allowed kinds of authentication, and access level. */
export const MESSAGING = {
  ledger: LEGACY,
  auth: ["oauth1"],
  level: "read-write-directmessages",
} as const;

/** Schema of an id in a JSON body. Clients write ids as strings or as numbers. */
export const wireId = z
  .union([z.string(), z.int(), z.bigint()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,19}$/, "is not valid"));

/** Content of a message. Other fields, such as quick replies, are ignored: only apps for people display them. */
export const messageData = z.object({
  text: z.string().max(10_000).default(""),
  attachment: z.object({ type: z.literal("media"), media: z.object({ id: wireId }) }).optional(),
});

/** Reads the JSON body of a request. @throws {ApiError} 400, code 214, if it does not match the schema. */
export function bodyOf<T>({ body }: RouteCall, schema: z.ZodType<T>): T {
  const result = schema.safeParse(body.kind === "json" ? body.value : {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const message = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not valid"}`;
  throw new ApiError({ status: 400, v1: 214, code: "v1_214", message });
}

/** Checks that the caller can attach media to a message. @throws {ApiError} 400, code 324. */
export function requireMedia(call: RouteCall, mediaIds: readonly string[]): void {
  try {
    requireAttachable(call.sandbox, userOf(call.caller), mediaIds, "message");
  } catch (error) {
    throw error instanceof ApiError ? coded("badMedia") : error;
  }
}
