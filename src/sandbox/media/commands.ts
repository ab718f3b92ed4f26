import { userOf } from "../auth/caller.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteResponse, RouteCall } from "../kernel/http/route.ts";
import type { MediaRow, MediaUploadRow } from "./entities.ts";
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
} from "./fields.ts";
import { renderUploaded, renderUploadedV1 } from "./render.ts";
import { appendSegment, findUploaded, finishUpload, startUpload, storeWhole } from "./rules.ts";

/** Which of the two interfaces an answer is written for. */
export type UploadVersion = "v1" | "v2";

const COMMANDS = {
  INIT: initialize,
  APPEND: append,
  FINALIZE: finalize,
  STATUS: status,
} as const;

/** `POST` to the upload address: a whole medium, or a step of a chunked upload by its `command`. */
export function upload(call: RouteCall, version: UploadVersion): RouteResponse {
  const fields = mediaFields(call);
  const name = fields.texts["command"];
  if (name === undefined) return uploadWhole(call, fields, version);
  const command = Object.entries(COMMANDS).find(([known]) => known === name.toUpperCase());
  if (command !== undefined) return command[1](call, fields, version);
  const message = `The \`command\` field value [${name}] is not one of [${Object.keys(COMMANDS).join(", ")}]`;
  throw ApiError.parameter("command", name, message);
}

/** `GET` of the upload address. */
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
  const given = checkFields(initializeFields, fields);
  const opened = startUpload(call.sandbox, userOf(call.caller), given);
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
  const given = checkFields(schema, fields);
  const uploaded = storeWhole(call.sandbox, userOf(call.caller), given, bytesOf(fields));
  return uploadResponse(call, uploaded, version);
}

/** Version 1.1 tells the steps of a chunked upload apart by their status. */
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
