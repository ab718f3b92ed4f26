import { createHmac, timingSafeEqual } from "node:crypto";
import express from "express";
import { SECRET } from "../secret.ts";

/** A typical express webhook: raw body, signature, parsing, 200. It stores nothing. */
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
    JSON.parse(raw.toString("utf8"));
    response.status(200).json({});
  },
);
const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" && address !== null ? address.port : 0}\n`);
});
