import * as z from "zod";
import type { ClientFault } from "../client/fault.ts";
import type { Json } from "../protocol/json.ts";

/** Schemas of a handler's platform requests and their responses, as messages between its thread and the host. */

const texts = z.record(z.string(), z.string());

/** The schema of {@link PlatformRequest}. */
export const platformRequest = z.object({
  method: z.enum(["GET", "POST", "PUT", "DELETE"]),
  endpoint: z.templateLiteral(["/", z.string()]),
  ads: z.literal(true).exactOptional(),
  path: texts.exactOptional(),
  query: texts.exactOptional(),
  url: z.string().exactOptional(),
  json: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]).exactOptional(),
  form: texts.exactOptional(),
  raw: z
    .object({
      body: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
      contentType: z.string(),
    })
    .exactOptional(),
  timeoutMs: z.number().positive().exactOptional(),
});

/** A request to the platform without authorization. The host sends it as the account that received the event. */
export type PlatformRequest = z.infer<typeof platformRequest>;

/** The platform's response, or the error of the request. */
export type PlatformAnswer =
  | { readonly ok: true; readonly status: number; readonly body: Json }
  | { readonly ok: false; readonly fault: ClientFault };
