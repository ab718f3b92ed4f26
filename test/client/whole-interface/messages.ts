import { expect } from "vitest";
import { failureOf } from "../support/world.ts";
import type { CallsOf, Stage } from "./stage.ts";

/** A PNG of 1 by 1 pixel. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const ABOUT = { mediaType: "image/png", category: "dm_image" } as const;

export const dms: CallsOf<"dms"> = {
  send: async ({ bot, botId, person, personId, word }) => {
    const text = word();
    const sent = await bot.dms.send({ participantId: personId, text });
    const { data } = await person.dms.event(sent.dm_event_id, { dmEventFields: ["sender_id"] });
    expect(data).toMatchObject({ text, sender_id: botId });
  },
  sendTo: async (stage) => {
    const { bot, word } = stage;
    const { conversationId } = await group(stage);
    const text = word();
    const sent = await bot.dms.sendTo({ conversationId, text });
    expect(sent.dm_conversation_id).toBe(conversationId);
    expect((await bot.dms.event(sent.dm_event_id)).data.text).toBe(text);
  },
  createGroup: async (stage) => {
    const { conversationId, text, other } = await group(stage);
    expect(conversationId).toMatch(/^\d{15,19}$/);
    const { data } = await other.dms.eventsIn(conversationId, { eventTypes: ["MessageCreate"] });
    expect(data).toMatchObject([{ event_type: "MessageCreate", text }]);
  },
  events: async ({ bot, personId, word }) => {
    const sent = await bot.dms.send({ participantId: personId, text: word() });
    expect((await bot.dms.events()).data[0]?.id).toBe(sent.dm_event_id);
  },
  eventsWith: async ({ bot, botId, somebody, word }) => {
    const { id, client } = await somebody();
    const text = word();
    await bot.dms.send({ participantId: id, text });
    expect((await client.dms.eventsWith(botId)).data).toMatchObject([{ text }]);
  },
  eventsIn: async ({ bot, somebody, word }) => {
    const text = word();
    const sent = await bot.dms.send({ participantId: (await somebody()).id, text });
    const { data } = await bot.dms.eventsIn(sent.dm_conversation_id);
    expect(data).toMatchObject([{ id: sent.dm_event_id, text }]);
  },
  event: async ({ bot, personId, word }) => {
    const text = word();
    const sent = await bot.dms.send({ participantId: personId, text });
    const { data } = await bot.dms.event(sent.dm_event_id, {
      dmEventFields: ["dm_conversation_id", "created_at"],
    });
    expect(data).toMatchObject({ text, dm_conversation_id: sent.dm_conversation_id });
  },
  downloadMedia: async ({ bot, person, personId }) => {
    const { id } = await bot.media.upload({ ...ABOUT, media: PICTURE });
    const sent = await bot.dms.send({ participantId: personId, mediaId: id });
    const { includes } = await person.dms.event(sent.dm_event_id, {
      expansions: ["attachments.media_keys"],
      mediaFields: ["url"],
    });
    const { bytes, mediaType } = await person.dms.downloadMedia(includes?.media?.[0]?.url ?? "");
    expect([bytes, mediaType]).toEqual([PICTURE, "image/png"]);
  },
  deleteEvent: async ({ bot, person, personId, word }) => {
    const { dm_event_id: id } = await bot.dms.send({ participantId: personId, text: word() });
    expect(await bot.dms.deleteEvent(id)).toEqual({ deleted: true });
    expect(await failureOf(bot.dms.event(id))).toMatchObject({ notFound: true });
    expect((await person.dms.event(id)).data.id).toBe(id);
  },
};

/** Creates a group of the bot, the person and one more user. */
async function group({ bot, personId, somebody, word }: Stage) {
  const { id, client: other } = await somebody();
  const text = word();
  const opened = await bot.dms.createGroup({ participantIds: [personId, id], message: { text } });
  return { conversationId: opened.dm_conversation_id, text, other };
}
