import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { dataOf, startMediaUploader, type MediaUploader, GIF, PNG } from "./media-uploader.ts";

let uploader: MediaUploader;
beforeEach(async () => {
  uploader = await startMediaUploader();
});
afterEach(() => uploader.fixture.close());

describe("command forms on /1.1/media/upload.json", () => {
  const path = "/1.1/media/upload.json";

  it("go from INIT over APPEND and FINALIZE to STATUS", async () => {
    const opened = await uploader.form(path, {
      command: "INIT",
      media_type: "image/gif",
      media_category: "TweetGif",
      total_bytes: String(GIF.length),
    });
    const id = String(opened.body["media_id_string"]);
    expect(opened.status).toBe(202);
    expect(opened.body).toEqual({
      media_id: BigInt(id),
      media_id_string: expect.stringMatching(/^\d+$/),
      media_key: `16_${id}`,
      expires_after_secs: 1_295_999,
    });

    const segment = { command: "APPEND", media_id: id, segment_index: "0", media: GIF };
    const appended = await uploader.multipart(path, segment);
    expect([appended.status, appended.body]).toEqual([204, {}]);
    const done = await uploader.form(path, { command: "FINALIZE", media_id: id });
    expect(done.status).toBe(201);
    expect(done.body).toMatchObject({
      media_id_string: id,
      size: GIF.length,
      image: { image_type: "image/gif", w: 1, h: 1 },
      processing_info: { state: "pending" },
    });

    await uploader.fixture.sandbox.control.advance(3_000);
    const status = await uploader.json("GET", `${path}?command=STATUS&media_id=${id}`);
    expect(status.body).toMatchObject({ processing_info: { state: "succeeded" } });
  });

  it("say why processing failed", async () => {
    const response = await uploader.multipart(path, {
      media: PNG,
      media_category: "tweet_video",
      media_type: "video/mp4",
    });
    await uploader.fixture.sandbox.control.advance(3_000);
    const id = String(response.body["media_id_string"]);

    expect(
      (await uploader.json("GET", `${path}?command=STATUS&media_id=${id}`)).body,
    ).toMatchObject({
      processing_info: { state: "failed", error: { code: 1, name: "InvalidMedia" } },
    });
  });

  it("take a whole medium in media_data, without a word about it", async () => {
    const { body } = await uploader.form(path, { media_data: PNG.toString("base64") });

    expect(body).toMatchObject({ size: PNG.length, image: { image_type: "image/png" } });
  });

  it("answer errors in the 1.1 shape", async () => {
    const { status, body } = await uploader.form(path, { command: "FINALIZE", media_id: "1" });

    expect([status, body]).toEqual([404, { errors: [{ code: 34, message: expect.any(String) }] }]);
  });

  it.each(["a text", "a number"])("let an alternative text be set, the id %s", async (kind) => {
    const { body } = await uploader.form(path, { media_data: PNG.toString("base64") });
    const id = String(body["media_id_string"]);

    const alt_text = { text: "A pixel" };
    const response = await uploader.json("POST", "/1.1/media/metadata/create.json", {
      media_id: kind === "a number" ? BigInt(id) : id,
      alt_text,
    });
    const post = await uploader.json("POST", "/2/posts", {
      text: "see",
      media: { media_ids: [id] },
    });
    const at = `/2/posts/${String(dataOf(post)["id"])}`;
    const query = "expansions=attachments.media_keys&media.fields=alt_text";
    const { body: read } = await uploader.json("GET", `${at}?${query}`);

    expect(response.status).toBe(200);
    expect(read).toMatchObject({ includes: { media: [{ alt_text: "A pixel" }] } });
  });

  it("refuse an id of another type as wrong", async () => {
    const response = await uploader.json("POST", "/1.1/media/metadata/create.json", {
      media_id: 1.5,
    });

    expect(response.status).toBe(400);
  });
});

describe("command forms on /2/media/upload", () => {
  const path = "/2/media/upload";
  const init = { command: "INIT", media_type: "video/mp4", total_bytes: "4" };

  test.each(["form", "query", "multipart"])("are read from a %s", async (place) => {
    const query = new URLSearchParams(init).toString();
    const response = await (place === "form"
      ? uploader.form(path, init)
      : place === "query"
        ? uploader.json("POST", `${path}?${query.replaceAll("%2F", "/")}`)
        : uploader.multipart(path, init));

    expect([response.status, dataOf(response)]).toEqual([
      200,
      expect.objectContaining({ expires_after_secs: 1_295_999 }),
    ]);
  });

  it("end in the shapes of v2", async () => {
    const declared = { ...init, media_category: "tweet_video" };
    const { id } = dataOf(await uploader.form(path, declared));
    const media_id = String(id);
    const media = Buffer.from("film");

    const segment = { command: "APPEND", media_id, segment_index: "0", media };
    expect(dataOf(await uploader.multipart(path, segment))).toEqual({
      expires_at: expect.any(Number),
    });
    const done = await uploader.form(path, { command: "FINALIZE", media_id });
    expect(dataOf(done)).toMatchObject({ id, size: 4, processing_info: { state: "pending" } });
    const status = await uploader.json("GET", `${path}?media_id=${media_id}`);
    expect(dataOf(status)).toMatchObject({ processing_info: { state: "pending" } });
  });

  it("are these four", async () => {
    expect((await uploader.form(path, { command: "BEGIN" })).status).toBe(400);
    expect((await uploader.json("GET", `${path}?command=INIT&media_id=1`)).status).toBe(400);
  });
});
