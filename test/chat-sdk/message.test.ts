import { describe, expect, it } from "vitest";
import { messageOf, saidInMessage, saidInPost } from "../../src/chat-sdk/message.ts";
import { messageReceived, postMentioned } from "../support/events.ts";

const PLACED = { threadId: "answerback:post:7", isMe: false };
const URL = "https://media.example/a";

describe("the attachments of a message", () => {
  it.each([
    { of: ["photo"], named: ".jpg?size=large", is: [{ type: "image", mimeType: "image/jpeg" }] },
    { of: ["photo"], named: "", is: [{ type: "image" }] },
    { of: ["video"], named: ".mp4", is: [{ type: "video", mimeType: "video/mp4" }] },
    // the preview picture of a video
    { of: ["video"], named: ".jpg", is: [{ type: "video" }] },
    { of: ["animated_gif"], named: ".png", is: [{ type: "video" }] },
    { of: [""], named: ".mp4", is: [{ type: "video", mimeType: "video/mp4" }] },
    { of: ["photo", "video"], named: "", is: [{ type: "image" }, { type: "video" }] },
    { of: [], named: ".png", is: [] },
  ])("have the types of the event: $of$named", ({ of: mediaTypes, named, is }) => {
    const mediaUrls = mediaTypes.map(() => `${URL}${named}`);
    const event = postMentioned(mediaUrls.length === 0 ? {} : { mediaUrls, mediaTypes });
    const { attachments } = messageOf({ ...saidInPost(event), ...PLACED });

    expect(attachments).toEqual(is.map((one) => ({ url: `${URL}${named}`, ...one })));
  });

  it("have the type of the message's event", () => {
    const event = messageReceived({ mediaUrl: URL, mediaType: "video" });
    const { attachments, raw } = messageOf({ ...saidInMessage(event), ...PLACED });

    expect(attachments).toEqual([{ type: "video", url: URL }]);
    expect(raw).toMatchObject({ mediaUrl: URL });
  });

  it("are read from raw data of an earlier version", () => {
    const author = { id: "1" };
    const raw = { ...PLACED, id: "7", text: "hi", at: 0, author, mediaUrl: `${URL}.png` };

    expect(messageOf(raw).attachments).toMatchObject([{ type: "image", url: `${URL}.png` }]);
  });
});
