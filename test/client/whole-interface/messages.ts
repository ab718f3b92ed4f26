import { expect } from "vitest";
import { failureOf } from "../support/world.ts";
import type { CallsOf, Stage } from "./stage.ts";

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
