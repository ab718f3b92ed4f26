import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DIALECTS } from "../../src/interface/dialects.ts";
import { world, type World } from "./support/world.ts";

describe.each(DIALECTS)("direct messages in the %s dialect", (dialect) => {
  let here: World;
  beforeAll(async () => {
    here = await world(dialect);
  });
  afterAll(() => here.close());

  it("go to a user, are read back by both, and are deleted", async () => {
    const sent = await here.bot.dms.send({ participantId: here.personId, text: "Hello." });
    const events = await here.person.dms.eventsWith(here.botId, {
      dmEventFields: ["sender_id", "created_at", "dm_conversation_id"],
    });
    expect(events.data[0]).toMatchObject({
      id: sent.dm_event_id,
      sender_id: here.botId,
      text: "Hello.",
      dm_conversation_id: sent.dm_conversation_id,
    });
    const { data } = await here.bot.dms.event(sent.dm_event_id);
    expect(data).toMatchObject({ event_type: "MessageCreate", text: "Hello." });
    expect((await here.bot.dms.events()).data[0]?.id).toBe(sent.dm_event_id);
    const inside = await here.bot.dms.eventsIn(sent.dm_conversation_id);
    expect(inside.data[0]?.id).toBe(sent.dm_event_id);
    expect(await here.bot.dms.deleteEvent(sent.dm_event_id)).toEqual({ deleted: true });
  });

  it("go to a group", async () => {
    const third = await here.sandbox.control.user(`carol_${dialect}`);
    const opened = await here.bot.dms.createGroup({
      participantIds: [here.personId, third],
      message: { text: "Welcome." },
    });
    const conversationId = opened.dm_conversation_id;
    const sent = await here.person.dms.sendTo({ conversationId, text: "Thanks." });
    expect(sent.dm_conversation_id).toBe(conversationId);
  });
});
