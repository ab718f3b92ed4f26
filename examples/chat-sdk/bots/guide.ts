import { Chat, emoji } from "chat";
import { chatSdkBot, createAnswerbackAdapter, createAnswerbackState } from "answerback/chat-sdk";

/** Stored state of a thread: the sights that the tour has shown. */
interface Visit {
  stops: string[];
}

const SIGHTS = ["the old harbour", "the clock tower", "the tea market"];

const bot = new Chat<{ answerback: ReturnType<typeof createAnswerbackAdapter> }, Visit>({
  userName: "city_guide",
  adapters: { answerback: createAnswerbackAdapter() },
  state: createAnswerbackState(),
  logger: "warn",
});

bot.onNewMention(async (thread, message) => {
  await thread.subscribe();
  await thread.setState({ stops: [] });
  await thread.post(
    `Welcome, ${message.author.fullName}! Answer "next" for a sight, "done" to end the tour.`,
  );
});

bot.onSubscribedMessage(async (thread, message) => {
  const { stops } = (await thread.state) ?? { stops: [] };
  if (/\bdone\b/i.test(message.text)) {
    await thread.unsubscribe();
    await thread.adapter.addReaction(thread.id, message.id, emoji.heart);
    await thread.post({ markdown: `You saw **${stops.join(", ") || "nothing"}**. Safe travels!` });
    return;
  }
  const next = SIGHTS.find((sight) => !stops.includes(sight));
  if (next === undefined) {
    await thread.post("That was all of it.");
    return;
  }
  await thread.setState({ stops: [...stops, next] });
  await thread.post(`Stop ${stops.length + 1}: ${next}.`);
});

bot.onDirectMessage(async (thread, message) => {
  await thread.post(`We open at nine. You wrote: ${message.text}`);
});

export default chatSdkBot("guide", bot);
