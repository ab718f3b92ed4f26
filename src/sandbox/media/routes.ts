import { assumed, DESCRIBED, documented } from "../kernel/ledger.ts";
import type { RouteResponse, RouteCall, Route } from "../server/route.ts";
import { MESSAGE_MEDIA } from "../rendering/media.ts";
import {
  append,
  getStatus,
  finalize,
  initialize,
  upload,
  describeMedia,
  describeMediaV1,
} from "./upload-requests.ts";
import { downloadMedium, downloadMessageMedium } from "./download-requests.ts";
import { getMedium, lookUpMedia } from "./look-up-requests.ts";
import { mediaFields } from "./request-fields.ts";

/** Fidelity note about the URLs of media. */
const DOWNLOADS = "The live service has media on hosts of their own, the sandbox has not.";

/** Fidelity note of the upload endpoints of version 1.1. */
const COMMAND_FORM = "Accepts the `command` parameters that clients of version 1.1 send.";

/** Fidelity note of endpoints that the live service documents, but not the documentation that the sandbox follows. */
const PUBLISHED =
  "The documentation only mentions media upload; follows the live service's documentation.";

/** Body limit, in bytes, for a segment or a whole picture or GIF. It allows for base64. */
const body = { maxBytes: 24 * 1024 * 1024 };

const v2 = {
  body,
  ledger: assumed(PUBLISHED),
  auth: ["oauth1", "oauth2"],
  level: "read-write",
  scopes: ["media.write"],
} as const;
const v1 = { body, ledger: assumed(COMMAND_FORM), auth: ["oauth1"], level: "read-write" } as const;

const reading = {
  ledger: DESCRIBED,
  auth: ["bearer", "oauth1", "oauth2"],
  scopes: ["tweet.read"],
  limits: { app: 300, user: 900 },
} as const;

const whole = { user: 500, appDay: 50_000 };
const steps = { user: 1_875, appDay: 180_000 };

export const routes: readonly Route[] = [
  { method: "GET", path: "/2/media", ...reading, handle: lookUpMedia },
  { method: "GET", path: "/2/media/:media_key", ...reading, handle: getMedium },
  {
    method: "GET",
    path: "/media/:file",
    auth: [],
    ledger: assumed(`${DOWNLOADS} Media of posts need no credentials.`),
    handle: downloadMedium,
  },
  {
    method: "GET",
    path: `${MESSAGE_MEDIA}/:message_id/:media_id/:file`,
    auth: ["oauth1"],
    level: "read-write-directmessages",
    ledger: assumed(`${DOWNLOADS} Media of messages are for the participants.`),
    handle: downloadMessageMedium,
  },
  {
    method: "GET",
    path: "/2/dm_conversations/media/:message_id/:media_id/:file",
    auth: ["oauth2"],
    scopes: ["dm.read"],
    ledger: DESCRIBED,
    handle: downloadMessageMedium,
  },
  {
    method: "POST",
    path: "/2/media/upload",
    ...v2,
    ledger: documented(
      "Direct message endpoints",
      "The body is assumed: complete media as base64 or multipart, or `command` parameters.",
    ),
    limits: whole,
    handle: (call) => upload(call, "v2"),
  },
  {
    method: "GET",
    path: "/2/media/upload",
    ...v2,
    limits: steps,
    handle: (call) => getStatus(call, "v2"),
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
    ledger: assumed(`${PUBLISHED} Keeps the alternative text alone.`),
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
    handle: (call) => getStatus(call, "v1"),
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

/** Runs a step of a chunked upload, with the media id from the path. */
function step(call: RouteCall, command: typeof append): RouteResponse {
  const { texts, bytes } = mediaFields(call);
  return command(call, { texts: { ...texts, media_id: call.params["id"] ?? "" }, bytes }, "v2");
}
