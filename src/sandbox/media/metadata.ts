import * as z from "zod";
import { userOf } from "../auth/caller.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Call } from "../kernel/route.ts";
import { media } from "./entities.ts";

const altText = z.object({ text: z.string().max(1000) }).optional();
const mediaId = z.string().regex(/^\d{1,19}$/);

const inputV1 = z.object({ media_id: mediaId, alt_text: altText });
const input = z.object({ id: mediaId, metadata: z.object({ alt_text: altText }).optional() });

/** Sets the text that stands for a medium, of the shape of v2. @throws {Refusal} 400, 404. */
export function describeMedia(call: Call): { id: string; metadata: object } {
  const { id, metadata = {} } = checked(call, input);
  setAltText(call, id, metadata.alt_text?.text);
  return { id, metadata };
}

/** The same, of the shape of 1.1. */
export function describeMediaV1(call: Call): void {
  const { media_id: id, alt_text: alt } = checked(call, inputV1);
  setAltText(call, id, alt?.text);
}

function setAltText({ sandbox, caller }: Call, id: string, text: string | undefined): void {
  const table = media.in(sandbox.world);
  if (table.get(id)?.ownerId !== userOf(caller).id) throw Refusal.notFound("media", "id", id);
  if (text !== undefined) table.update(id, { altText: text });
}

function checked<T>({ body }: Call, schema: z.ZodType<T>): T {
  const result = schema.safeParse(body.kind === "json" ? body.value : {});
  if (result.success) return result.data;
  throw Refusal.invalid(
    result.error.issues.map(({ path, message }) => ({
      message: `The \`${path.join(".")}\` field is not valid: ${message}`,
    })),
  );
}
