import type { Answer, Call, Route } from "../kernel/route.ts";
import { append, askStatus, finalize, initialize, upload } from "./commands.ts";
import { mediaFields } from "./fields.ts";
import { describeMedia, describeMediaV1 } from "./metadata.ts";

const v2 = {
  auth: ["oauth1", "oauth2"],
  level: "read-write",
  scopes: ["media.write"],
} as const;
const v1 = { auth: ["oauth1"], level: "read-write" } as const;

const whole = { user: 500, appDay: 50_000 };
const steps = { user: 1_875, appDay: 180_000 };

export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/2/media/upload",
    ...v2,
    limits: whole,
    handle: (call) => upload(call, "v2"),
  },
  {
    method: "GET",
    path: "/2/media/upload",
    ...v2,
    limits: steps,
    handle: (call) => askStatus(call, "v2"),
  },
  {
    method: "POST",
    path: "/2/media/upload/initialize",
    ...v2,
    limits: steps,
    handle: (call) => initialize(call, mediaFields(call), "v2"),
  },
  {
    method: "POST",
    path: "/2/media/upload/:id/append",
    ...v2,
    limits: steps,
    handle: (call) => step(call, append),
  },
  {
    method: "POST",
    path: "/2/media/upload/:id/finalize",
    ...v2,
    limits: steps,
    handle: (call) => step(call, finalize),
  },
  {
    method: "POST",
    path: "/2/media/metadata",
    ...v2,
    limits: whole,
    handle: (call) => {
      const { id, metadata } = describeMedia(call);
      return { body: { data: { id, associated_metadata: metadata } } };
    },
  },
  {
    method: "POST",
    path: "/1.1/media/upload.json",
    ...v1,
    limits: steps,
    handle: (call) => upload(call, "v1"),
  },
  {
    method: "GET",
    path: "/1.1/media/upload.json",
    ...v1,
    limits: steps,
    handle: (call) => askStatus(call, "v1"),
  },
  {
    method: "POST",
    path: "/1.1/media/metadata/create.json",
    ...v1,
    limits: whole,
    handle: (call) => {
      describeMediaV1(call);
      return { body: {} };
    },
  },
];

/** A step whose medium stands in the path. */
function step(call: Call, command: typeof append): Answer {
  const { texts, bytes } = mediaFields(call);
  return command(call, { texts: { ...texts, media_id: call.params["id"] ?? "" }, bytes }, "v2");
}
