import { expect, it } from "vitest";
import { messageDelivery } from "../../../src/events/read/message.ts";
import { postDelivery } from "../../../src/events/read/post.ts";
import { translate } from "../../../src/events/translate.ts";

const AT = "2026-01-01T00:00:00.000Z";
const PEOPLE = { users: [{ id: "200", username: "ana", name: "Ana" }] };
const NO_LISTS = { hashtags: null, cashtags: null, mentions: null, urls: null };
const LINK = { url: "https://t.co/a", expanded_url: "https://shop.example/", media_key: null };
const LINKED = {
  mentions: [{ start: 0, end: 4, username: "bot", id: null }],
  urls: [{ start: 5, end: 19, ...LINK }],
};

// The platform's description of its interface allows null in these places.
it.each([
  { entities: NO_LISTS, urls: [] },
  { entities: LINKED, urls: ["https://shop.example/"] },
])("null is read like an absent value: $urls", ({ entities, urls }) => {
  const written = { id: "9", text: "@bot https://t.co/a", created_at: AT, entities };
  const sent = { event_type: "MessageCreate", sender_id: "200", dm_conversation_id: "100-200" };
  const bodies = [
    messageDelivery("100", { ...written, ...sent }, PEOPLE),
    postDelivery("100", { ...written, author_id: "200" }, PEOPLE),
  ];
  const events = bodies.flatMap((body) => translate(body, 0).map(({ event }) => event));

  expect(events).toMatchObject([
    { kind: "message", message: { urls } },
    { kind: "post", post: { urls } },
  ]);
});
