import type { Server } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { SECRET } from "../secret.ts";

/** The part of Bolt for JS that is used. */
interface Bolt {
  readonly App: new (options: object) => {
    event(name: "message", handle: () => Promise<void>): void;
    start(options: { port: number; host: string }): Promise<Server>;
  };
  readonly HTTPReceiver: new (options: object) => object;
}

/** Bolt for JS as in its manual: verifies, parses and calls an empty handler. It stores nothing. */
const load = createRequire(join(process.argv[2] ?? "", "package.json"));
const { App, HTTPReceiver }: Bolt = load("@slack/bolt");
const receiver = new HTTPReceiver({
  signingSecret: SECRET,
  endpoints: ["/webhook"],
  logLevel: "error",
});
const app = new App({
  receiver,
  logLevel: "error",
  authorize: async () => ({ botToken: "xoxb-1", botId: "B1", botUserId: "U9" }),
});
app.event("message", async () => {});
const server = await app.start({ port: 0, host: "127.0.0.1" });
const address = server.address();
process.stdout.write(`${typeof address === "object" && address !== null ? address.port : 0}\n`);
