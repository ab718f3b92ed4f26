import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { send, type ApiResponse } from "../support/test-sandbox.ts";
import { dataOf, startMediaUploader, type MediaUploader, GIF, PNG } from "./media-uploader.ts";

let uploader: MediaUploader;
beforeEach(async () => {
  uploader = await startMediaUploader();
});
afterEach(() => uploader.fixture.close());

/** Returns the messages of the errors in a response. */
const messages = ({ body }: ApiResponse): string[] =>
  (body["errors"] as { message: string }[]).map(({ message }) => message);

describe("POST /2/media/upload with a whole medium", () => {
  it("takes base64 in JSON", async () => {
    const { status, body } = await uploader.json("POST", "/2/media/upload", {
      media: PNG.toString("base64"),
      media_category: "tweet_image",
    });

    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^\d+$/),
        media_key: expect.stringMatching(/^3_\d+$/),
        size: PNG.length,
        expires_after_secs: 86_400,
        image: { image_type: "image/png", w: 1, h: 1 },
      },
    });
  });

  it("takes a multipart file", async () => {
    const fields = { media: PNG, media_category: "dm_image" };

    expect(dataOf(await uploader.multipart("/2/media/upload", fields))).toMatchObject({
      size: PNG.length,
      image: { image_type: "image/png" },
    });
  });

  test.each([
    { category: "tweet_image", bytes: PNG, prefix: "3" },
    { category: "tweet_gif", bytes: GIF, prefix: "16" },
    { category: "tweet_video", bytes: Buffer.from("film"), prefix: "7" },
  ])("returns a media_key of $prefix to $category", async ({ category, bytes, prefix }) => {
    const response = await uploader.multipart("/2/media/upload", {
      media: bytes,
      media_category: category,
    });

    expect(String(dataOf(response)["media_key"]).split("_")[0]).toBe(prefix);
  });

  test.each([
    { body: { media: "aGk=" }, expected: "`media_category` field is required", why: "no category" },
    {
      body: { media_category: "tweet_image" },
      expected: "`media` field is required",
      why: "no bytes",
    },
    { body: { media: "", media_category: "tweet_image" }, expected: "empty", why: "empty bytes" },
    { body: { media: "%%", media_category: "tweet_image" }, expected: "base64", why: "no base64" },
    {
      body: { media: "aGk=", media_category: "poster" },
      expected: "[poster]",
      why: "no such category",
    },
    {
      body: { media: "aGk=", media_category: "tweet_image", media_type: "image/svg+xml" },
      expected: "[image/svg+xml]",
      why: "no such type",
    },
    {
      body: {
        media: GIF.toString("base64"),
        media_category: "tweet_video",
        media_type: "image/gif",
      },
      expected: "does not fit",
      why: "type and category differ",
    },
  ])("refuses $why", async ({ body, expected }) => {
    const answer = await uploader.json("POST", "/2/media/upload", body);

    expect([answer.status, answer.body["title"]]).toEqual([400, "Invalid Request"]);
    expect(messages(answer)).toEqual([expect.stringContaining(expected)]);
  });

  it("takes a picture of 5 MB, and refuses one of more", async () => {
    const upload = (bytes: number) =>
      uploader.multipart("/2/media/upload", {
        media: Buffer.concat([PNG], bytes),
        media_category: "tweet_image",
      });
    const [fits, over] = [await upload(5 * 1024 * 1024), await upload(5 * 1024 * 1024 + 1)];

    expect(fits.status).toBe(200);
    expect([over.status, messages(over)]).toEqual([400, ["File size exceeds 5242880 bytes."]]);
  });
});

describe("a chunked upload", () => {
  const start = async (over: object = {}): Promise<ApiResponse> =>
    uploader.json("POST", "/2/media/upload/initialize", {
      media_type: "video/mp4",
      media_category: "tweet_video",
      total_bytes: 8,
      ...over,
    });
  const append = (id: unknown, segment_index: number, media: string): Promise<ApiResponse> =>
    uploader.json("POST", `/2/media/upload/${String(id)}/append`, {
      segment_index,
      media: Buffer.from(media).toString("base64"),
    });
  const finalize = (id: unknown): Promise<ApiResponse> =>
    uploader.json("POST", `/2/media/upload/${String(id)}/finalize`);
  const status = (id: unknown): Promise<ApiResponse> =>
    uploader.json("GET", `/2/media/upload?command=STATUS&media_id=${String(id)}`);
  const uploaded = async (over: object = {}, bytes = "filmfilm"): Promise<unknown> => {
    const { id } = dataOf(await start({ total_bytes: bytes.length, ...over }));
    await append(id, 0, bytes);
    await finalize(id);
    return id;
  };

  it("goes from initialize over append to finalize", async () => {
    const opened = dataOf(await start());
    const { id } = opened;

    expect(opened).toEqual({
      id: expect.stringMatching(/^\d+$/),
      media_key: `7_${String(id)}`,
      expires_after_secs: 1_295_999,
    });
    expect(dataOf(await append(id, 0, "film"))).toEqual({ expires_at: expect.any(Number) });
    expect((await append(id, 1, "film")).status).toBe(200);
    expect(dataOf(await finalize(id))).toEqual({
      id,
      media_key: `7_${String(id)}`,
      size: 8,
      expires_after_secs: 86_400,
      video: { video_type: "video/mp4" },
      processing_info: { state: "pending", check_after_secs: 1 },
    });
  });

  it("accepts segments as multipart files, and a repeated one replaces the first", async () => {
    const { id } = dataOf(await start());
    const path = `/2/media/upload/${String(id)}/append`;
    await uploader.multipart(path, { segment_index: "0", media: Buffer.from("fi") });
    await uploader.multipart(path, { segment_index: "0", media: Buffer.from("film") });
    await uploader.multipart(path, { segment_index: "1", media: Buffer.from("film") });

    expect((await finalize(id)).status).toBe(200);
  });

  it("is processed by the sandbox's clock: pending, in progress, succeeded", async () => {
    const id = await uploaded();
    const seen = [dataOf(await status(id))["processing_info"]];
    for (const ms of [2_000, 1_000]) {
      await uploader.fixture.sandbox.control.advance(ms);
      seen.push(dataOf(await status(id))["processing_info"]);
    }

    expect(seen).toEqual([
      { state: "pending", check_after_secs: 1 },
      { state: "in_progress", check_after_secs: 1, progress_percent: 50 },
      { state: "succeeded", progress_percent: 100 },
    ]);
  });

  it("without a category is ready at once, and refused when its bytes are of another kind", async () => {
    const { id } = dataOf(await start({ media_category: undefined, total_bytes: 8 }));
    await append(id, 0, "filmfilm");
    expect(dataOf(await finalize(id))).not.toHaveProperty("processing_info");

    const wrong = dataOf(await start({ media_category: undefined, total_bytes: PNG.length }));
    await uploader.multipart(`/2/media/upload/${String(wrong["id"])}/append`, {
      segment_index: "0",
      media: PNG,
    });
    // a repeated request gets the same answer: the first one has not ended the upload
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const refused = await finalize(wrong["id"]);
      expect(refused).toMatchObject({ status: 400, body: { title: "Invalid Request" } });
    }
  });

  it("of a picture is ready at once", async () => {
    const id = await uploaded({ media_type: "image/png", media_category: "tweet_image" });

    expect(dataOf(await status(id))).not.toHaveProperty("processing_info");
  });

  it("fails in processing when its bytes are of another kind", async () => {
    const { id } = dataOf(await start({ total_bytes: PNG.length }));
    await uploader.multipart(`/2/media/upload/${String(id)}/append`, {
      segment_index: "0",
      media: PNG,
    });
    await finalize(id);
    await uploader.fixture.sandbox.control.advance(3_000);

    expect(dataOf(await status(id))["processing_info"]).toEqual({ state: "failed" });
  });

  it("returns the same medium when finalized again", async () => {
    const id = await uploaded();

    expect(dataOf(await finalize(id))).toMatchObject({ id, size: 8 });
  });

  it("does not end before all bytes are there", async () => {
    const { id } = dataOf(await start());
    await append(id, 0, "film");

    expect(messages(await finalize(id))).toEqual([expect.stringContaining("4 of 8 bytes")]);
  });

  test.each([
    { over: { media_type: undefined }, expected: "`media_type` field is required" },
    { over: { total_bytes: undefined }, expected: "`total_bytes` field is required" },
    { over: { total_bytes: "many" }, expected: "[many] is not a whole number" },
    {
      over: { total_bytes: 512 * 1024 * 1024 + 1 },
      expected: "File size exceeds 536870912 bytes.",
    },
    { over: { media_category: "tweet_image" }, expected: "does not fit" },
    { over: { additional_owners: ["me"] }, expected: "list of at most 100 user ids" },
  ])("does not begin with $over", async ({ over, expected }) => {
    const answer = await start(over);

    expect([answer.status, messages(answer)]).toEqual([400, [expect.stringContaining(expected)]]);
  });

  test.each([
    { index: 1000, bytes: "film", expected: "from 0 to 999" },
    { index: 0, bytes: "filmfilm!", expected: "more than the 8 of total_bytes" },
    { index: 0, bytes: "", expected: "must not be empty" },
  ])("takes no segment $index of '$bytes'", async ({ index, bytes, expected }) => {
    const { id } = dataOf(await start());

    expect(messages(await append(id, index, bytes))).toEqual([expect.stringContaining(expected)]);
  });

  it("belongs to the user who began it", async () => {
    const { id } = dataOf(await start());
    const path = `/2/media/upload/${String(id)}/finalize`;

    expect((await uploader.fixture.asUser(uploader.fixture.person, "POST", path)).status).toBe(404);
  });

  it("is forgotten when its time is over", async () => {
    const { id } = dataOf(await start());
    const done = await uploaded();
    await uploader.fixture.sandbox.control.advance(86_400_000);
    expect((await status(done)).status).toBe(404);
    expect((await status(id)).status).toBe(200);

    await uploader.fixture.sandbox.control.advance(14 * 86_400_000);
    expect((await status(id)).status).toBe(404);
  });
});

describe("the alternative text of a medium", () => {
  it("is set by /2/media/metadata", async () => {
    const fields = { media: PNG, media_category: "tweet_image" };
    const { id } = dataOf(await uploader.multipart("/2/media/upload", fields));
    const metadata = { alt_text: { text: "A pixel" } };

    expect(dataOf(await uploader.json("POST", "/2/media/metadata", { id, metadata }))).toEqual({
      id,
      associated_metadata: metadata,
    });
    expect(await uploader.fixture.sandbox.control.get("/state")).toMatchObject({
      tables: { media: [{ id, altText: "A pixel" }] },
    });
  });
});

describe("who may upload", () => {
  const whole = { media: PNG.toString("base64"), media_category: "tweet_image" };

  it("is not allowed to an app alone", async () => {
    expect((await uploader.fixture.asApp("POST", "/2/media/upload", whole)).status).toBe(403);
  });

  it("is not allowed to a read-only token", async () => {
    const { control } = uploader.fixture.sandbox;
    await control.call("PATCH", `/apps/${uploader.fixture.app.app_id}`, {
      permission_level: "read",
    });

    expect((await uploader.json("POST", "/2/media/upload", whole)).status).toBe(403);
  });

  test.each([
    { scopes: ["media.write"], status: 200 },
    { scopes: ["tweet.read", "tweet.write"], status: 403 },
  ])("is an OAuth 2.0 user with $scopes: $status", async ({ scopes, status }) => {
    const { sandbox, app, bot } = uploader.fixture;
    const state = await sandbox.control.get<{ tables: Record<string, object[]> }>("/state");
    const token = {
      token: "user-token",
      appId: app.app_id,
      userId: bot,
      scopes,
      expiresAt: Date.parse("2100-01-01T00:00:00Z"),
    };
    const tables = { ...state.tables, user_tokens: [token] };
    await sandbox.control.call("PUT", "/state", { ...state, tables });

    const response = await send(
      "POST",
      `${sandbox.url}/2/media/upload`,
      "Bearer user-token",
      whole,
    );

    expect(response.status).toBe(status);
  });

  it("is reported its budget", async () => {
    const { headers } = await uploader.json("POST", "/2/media/upload", whole);

    expect(headers.get("x-rate-limit-limit")).toBe("500");
  });
});
