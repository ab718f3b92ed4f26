import { beforeEach, describe, expect, it, test } from "vitest";
import type { UserRow } from "../../../src/sandbox/model/accounts.ts";
import { AREAS } from "../../../src/sandbox/areas.ts";
import { Platform } from "../../../src/sandbox/kernel/platform.ts";
import { requireAttachable } from "../../../src/sandbox/media/attach.ts";
import { renderMedia } from "../../../src/sandbox/rendering/media.ts";
import { storeWhole } from "../../../src/sandbox/media/rules.ts";
import { GIF, NOW, PNG } from "./media-uploader.ts";

let sandbox: Platform;
beforeEach(() => {
  sandbox = new Platform({
    areas: AREAS,
    seed: "s",
    machine: () => NOW,
    highWaterMark: "0",
    storeHighWaterMark: () => undefined,
  });
});

const user = (id: string): UserRow => ({
  id,
  username: `u${id}`,
  name: id,
  password: "",
  email: "",
  createdAt: 0,
  profile: {},
});
const [owner, guest, stranger] = [user("1"), user("2"), user("3")];

describe("attaching media", () => {
  it("returns them in the order requested, to the owner and the additional owners", () => {
    const options = { media_category: "tweet_image", additional_owners: ["2"] } as const;
    const a = storeWhole(sandbox, owner, options, PNG);
    const b = storeWhole(sandbox, owner, options, PNG);

    expect(requireAttachable(sandbox, owner, [b.id, a.id], "post")).toEqual([b, a]);
    expect(requireAttachable(sandbox, guest, [a.id], "post")).toEqual([a]);
  });

  test.each([
    { who: stranger, place: "post", ms: 0, why: "somebody else's" },
    { who: owner, place: "message", ms: 0, why: "meant for posts" },
    { who: owner, place: "post", ms: 86_400_000, why: "a day old" },
  ] as const)("refuses one that is $why", ({ who, place, ms }) => {
    const { id } = storeWhole(sandbox, owner, { media_category: "tweet_image" }, PNG);
    sandbox.time.clock.set(NOW + ms, true);

    expect(() => requireAttachable(sandbox, who, [id], place)).toThrow(
      "Your media IDs are invalid.",
    );
  });

  it("refuses media that is still being processed", () => {
    const { id } = storeWhole(sandbox, owner, { media_category: "dm_gif" }, GIF);
    expect(() => requireAttachable(sandbox, owner, [id], "message")).toThrow("media IDs");

    sandbox.time.clock.set(NOW + 3_000, true);
    expect(requireAttachable(sandbox, owner, [id], "message")).toHaveLength(1);
  });

  it("refuses an unknown one", () => {
    expect(() => requireAttachable(sandbox, owner, ["1"], "post")).toThrow("media IDs");
  });
});

describe("a rendered medium", () => {
  it("of a picture has its address and size", () => {
    const picture = storeWhole(sandbox, owner, { media_category: "tweet_image" }, PNG);

    expect(renderMedia("http://127.0.0.1:1", { ...picture, altText: "A pixel" })).toEqual({
      media_key: picture.mediaKey,
      type: "photo",
      url: expect.stringContaining(picture.mediaKey),
      width: 1,
      height: 1,
      alt_text: "A pixel",
    });
  });

  test.each([
    { category: "tweet_gif", type: "animated_gif" },
    { category: "tweet_video", type: "video" },
  ] as const)("of $category is a $type with variants", ({ category, type }) => {
    const bytes = category === "tweet_gif" ? GIF : Buffer.from("film");

    expect(
      renderMedia(
        "http://127.0.0.1:1",
        storeWhole(sandbox, owner, { media_category: category }, bytes),
      ),
    ).toMatchObject({
      type,
      preview_image_url: expect.any(String),
      variants: [{ content_type: "video/mp4" }],
    });
  });
});
