import { afterEach, expect, it } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { type Handler, instantClock, stubServer, type StubServer } from "../support/stub-server.ts";

let server: StubServer;
afterEach(() => server.close());

async function uploader(handle: Handler) {
  server = await stubServer(handle);
  const clock = instantClock();
  const credentials = { type: "oauth2", accessToken: "token", clientId: "client" } as const;
  return { clock, client: createClient({ baseUrl: server.url, credentials, clock, retry: false }) };
}

const media = new TextEncoder().encode("0123456789");
const about = { media, mediaType: "video/mp4", category: "tweet_video" } as const;

it("uploads the parts in order and waits until the medium is processed", async () => {
  let looks = 0;
  const { client, clock } = await uploader(({ target, method }) => {
    if (target.endsWith("/append")) return { body: { data: { expires_at: 1 } } };
    if (method === "GET") looks += 1;
    const states = ["pending", "in_progress", "succeeded"] as const;
    const state = { state: states[looks], check_after_secs: 5 };
    const processing = target.endsWith("/initialize") ? {} : { processing_info: state };
    return { body: { data: { id: "77", ...processing } } };
  });
  const done = await client.media.uploadChunked(about, { chunkBytes: 4 });
  expect(done.processing_info?.state).toBe("succeeded");
  expect(clock.slept).toEqual([5_000, 5_000]);
  expect(server.seen.map(({ method, target }) => `${method} ${target}`)).toEqual([
    "POST /2/media/upload/initialize",
    "POST /2/media/upload/77/append",
    "POST /2/media/upload/77/append",
    "POST /2/media/upload/77/append",
    "POST /2/media/upload/77/finalize",
    "GET /2/media/upload?command=STATUS&media_id=77",
    "GET /2/media/upload?command=STATUS&media_id=77",
  ]);
  expect(JSON.parse(server.seen[0]?.body ?? "")).toEqual({
    media_type: "video/mp4",
    media_category: "tweet_video",
    total_bytes: 10,
  });
  const parts = server.seen.slice(1, 4).map(({ body }) => {
    const index = /name="segment_index"\r\n\r\n(\d+)/.exec(body)?.[1];
    return [index, /octet-stream\r\n\r\n([\d]+)\r\n/.exec(body)?.[1]];
  });
  expect(parts).toEqual([
    ["0", "0123"],
    ["1", "4567"],
    ["2", "89"],
  ]);
});

it("waits between status requests if the platform names no time, or no time to wait", async () => {
  const infos = [
    { state: "pending", check_after_secs: 0 },
    { state: "in_progress" },
    { state: "in_progress", check_after_secs: 3 },
    { state: "succeeded" },
  ];
  let looks = 0;
  const { client, clock } = await uploader(({ target }) => {
    const isAsked = target.endsWith("/finalize") || target.includes("STATUS");
    const processing = isAsked ? { processing_info: infos[looks++] } : {};
    return { body: { data: { id: "77", ...processing } } };
  });
  await client.media.uploadChunked(about);

  expect(clock.slept).toEqual([1_000, 1_000, 3_000]);
});

it.each([
  { after: 86_400, processingMs: 150_000, slept: [60_000, 60_000, 30_000], within: "150" },
  { after: 0, processingMs: 2_500, slept: [1_000, 1_000, 500], within: "2.5" },
  { after: 86_400, processingMs: undefined, slept: Array(15).fill(60_000), within: "900" },
])(
  "ends the wait for a medium that is never processed: $processingMs ms",
  async ({ after, processingMs, slept, within }) => {
    const processing_info = { state: "in_progress", check_after_secs: after };
    const { client, clock } = await uploader(() => ({
      body: { data: { id: "77", processing_info } },
    }));
    const call = client.media.uploadChunked(about, { processingMs });

    await expect(call).rejects.toMatchObject({
      name: "UnprocessedMediumError",
      message: `the platform has not processed the medium within ${within} seconds`,
    });
    expect(clock.slept).toEqual(slept);
  },
);

it("counts slow responses, too, when it waits for the processing", async () => {
  const processing_info = { state: "in_progress", check_after_secs: 1 };
  const { client, clock } = await uploader(() => {
    clock.pass(9_000);
    return { body: { data: { id: "77", processing_info } } };
  });
  const call = client.media.uploadChunked(about, { processingMs: 30_000 });

  await expect(call).rejects.toMatchObject({ name: "UnprocessedMediumError" });
  expect(clock.slept).toEqual([1_000, 1_000, 1_000]);
});

it("returns an upload whose processing is in a state that is not documented", async () => {
  const processing_info = { state: "archived" };
  const { client } = await uploader(() => ({ body: { data: { id: "77", processing_info } } }));

  expect(await client.media.uploadChunked(about)).toEqual({ id: "77", processing_info });
});

const long = "Duration 2.minutes+29.seconds exceeds max duration of 2.minutes+20.seconds";
it.each([
  { info: { state: "failed" }, message: "the platform could not process the medium" },
  {
    info: { state: "failed", progress_percent: 100, error: { code: 3, message: long } },
    message: `the platform could not process the medium: ${long}`,
  },
  {
    // The live service has sent this state for ever.
    info: { state: "in_progress", progress_percent: 99, error: { code: 1, name: "InvalidMedia" } },
    message: "the platform could not process the medium: InvalidMedia",
  },
])("reports a medium that the platform can't process: $info", async ({ info, message }) => {
  let statusRequests = 0;
  const { client } = await uploader(({ method }) => {
    const isLast = method === "GET" && (statusRequests += 1) > 3;
    const processing_info = isLast ? { state: "succeeded" } : info;
    return { body: { data: { id: "77", processing_info } } };
  });
  await expect(client.media.uploadChunked(about)).rejects.toMatchObject({ message });
});

it("uploads a picture in one request, with unchanged bytes", async () => {
  const { client } = await uploader(() => ({ body: { data: { id: "78", media_key: "3_78" } } }));
  const picture = Uint8Array.from([0x89, 0x50, 0x0d, 0x0a, 0xff, 0x00]);
  const input = { media: picture, mediaType: "image/png", category: "tweet_image" } as const;
  expect(await client.media.upload(input)).toEqual({ id: "78", media_key: "3_78" });
  const seen = server.seen[0];
  const body = seen?.body;
  expect(seen?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
  expect(body).toContain("Content-Type: image/png\r\n\r\n\u0089P\r\n\u00ff\u0000\r\n");
  expect(body).toContain('name="media_category"\r\n\r\ntweet_image');
});

const refused = [
  { options: { chunkBytes: 0 }, media, why: "a part holds at least one byte" },
  { options: { processingMs: Number.NaN }, media, why: "the wait has no limit" },
  { options: {}, media: new Uint8Array(), why: "there is nothing to upload" },
];
it.each(refused)("refuses before anything is sent: $why", async ({ options, media }) => {
  const { client } = await uploader(() => ({ body: {} }));
  const call = client.media.uploadChunked({ ...about, media }, options);
  await expect(call).rejects.toMatchObject({ name: "UsageError" });
  expect(server.seen).toEqual([]);
});
