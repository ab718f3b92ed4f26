import { createHmac } from "node:crypto";
import { messageBody } from "./body.ts";
import { SECRET } from "./secret.ts";
import type { ServerName } from "./servers.ts";

/** A body, and the headers that prove its origin to the receiver. */
interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates `count` signed deliveries as raw requests, each with another event, in the form of `server`. */
export function prepare(server: ServerName, count: number, firstId: number): Buffer[] {
  return Array.from({ length: count }, (_, i) => {
    const { body, headers } = WAYS[server](10_000_000 + firstId + i);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(
      `POST /webhook HTTP/1.1\r\nhost: bot.example\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n${lines.join("")}\r\n${body}`,
    );
  });
}

/** Creates the same content in the form of the platform that each library serves. The sizes differ by a few bytes. */
const WAYS: Readonly<Record<ServerName, (id: number) => Delivery>> = {
  ours: plain,
  express: plain,
  "node-http": plain,
  octokit(id) {
    const body = JSON.stringify({ action: "opened", ...messageBody(id) });
    const signature = `sha256=${hmac(body, "hex")}`;
    const headers = {
      "x-github-event": "issues",
      "x-github-delivery": String(id),
      "x-hub-signature-256": signature,
    };
    return { body, headers };
  },
  bolt(id) {
    const event = { type: "message", channel: "C1", user: "U1", ts: `${id}.0`, ...messageBody(id) };
    const envelope = { type: "event_callback", team_id: "T1", api_app_id: "A1", event };
    const body = JSON.stringify({ ...envelope, event_id: `Ev${id}`, event_time: 1 });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = `v0=${hmac(`v0:${timestamp}:${body}`, "hex")}`;
    return {
      body,
      headers: { "x-slack-request-timestamp": timestamp, "x-slack-signature": signature },
    };
  },
  grammy(id) {
    const person = { id: 200, is_bot: false, first_name: "Ana" };
    const chat = { id: 200, type: "private", first_name: "Ana" };
    const message = { message_id: id, date: 1, chat, from: person, ...messageBody(id), text: "hi" };
    const body = JSON.stringify({ update_id: id, message });
    return { body, headers: { "x-telegram-bot-api-secret-token": SECRET } };
  },
};

function plain(id: number): Delivery {
  const body = JSON.stringify(messageBody(id));
  const headers = { "x-platform-webhooks-signature": `sha256=${hmac(body, "base64")}` };
  return { body, headers };
}

function hmac(text: string, encoding: "hex" | "base64"): string {
  return createHmac("sha256", SECRET).update(text).digest(encoding);
}
