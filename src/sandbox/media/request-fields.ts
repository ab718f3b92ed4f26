import * as z from "zod";
import {
  LAST_SEGMENT,
  MEDIA_CATEGORIES,
  MEDIA_TYPES,
  type MediaCategory,
} from "../../protocol/media.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteCall } from "../server/route.ts";

/** Fields of an upload request, from its query, JSON, form or multipart body. */
export interface MediaFields {
  readonly texts: Readonly<Record<string, string>>;
  /** Bytes of the medium or of a part of it. */
  readonly bytes: Buffer | undefined;
}

/** Converts `TweetVideo`, as clients of the 1.1 interface write it, to `tweet_video`. */
function spelled(category: string): string {
  return category.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}

const CATEGORY_BY_NAME: ReadonlyMap<string, MediaCategory> = new Map(
  MEDIA_CATEGORIES.map((category) => [category, category]),
);

const category = z.string().transform((spelling, context) => {
  const knownCategory = CATEGORY_BY_NAME.get(spelled(spelling));
  if (knownCategory !== undefined) return knownCategory;
  context.addIssue(`is not one of [${MEDIA_CATEGORIES.join(", ")}]`);
  return z.NEVER;
});

const mediaType = z.enum(MEDIA_TYPES, { error: `is not one of [${MEDIA_TYPES.join(", ")}]` });

function integerUpTo(max: number) {
  return z
    .string()
    .refine((digits) => /^\d{1,11}$/.test(digits) && Number(digits) <= max, {
      error: `is not a whole number from 0 to ${max}`,
    })
    .transform(Number);
}

/** The id of a medium. */
const id = z.string().regex(/^\d{1,19}$/, { error: "is not valid" });

const owners = z
  .string()
  .transform((idList) => idList.split(",").map((owner) => owner.trim()))
  .refine((list) => list.length <= 100 && list.every((owner) => /^\d{1,19}$/.test(owner)), {
    error: "is not a list of at most 100 user ids",
  });

export const initializeFields = z.object({
  media_type: mediaType,
  total_bytes: integerUpTo(17_179_869_184),
  media_category: category.optional(),
  additional_owners: owners.optional(),
});

export const appendFields = z.object({ media_id: id, segment_index: integerUpTo(LAST_SEGMENT) });

export const mediaIdFields = z.object({ media_id: id });

/** Fields of an upload of the whole medium in one request; v2 requires its category. */
export const oneShotFields = z.object({
  media_category: category,
  media_type: mediaType.optional(),
  additional_owners: owners.optional(),
});

/** Fields of a one-request upload in 1.1, which requires no category. */
export const oneShotFieldsV1 = oneShotFields.extend({ media_category: category.optional() });

/** Reads the fields of an upload. @throws {ApiError} 400 if the text of a JSON or form body is not base64. */
export function mediaFields(call: RouteCall): MediaFields {
  const { body } = call;
  const query = Object.fromEntries(call.query);
  if (body.kind === "json") return fromPairs(query, jsonPairs(body.value));
  if (body.kind === "form") return fromPairs(query, [...body.fields]);
  if (body.kind !== "multipart") return { texts: query, bytes: undefined };
  const fields = fromPairs(query, [...body.fields]);
  const file = body.files.find(({ field }) => field === "media");
  const encoded = body.files.find(({ field }) => field === "media_data");
  if (encoded !== undefined) return { ...fields, bytes: decode(encoded.data.toString("latin1")) };
  return file === undefined ? fields : { ...fields, bytes: file.data };
}

/** Validates fields and reports all faults of the request together. @throws {ApiError} 400. */
export function checkFields<T>(schema: z.ZodType<T>, { texts }: MediaFields): T {
  const result = schema.safeParse(texts);
  if (result.success) return result.data;
  throw ApiError.invalid(
    result.error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      const value = texts[name];
      if (value === undefined) return { message: `The \`${name}\` field is required.` };
      return {
        parameters: { [name]: [value] },
        message: `The \`${name}\` field value [${value}] ${message}`,
      };
    }),
  );
}

/** @throws {ApiError} 400 if the request has no medium. */
export function bytesOf({ bytes }: MediaFields): Buffer {
  if (bytes !== undefined && bytes.length > 0) return bytes;
  throw ApiError.invalid([{ message: "The `media` field is required and must not be empty." }]);
}

function fromPairs(
  query: Record<string, string>,
  pairs: readonly (readonly [string, string])[],
): MediaFields {
  const { media, media_data: data, ...texts } = { ...query, ...Object.fromEntries(pairs) };
  const encoded = data ?? media;
  return { texts, bytes: encoded === undefined ? undefined : decode(encoded) };
}

function jsonPairs(value: unknown): (readonly [string, string])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([, fieldValue]) => fieldValue !== null && fieldValue !== undefined)
    .map(([name, fieldValue]) => [
      name,
      Array.isArray(fieldValue) ? fieldValue.join(",") : String(fieldValue),
    ]);
}

/** Decodes base64, standard or URL-safe. Spaces are read as plus signs, which forms turn into spaces. */
function decode(text: string): Buffer {
  const encoded = text.replaceAll(" ", "+").replace(/[\r\n]/g, "");
  if (/^[A-Za-z0-9+/_-]*={0,2}$/.test(encoded)) return Buffer.from(encoded, "base64");
  throw ApiError.invalid([
    { message: "The `media` field is not base64; send raw bytes as a multipart file." },
  ]);
}
