import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { SECRET } from "../secret.ts";
import { printPort } from "./print-port.ts";

/** The minimal server with node:http: raw body, signature, parsing, 200. It stores nothing. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const raw = Buffer.concat(chunks);
    const wanted = `sha256=${createHmac("sha256", SECRET).update(raw).digest("base64")}`;
    const signature = String(request.headers["x-platform-webhooks-signature"]);
    if (
      signature.length !== wanted.length ||
      !timingSafeEqual(Buffer.from(signature), Buffer.from(wanted))
    ) {
      response.writeHead(401).end();
      return;
    }
    JSON.parse(raw.toString("utf8"));
    response
      .writeHead(200, { "content-type": "application/json", "content-length": "2" })
      .end("{}");
  });
});
printPort(server);
