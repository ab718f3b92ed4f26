import { Chat } from "chat";
import { chatSdkBot, createAnswerbackAdapter, createAnswerbackState } from "answerback/chat-sdk";
import { answerEach } from "./desk.ts";

const bot = new Chat({
  userName: "desk",
  adapters: { answerback: createAnswerbackAdapter() },
  state: createAnswerbackState(),
  logger: "silent",
});
bot.onDirectMessage(answerEach);

export default chatSdkBot("desk", bot);
