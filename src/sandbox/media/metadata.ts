import * as z from "zod";
import { userOf } from "../auth/caller.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteCall } from "../kernel/http/route.ts";
import { media } from "./entities.ts";

const altText = z.object({ text: z.string().max(1000) }).optional();
const mediaId = z.string().regex(/^\d{1,19}$/, "is not valid");
/** Clients of 1.1 write it as a number, too. */
const mediaIdV1 = z.union([z.string(), z.int(), z.bigint()]).transform(String).pipe(mediaId);

const inputV1 = z.object({ media_id: mediaIdV1, alt_text: altText });
const input = z.object({ id: mediaId, metadata: z.object({ alt_text: altText }).optional() });

/** Sets the alternative text of a medium, in the shape of v2. @throws {ApiError} 400, 404. */
export function describeMedia(call: RouteCall): { id: string; metadata: object } {
  const { id, metadata = {} } = checked(call, input);
  setAltText(call, id, metadata.alt_text?.text);
  return { id, metadata };
}

/** The same, in the shape of 1.1. */
export function describeMediaV1(call: RouteCall): void {
  const { media_id: id, alt_text: alt } = checked(call, inputV1);
  setAltText(call, id, alt?.text);
}

function setAltText({ sandbox, caller }: RouteCall, id: string, text: string | undefined): void {
  const table = media.in(sandbox.world);
  if (table.get(id)?.ownerId !== userOf(caller).id) throw ApiError.notFound("media", "id", id);
  if (text !== undefined) table.update(id, { altText: text });
}

function checked<T>({ body }: RouteCall, schema: z.ZodType<T>): T {
  const result = schema.safeParse(body.kind === "json" ? body.value : {}, { reportInput: true });
  if (result.success) return result.data;
  throw ApiError.invalid(
    result.error.issues.map(({ path, message, input: given }) => {
      const name = path.join(".");
      if (given === undefined) return { message: `The \`${name}\` field is required.` };
      if (typeof given !== "string") {
        return { message: `The \`${name}\` field is not valid: ${message}` };
      }
      return {
        parameters: { [name]: [given] },
        message: `The \`${name}\` field value [${given}] ${message}`,
      };
    }),
  );
}
