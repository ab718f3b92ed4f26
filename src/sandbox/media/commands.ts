import { userOf } from "../auth/caller.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Answer, Call } from "../kernel/route.ts";
import type { Media, Upload } from "./entities.ts";
import {
  appendFields,
  bytesOf,
  checkFields,
  initializeFields,
  type MediaFields,
  mediaFields,
  oneMedium,
  oneShotFields,
  oneShotFieldsV1,
} from "./fields.ts";
import { renderUploaded, renderUploadedV1 } from "./render.ts";
import { appendSegment, findEither, finishUpload, startUpload, takeWhole } from "./rules.ts";

/** Which of the two interfaces an answer is written for. */
export type Generation = "v1" | "v2";

const COMMANDS = {
  INIT: initialize,
  APPEND: append,
  FINALIZE: finalize,
  STATUS: status,
} as const;

/** `POST` to the upload address: a whole medium, or a step of a chunked upload by its `command`. */
export function upload(call: Call, generation: Generation): Answer {
  const fields = mediaFields(call);
  const name = fields.texts["command"];
  if (name === undefined) return whole(call, fields, generation);
  const command = Object.entries(COMMANDS).find(([known]) => known === name.toUpperCase());
  if (command !== undefined) return command[1](call, fields, generation);
  const message = `The \`command\` field value [${name}] is not one of [${Object.keys(COMMANDS).join(", ")}]`;
  throw Refusal.parameter("command", name, message);
}

/** `GET` of the upload address. */
export function askStatus(call: Call, generation: Generation): Answer {
  const fields = mediaFields(call);
  const { command = "STATUS" } = fields.texts;
  if (command.toUpperCase() === "STATUS") return status(call, fields, generation);
  const message = `The \`command\` query parameter value [${command}] is not one of [STATUS]`;
  throw Refusal.parameter("command", command, message);
}

export function initialize(call: Call, fields: MediaFields, generation: Generation): Answer {
  const given = checkFields(initializeFields, fields);
  return tell(call, startUpload(call.sandbox, userOf(call.caller), given), generation);
}

export function append(call: Call, fields: MediaFields, generation: Generation): Answer {
  const { media_id: id, segment_index: index } = checkFields(appendFields, fields);
  const open = appendSegment(call.sandbox, userOf(call.caller), id, index, bytesOf(fields));
  if (generation === "v1") return { body: {} };
  return { body: { data: { expires_at: Math.floor(open.expiresAt / 1000) } } };
}

export function finalize(call: Call, fields: MediaFields, generation: Generation): Answer {
  const { media_id: id } = checkFields(oneMedium, fields);
  return tell(call, finishUpload(call.sandbox, userOf(call.caller), id), generation);
}

function status(call: Call, fields: MediaFields, generation: Generation): Answer {
  const { media_id: id } = checkFields(oneMedium, fields);
  return tell(call, findEither(call.sandbox, userOf(call.caller), id), generation);
}

function whole(call: Call, fields: MediaFields, generation: Generation): Answer {
  const schema = generation === "v1" ? oneShotFieldsV1 : oneShotFields;
  const given = checkFields(schema, fields);
  const taken = takeWhole(call.sandbox, userOf(call.caller), given, bytesOf(fields));
  return tell(call, taken, generation);
}

function tell({ sandbox }: Call, told: Media | Upload, generation: Generation): Answer {
  const now = sandbox.time.now();
  if (generation === "v1") return { body: renderUploadedV1(told, now) };
  return { body: { data: renderUploaded(told, now) } };
}
