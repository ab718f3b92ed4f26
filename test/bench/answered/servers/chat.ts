import { createServer } from "node:http";
import { createMemoryState } from "@chat-adapter/state-memory";
import { Chat } from "chat";
import { createClient } from "../../../../src/index.ts";
import { listen } from "../../../../src/system/listen.ts";
import { SECRET } from "../../ingest/secret.ts";
import { PlainAdapter } from "../../peers/plain-adapter.ts";
import { serveUsage } from "./usage.ts";

/** A bot of the Chat SDK with its state in memory. Argument: the platform's URL. */
const [baseUrl = ""] = process.argv.slice(2);
const credentials = {
  type: "oauth1",
  consumerKey: "bench",
  consumerSecret: SECRET,
  accessToken: "100-token",
  accessTokenSecret: "token-secret",
} as const;
const adapter = new PlainAdapter({
  client: createClient({ baseUrl, credentials }),
  consumerSecret: SECRET,
  account: "100",
});
const chat = new Chat({
  userName: "desk",
  adapters: { plain: adapter },
  state: createMemoryState(),
  logger: "silent",
  concurrency: "concurrent",
});
chat.onDirectMessage(async (thread, message) => {
  if (/\bopen\b/iu.test(message.text)) await thread.post("We open at nine.");
});
await chat.initialize();
const server = createServer((request, response) => void adapter.answer(request, response));
serveUsage(await listen(server, 0));
