import * as z from "zod";
import { userOf } from "../auth/caller.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteResponse, RouteCall } from "../server/route.ts";
import { type MediaRow, type MediaUploadRow, media } from "../model/media.ts";
import { renderUploaded, renderUploadedV1 } from "../rendering/media.ts";
import {
  appendFields,
  bytesOf,
  checkFields,
  initializeFields,
  type MediaFields,
  mediaFields,
  mediaIdFields,
  oneShotFields,
  oneShotFieldsV1,
} from "./request-fields.ts";
import { appendSegment, findUploaded, finishUpload, startUpload, storeWhole } from "./rules.ts";

/** Version of the upload interface that a response is written for. */
export type UploadVersion = "v1" | "v2";

const COMMANDS = {
  INIT: initialize,
  APPEND: append,
  FINALIZE: finalize,
  STATUS: status,
} as const;

/** Handles `POST` to the upload path: a whole medium, or a step of a chunked upload by its `command`. */
export function upload(call: RouteCall, version: UploadVersion): RouteResponse {
  const fields = mediaFields(call);
  const name = fields.texts["command"];
  if (name === undefined) return uploadWhole(call, fields, version);
  const command = Object.entries(COMMANDS).find(
    ([commandName]) => commandName === name.toUpperCase(),
  );
  if (command !== undefined) return command[1](call, fields, version);
  const message = `The \`command\` field value [${name}] is not one of [${Object.keys(COMMANDS).join(", ")}]`;
  throw ApiError.parameter("command", name, message);
}

/** Handles `GET` of the upload path: returns the status of an upload. */
export function getStatus(call: RouteCall, version: UploadVersion): RouteResponse {
  const fields = mediaFields(call);
  const { command = "STATUS" } = fields.texts;
  if (command.toUpperCase() === "STATUS") return status(call, fields, version);
  const message = `The \`command\` query parameter value [${command}] is not one of [STATUS]`;
  throw ApiError.parameter("command", command, message);
}

export function initialize(
  call: RouteCall,
  fields: MediaFields,
  version: UploadVersion,
): RouteResponse {
  const newUpload = checkFields(initializeFields, fields);
  const opened = startUpload(call.sandbox, userOf(call.caller), newUpload);
  return withStatus(uploadResponse(call, opened, version), version, 202);
}

export function append(
  call: RouteCall,
  fields: MediaFields,
  version: UploadVersion,
): RouteResponse {
  const { media_id: id, segment_index: index } = checkFields(appendFields, fields);
  const open = appendSegment(call.sandbox, userOf(call.caller), id, index, bytesOf(fields));
  if (version === "v1") return { status: 204 };
  return { body: { data: { expires_at: Math.floor(open.expiresAt / 1000) } } };
}

export function finalize(
  call: RouteCall,
  fields: MediaFields,
  version: UploadVersion,
): RouteResponse {
  const { media_id: id } = checkFields(mediaIdFields, fields);
  const finished = finishUpload(call.sandbox, userOf(call.caller), id);
  return withStatus(uploadResponse(call, finished, version), version, 201);
}

function status(call: RouteCall, fields: MediaFields, version: UploadVersion): RouteResponse {
  const { media_id: id } = checkFields(mediaIdFields, fields);
  return uploadResponse(call, findUploaded(call.sandbox, userOf(call.caller), id), version);
}

function uploadWhole(call: RouteCall, fields: MediaFields, version: UploadVersion): RouteResponse {
  const schema = version === "v1" ? oneShotFieldsV1 : oneShotFields;
  const declaredMedia = checkFields(schema, fields);
  const uploaded = storeWhole(call.sandbox, userOf(call.caller), declaredMedia, bytesOf(fields));
  return uploadResponse(call, uploaded, version);
}

/** Sets the status in version 1.1, which has a different status for each step of a chunked upload. */
function withStatus(
  response: RouteResponse,
  version: UploadVersion,
  status: number,
): RouteResponse {
  return version === "v1" ? { ...response, status } : response;
}

function uploadResponse(
  { sandbox }: RouteCall,
  uploaded: MediaRow | MediaUploadRow,
  version: UploadVersion,
): RouteResponse {
  const now = sandbox.time.now();
  if (version === "v1") return { body: renderUploadedV1(uploaded, now) };
  return { body: { data: renderUploaded(uploaded, now) } };
}

const altText = z.object({ text: z.string().max(1000) }).optional();
const mediaId = z.string().regex(/^\d{1,19}$/, "is not valid");
/** Schema of a media id, which clients of 1.1 also write as a number. */
const mediaIdV1 = z.union([z.string(), z.int(), z.bigint()]).transform(String).pipe(mediaId);

const inputV1 = z.object({ media_id: mediaIdV1, alt_text: altText });
const input = z.object({ id: mediaId, metadata: z.object({ alt_text: altText }).optional() });

/** Sets the alternative text of a medium by a request of v2. @throws {ApiError} 400, 404. */
export function describeMedia(call: RouteCall): { id: string; metadata: object } {
  const { id, metadata = {} } = checked(call, input);
  setAltText(call, id, metadata.alt_text?.text);
  return { id, metadata };
}

/** Sets the alternative text of a medium by a request of 1.1. @throws {ApiError} 400, 404. */
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
    result.error.issues.map(({ path, message, input: fieldValue }) => {
      const name = path.join(".");
      if (fieldValue === undefined) return { message: `The \`${name}\` field is required.` };
      if (typeof fieldValue !== "string") {
        return { message: `The \`${name}\` field is not valid: ${message}` };
      }
      return {
        parameters: { [name]: [fieldValue] },
        message: `The \`${name}\` field value [${fieldValue}] ${message}`,
      };
    }),
  );
}
