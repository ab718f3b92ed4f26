import { createHmac, timingSafeEqual } from "node:crypto";
import express from "express";
import OAuth from "oauth-1.0a";
import { Agent, request as send } from "undici";
import * as z from "zod";
import { SECRET } from "../../ingest/secret.ts";
import { serveUsage } from "./usage.ts";

/**
 * The bot of this benchmark, written by hand: express receives the delivery, oauth-1.0a signs the message, undici sends
 * it. Nothing is stored. Argument: the platform's URL.
 */
const [baseUrl = ""] = process.argv.slice(2);
const signing = new OAuth({
  consumer: { key: "bench", secret: SECRET },
  signature_method: "HMAC-SHA1",
  hash_function: (text, key) => createHmac("sha1", key).update(text).digest("base64"),
});
const token = { key: "100-token", secret: "token-secret" };
const dispatcher = new Agent({ connections: 64 });
const delivered = z.object({
  for_user_id: z.string(),
  direct_message_events: z.array(
    z.object({
      message_create: z.object({
        sender_id: z.string(),
        message_data: z.object({ text: z.string() }),
      }),
    }),
  ),
});

async function reply(person: string): Promise<void> {
  const url = `${baseUrl}/2/dm_conversations/with/${person}/messages`;
  const authorization = signing.toHeader(signing.authorize({ url, method: "POST" }, token));
  const { body } = await send(url, {
    dispatcher,
    method: "POST",
    headers: { authorization: authorization.Authorization, "content-type": "application/json" },
    body: JSON.stringify({ text: "We open at nine." }),
  });
  await body.json();
}

const app = express();
app.post(
  "/webhook",
  express.raw({ type: "application/json", limit: "4mb" }),
  (request, response) => {
    const raw: unknown = request.body;
    if (!Buffer.isBuffer(raw)) return void response.sendStatus(400);
    const wanted = `sha256=${createHmac("sha256", SECRET).update(raw).digest("base64")}`;
    const signature = request.get("x-platform-webhooks-signature") ?? "";
    if (
      signature.length !== wanted.length ||
      !timingSafeEqual(Buffer.from(signature), Buffer.from(wanted))
    ) {
      return void response.sendStatus(401);
    }
    const events = delivered.parse(JSON.parse(raw.toString("utf8")));
    for (const { message_create: message } of events.direct_message_events) {
      const { sender_id: person, message_data: said } = message;
      if (person === events.for_user_id || !/\bopen\b/iu.test(said.text)) continue;
      reply(person).catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
    }
    response.status(200).json({});
  },
);
const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  serveUsage(typeof address === "object" && address !== null ? address.port : 0);
});
