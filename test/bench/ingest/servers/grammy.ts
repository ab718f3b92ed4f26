import { createServer, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { SECRET } from "../secret.ts";
import { printPort } from "./print-port.ts";

/** The part of grammY that is used. */
interface Grammy {
  readonly Bot: new (
    token: string,
    options: { botInfo: object },
  ) => {
    on(filter: "message", handle: () => void): void;
  };
  readonly webhookCallback: (
    bot: object,
    adapter: "http",
    options: { secretToken: string },
  ) => RequestListener;
}

/** grammY as in its manual. Telegram does not sign deliveries; a header has a secret. It stores nothing. */
const load = createRequire(join(process.argv[2] ?? "", "package.json"));
const { Bot, webhookCallback }: Grammy = load("grammy");
const botInfo = { id: 1, is_bot: true, first_name: "Hello", username: "hello_bot" };
const bot = new Bot("1:token", { botInfo });
bot.on("message", () => {});
printPort(createServer(webhookCallback(bot, "http", { secretToken: SECRET })));
