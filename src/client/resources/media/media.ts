import { FormData, Response } from "undici";
import { z } from "zod";
import { dataOf } from "../../reading/response.ts";
import type { CallOptions } from "../../http/api-caller.ts";
import type { Caller } from "../../http/caller.ts";
import { ANY, type Endpoints, USER } from "../../http/endpoint.ts";
import { UnprocessedMediumError } from "../../errors.ts";
import {
  checkSegmentIndex,
  type ChunkedOptions,
  type MediaChunk,
  type NewMedia,
  type NewUpload,
} from "./new-media.ts";
import { type MediaResult, type MediumResult, readOne, readSeveral } from "../../reading/read.ts";
import type {
  EmptySelection,
  MediaSelection,
  MediumOf,
  ValidMediaSelection,
} from "../../reading/selection.ts";
import { mediaWith } from "../../reading/shapes.ts";
import { UploadedMedia } from "../../objects/uploaded-media.ts";
import { uploadInChunks } from "./upload-in-chunks.ts";

const Described = z.object({ id: z.string() });
const Appended = z.object({ expires_at: z.number().optional() });

/** Media upload, whole or in parts, alt text, and the state of the platform's processing. */
export interface MediaMethods {
  /**
   * Uploads a picture in one request.
   *
   * @example
   * const { id } = await client.media.upload({ media, mediaType: "image/png", category: "tweet_image" });
   * await client.posts.create({ text: "Look.", mediaIds: [id] });
   */
  upload(media: NewMedia, options?: CallOptions): Promise<UploadedMedia>;
  /**
   * Uploads media in parts, and waits until they are processed, up to `processingMs`.
   *
   * @throws ProtocolError if processing fails or takes longer. An `AbortError` if `signal` ends the wait.
   */
  uploadChunked(media: NewMedia, options?: ChunkedOptions): Promise<UploadedMedia>;
  /** Starts an upload in parts. */
  initialize(upload: NewUpload, options?: CallOptions): Promise<UploadedMedia>;
  /** Uploads one part. */
  append(chunk: MediaChunk, options?: CallOptions): Promise<{ expires_at?: number | undefined }>;
  /** Completes an upload in parts. */
  finalize(mediaId: string, options?: CallOptions): Promise<UploadedMedia>;
  /** Sets the alt text, up to 1000 characters. */
  describe(mediaId: string, altText: string, options?: CallOptions): Promise<{ id: string }>;
  /**
   * Returns a media object of a post by its key.
   *
   * @throws PlatformError with `notFound` if it does not exist
   *
   * @example
   * const { data } = await client.media.get("3_1455952740635586573", { mediaFields: ["url", "alt_text"] });
   */
  get<const S extends MediaSelection = EmptySelection>(
    mediaKey: string,
    selection?: ValidMediaSelection<S>,
    options?: CallOptions,
  ): Promise<MediumResult<S>>;
  /** Returns up to 100 media objects by key; `errors` lists those that do not exist. */
  lookup<const S extends MediaSelection = EmptySelection>(
    mediaKeys: readonly string[],
    selection?: ValidMediaSelection<S>,
    options?: CallOptions,
  ): Promise<MediaResult<S>>;
  /** Returns an upload with the state of its processing by the platform. */
  status(mediaId: string, options?: CallOptions): Promise<UploadedMedia>;
}

/** Endpoints of the media methods. `uploadChunked` calls `initialize`, `append`, `finalize` and `status`. */
export const MEDIA = {
  upload: { method: "POST", path: "/2/media/upload", takes: USER },
  uploadChunked: { method: "POST", path: "/2/media/upload/initialize", takes: USER },
  initialize: { method: "POST", path: "/2/media/upload/initialize", takes: USER },
  append: { method: "POST", path: "/2/media/upload/:id/append", takes: USER },
  finalize: { method: "POST", path: "/2/media/upload/:id/finalize", takes: USER },
  describe: { method: "POST", path: "/2/media/metadata", takes: USER },
  status: { method: "GET", path: "/2/media/upload", takes: USER },
  get: { method: "GET", path: "/2/media/:media_key", takes: ANY },
  lookup: { method: "GET", path: "/2/media", takes: ANY },
} as const satisfies Endpoints<MediaMethods>;

/** Creates the methods of media, which send their requests through `caller`. */
export function media(caller: Caller): MediaMethods {
  const methods: Omit<MediaMethods, "uploadChunked"> = {
    ...lookUps(caller),
    upload: async ({ media, mediaType, category, additionalOwners }, options) => {
      const owners = additionalOwners && { additional_owners: additionalOwners.join(",") };
      const raw = await multipart({ media_category: category, ...owners }, media, mediaType);
      return dataOf(await caller.call(MEDIA.upload, { raw }, options), UploadedMedia);
    },
    initialize: async ({ mediaType, category, totalBytes, additionalOwners }, options) => {
      const fields = { media_type: mediaType, media_category: category, total_bytes: totalBytes };
      const json = { ...fields, additional_owners: additionalOwners };
      return dataOf(await caller.call(MEDIA.initialize, { json }, options), UploadedMedia);
    },
    append: async ({ mediaId, segmentIndex, media }, options) => {
      checkSegmentIndex(segmentIndex);
      const fields = { segment_index: String(segmentIndex) };
      const raw = await multipart(fields, media, "application/octet-stream");
      const input = { path: { id: mediaId }, raw };
      return dataOf(await caller.call(MEDIA.append, input, options), Appended);
    },
    finalize: async (id, options) =>
      dataOf(await caller.call(MEDIA.finalize, { path: { id } }, options), UploadedMedia),
    describe: async (id, text, options) => {
      const json = { id, metadata: { alt_text: { text } } };
      return dataOf(await caller.call(MEDIA.describe, { json }, options), Described);
    },
    status: async (mediaId, options) => {
      const query = { command: "STATUS", media_id: mediaId };
      return dataOf(await caller.call(MEDIA.status, { query }, options), UploadedMedia);
    },
  };
  const { clock } = caller.settings;
  return {
    ...methods,
    uploadChunked: async (whole, options) => {
      const done = await uploadInChunks(methods, whole, clock, options);
      const { state, error } = done.processing_info ?? {};
      if (state !== "failed" && error === undefined) return done;
      const why = error?.message ?? error?.name;
      throw new UnprocessedMediumError(
        `the platform could not process the medium${why === undefined ? "" : `: ${why}`}`,
      );
    },
  };
}

/** Creates the methods that read media objects; they send their requests through `caller`. */
function lookUps(caller: Caller): Pick<MediaMethods, "get" | "lookup"> {
  return {
    get: <S extends MediaSelection>(
      key: string,
      selection?: ValidMediaSelection<S>,
      options?: CallOptions,
    ) =>
      readOne<MediumOf<S>, S>(caller, {
        endpoint: MEDIA.get,
        input: { path: { media_key: key } },
        selection,
        shape: mediaWith<S>(selection),
        options,
      }),
    lookup: <S extends MediaSelection>(
      keys: readonly string[],
      selection?: ValidMediaSelection<S>,
      options?: CallOptions,
    ) =>
      readSeveral<MediumOf<S>, S>(caller, {
        endpoint: MEDIA.lookup,
        input: { query: { media_keys: keys } },
        selection,
        shape: mediaWith<S>(selection),
        options,
      }),
  };
}

async function multipart(
  fields: Readonly<Record<string, string>>,
  media: Uint8Array,
  type: string,
): Promise<{ body: Buffer; contentType: string }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("media", new Blob([Uint8Array.from(media)], { type }), "media");
  const encoded = new Response(form);
  const contentType = encoded.headers.get("content-type") ?? "multipart/form-data";
  return { body: Buffer.from(await encoded.arrayBuffer()), contentType };
}
