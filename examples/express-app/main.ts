import { mkdtemp, rm } from "node:fs/promises";
import express from "express";
import { openRuntime, webhookRouter } from "answerback";
import { startSandbox } from "answerback/sandbox";

const rules = `
version: 1
rules:
  - id: greet
    triggers: [dm.received]
    actions:
      - reply_dm: { text: "Hello, \${{ sender.name }}!" }
`;

// The shop. The bot's webhook comes before `express.json()`, because the signature is checked over the raw body.
const app = express();
const webhook = webhookRouter();
app.use(webhook);
app.use(express.json());
app.get("/", (_request, response) => void response.send("the shop"));
app.post("/orders", (request, response) => void response.status(201).json(request.body));

const port = Number(process.env["PORT"] ?? 3000);
const server = app.listen(port, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));

// The bot. The server must listen first: the platform calls a new webhook at once.
const sandbox = await startSandbox();
const data = await mkdtemp("express-app-");
const settings = { webhook: { listen: `127.0.0.1:${port}` } };
const runtime = await openRuntime({ sandbox, data, settings, webhook, rules: [{ text: rules }] });
const [bot] = (await runtime.status()).accounts;

const order = await fetch(`http://127.0.0.1:${port}/orders`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ item: "tea" }),
});
console.log("the shop takes an order:", await order.json());

const ana = await sandbox.control.user("ana", { name: "Ana" });
const answered = new Promise((resolve) => runtime.events.on("item-settled", resolve));
await sandbox.control.act(ana, { type: "dm", to: bot?.id ?? "", text: "hi" });
await answered;
const [item] = await runtime.outbox({ limit: 1 });
console.log(`@${bot?.username} answers:`, item?.action);

await runtime.stop();
await sandbox.close();
server.close();
await rm(data, { recursive: true });
