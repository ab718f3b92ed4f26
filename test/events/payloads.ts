import { READ_EVENT_TYPES } from "../../src/events/activity-event-types.ts";
import { renderReplayStatus } from "../../src/sandbox/rendering/events/account-activity.ts";
import { startTestSandbox } from "../sandbox/support/test-sandbox.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Causes each kind of event on a sandbox. Returns all bodies that it delivered by both event interfaces. */
export async function deliveredPayloads(): Promise<object[]> {
  const test = await startTestSandbox({ settings: { limits: { enabled: false } } });
  try {
    const { control } = test.sandbox;
    const { bot, person } = test;
    const webhook_id = await test.subscribed();
    for (const event_type of READ_EVENT_TYPES) {
      await test.asBot("POST", "/2/activity/subscriptions", {
        event_type,
        filter: { user_id: bot },
        webhook_id,
      });
    }
    await control.changeUser(person, { description: "Writes", location: "Oslo", verified: true });
    const upload = async (category: string): Promise<string> => {
      const body = { media: PNG, media_category: category, media_type: "image/png" };
      const { body: answer } = await test.asBot("POST", "/2/media/upload", body);
      return (answer["data"] as { id: string }).id;
    };
    const picture = await upload("dm_image");
    await test.asBot("POST", `/2/dm_conversations/with/${person}/messages`, {
      text: "See $ACME",
      attachments: [{ media_id: picture }],
    });
    const text = "@hello_bot @bob see https://a.example/x #now $ACME";
    const said = await control.act(person, { type: "dm", to: bot, text });
    const third = await control.user("carla");
    const { body: group } = await test.asUser(person, "POST", "/2/dm_conversations", {
      conversation_type: "Group",
      participant_ids: [bot, third],
      message: { text: "hello all" },
    });
    const { dm_conversation_id } = group["data"] as { dm_conversation_id: string };
    const inGroup = `/2/dm_conversations/${dm_conversation_id}/messages`;
    await test.asBot("POST", inGroup, { text: "hello you two" });
    await control.act(person, { type: "typing", to: bot });
    await control.act(person, { type: "read", to: bot, last_event_id: said.id });
    const media = { media_ids: [await upload("tweet_image")] };
    const { body } = await test.asBot("POST", "/2/tweets", { text: "We are open $ACME", media });
    const { id } = body["data"] as { id: string };
    await control.act(person, { type: "post", text });
    await control.act(person, { type: "post", text: "Thanks", in_reply_to: id });
    await control.act(person, { type: "post", text: "Look, @hello_bot!", quote_of: id });
    await control.act(person, { type: "post", text: `@hello_bot ${"long ".repeat(100)}#end` });
    await control.act(person, { type: "repost", post_id: id });
    await control.act(person, { type: "like", post_id: id });
    for (const type of ["follow", "unfollow", "block", "unblock", "mute", "unmute"] as const) {
      await control.act(bot, { type, user_id: person });
    }
    await control.act(bot, { type: "delete", post_id: id });
    await control.advance(60_000);
    await control.revoke(bot, test.app.app_id);
    await control.advance(60_000);
    return [...test.received.map(({ body }) => body), renderReplayStatus(webhook_id, "1", true)];
  } finally {
    await test.close();
  }
}
