import { afterAll, beforeAll, expect, it, test } from "vitest";
import { dataOf, startMediaUploader, type MediaUploader, PNG } from "./media-uploader.ts";

let uploader: MediaUploader;
let picture: string;
let second: string;
let privatePicture: string;
beforeAll(async () => {
  uploader = await startMediaUploader();
  const keyOf = async (category: string): Promise<string> => {
    const fields = { media: PNG, media_category: category };
    return String(dataOf(await uploader.multipart("/2/media/upload", fields))["media_key"]);
  };
  picture = await keyOf("tweet_image");
  second = await keyOf("tweet_image");
  privatePicture = await keyOf("dm_image");
});
afterAll(() => uploader.fixture.close());

const get = (path: string) => uploader.json("GET", path);

it("returns a medium by its key, with the default and the requested fields", async () => {
  const plain = await get(`/2/media/${picture}`);
  const chosen = await get(`/2/media/${picture}?media.fields=width,height,url`);

  expect(plain).toMatchObject({ status: 200, body: { data: { media_key: picture } } });
  expect(plain.body).toEqual({ data: { media_key: picture, type: "photo" } });
  expect(chosen.body).toEqual({
    data: {
      media_key: picture,
      type: "photo",
      width: 1,
      height: 1,
      url: expect.stringContaining(picture),
    },
  });
});

it("returns several media in the order of the request, and errors for the others", async () => {
  const { status, body } = await get(`/2/media?media_keys=${second},3_1,${picture}`);

  expect(status).toBe(200);
  expect(body).toMatchObject({
    data: [{ media_key: second }, { media_key: picture }],
    errors: [{ resource_type: "media", parameter: "media_keys", value: "3_1" }],
  });
});

it("shows no media of messages, which are private", async () => {
  const { body } = await get(`/2/media?media_keys=${privatePicture}`);

  expect(body).toMatchObject({ errors: [{ value: privatePicture }] });
  expect(body).not.toHaveProperty("data");
});

test.each([
  { path: "/2/media", says: "can not be empty" },
  { path: "/2/media?media_keys=7", says: "[7] does not match" },
  { path: "/2/media/7", says: "[7] does not match" },
  { path: "/2/media?media_keys=3_1&media.fields=size", says: "[size] is not one of" },
])("refuses $path", async ({ path, says }) => {
  const { status, body } = await get(path);

  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(says);
});
