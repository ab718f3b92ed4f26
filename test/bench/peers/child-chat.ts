/**
 * A bot of the Chat SDK alone, run in a Node process as its documentation describes. Arguments as JSON: the address of the
 * platform, the concurrency strategy and how far the platform's clock is ahead. Prints `ready`, and then reads the current clock
 * lead from stdin.
 */
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { createMemoryState } from "@chat-adapter/state-memory";
import { Chat } from "chat";
import * as z from "zod";
import { createClient } from "../../../src/index.ts";
import { answerEach } from "./desk.ts";
import { PlainAdapter } from "./plain-adapter.ts";

const parentOptions = z
  .object({
    port: z.number(),
    baseUrl: z.string(),
    account: z.string(),
    strategy: z.enum(["drop", "queue", "concurrent"]),
    aheadMs: z.number(),
    credentials: z.object({
      type: z.literal("oauth1"),
      consumerKey: z.string(),
      consumerSecret: z.string(),
      accessToken: z.string(),
      accessTokenSecret: z.string(),
    }),
  })
  .parse(JSON.parse(process.argv[2] ?? ""));

/** Clock for the SDK's state, whose entries expire: an hour of this benchmark passes on the sandbox's clock. */
let { aheadMs } = parentOptions;
const machineNow = Date.now;
Date.now = () => machineNow() + aheadMs;

const { baseUrl, credentials, account, strategy } = parentOptions;
const adapter = new PlainAdapter({
  client: createClient({ baseUrl, credentials }),
  consumerSecret: credentials.consumerSecret,
  account,
});
const chat = new Chat({
  userName: "desk",
  adapters: { plain: adapter },
  state: createMemoryState(),
  logger: "silent",
  // "drop" is the default
  ...(strategy !== "drop" && { concurrency: strategy }),
});
chat.onDirectMessage(answerEach);
await chat.initialize();

const server = createServer((request, response) => void adapter.answer(request, response));
server.listen(parentOptions.port, "127.0.0.1", () => process.stdout.write("ready\n"));
for await (const line of createInterface(process.stdin)) aheadMs = Number(line);
