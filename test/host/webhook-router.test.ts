import { createServer, type Server } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  openRuntime,
  type Runtime,
  type RuntimeOptions,
  webhookRouter,
  type WebhookRouter,
} from "../../src/index.ts";
import { openLog } from "../../src/runtime/log.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { listen } from "../../src/system/listen.ts";
import { when } from "../support/when.ts";

const GREET = `version: 1
rules:
  - id: greet
    triggers: [dm.received]
    actions:
      - reply_dm: { text: "Hello!" }
`;

let data: string;
let sandbox: RunningSandbox;
let servers: Server[];
let runtime: Runtime | undefined;
let logged: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "router-"));
  sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
  servers = [];
  runtime = undefined;
  logged = "";
});
afterEach(async () => {
  await runtime?.stop();
  await sandbox.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(data, { recursive: true });
});

async function serve(handler: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer(handler);
  servers.push(server);
  return listen(server, 0);
}

async function open(port: number, webhook?: WebhookRouter): Promise<Runtime> {
  const options: RuntimeOptions = {
    sandbox,
    data,
    rules: [{ text: GREET }],
    settings: { webhook: { listen: `127.0.0.1:${port}` } },
    environment: {},
    log: openLog({
      level: "error",
      destination: { write: (line: string) => void (logged += line) },
    }),
    ...(webhook === undefined ? {} : { webhook }),
  };
  runtime = await openRuntime(options);
  return runtime;
}

/** Makes a person write to the bot, and waits until the bot's answer is sent. Returns its status in the outbox. */
async function statusOfAnswer(to: Runtime): Promise<string> {
  const [bot] = (await to.status()).accounts;
  const ana = await sandbox.control.user("ana");
  await sandbox.control.act(ana, { type: "dm", to: bot?.id ?? "", text: "hi" });
  return when(async () => (await to.outbox()).find(({ status }) => status === "sent")?.status);
}

const signature = `sha256=${"A".repeat(43)}=`;
const deliver = (port: number, path = "/webhook"): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-platform-webhooks-signature": signature },
    body: "{}",
  });

describe("webhookRouter", () => {
  it("answers the platform in an express app, before its body parser and beside its routes", async () => {
    const webhook = webhookRouter();
    const app = express();
    app.use("/mounted", webhook).use(webhook, express.json());
    app.post("/orders", (request, response) => void response.json(request.body));
    const port = await serve(app);
    const bot = await open(port, webhook);

    expect((await bot.status()).missing).toEqual([]);
    expect(await statusOfAnswer(bot)).toBe("sent");
    const order = await fetch(`http://127.0.0.1:${port}/orders`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"item":"tea"}',
    });
    expect(await order.json()).toEqual({ item: "tea" });
  });

  it("answers in a plain server, and passes other paths on or answers them with 404", async () => {
    const webhook = webhookRouter();
    const port = await serve((request, response) => {
      if (request.url === "/own") webhook(request, response, () => response.end("own"));
      else webhook(request, response);
    });
    const bot = await open(port, webhook);

    expect(await statusOfAnswer(bot)).toBe("sent");
    expect(await (await fetch(`http://127.0.0.1:${port}/own`)).text()).toBe("own");
    expect((await fetch(`http://127.0.0.1:${port}/elsewhere`)).status).toBe(404);
    expect((await deliver(port)).status).toBe(401);
  });

  it("answers only the platform with 503 before the runtime opens and after it stops", async () => {
    const webhook = webhookRouter();
    const port = await serve((request, response) =>
      webhook(request, response, () => response.end("own")),
    );
    const challenge = `http://127.0.0.1:${port}/webhook?crc_token=a`;

    expect([(await deliver(port)).status, (await fetch(challenge)).status]).toEqual([503, 503]);
    const bot = await open(port, webhook);
    expect((await fetch(challenge)).status).toBe(200);
    await bot.stop();
    const refused = await deliver(port);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("own");
  });

  it("names the correction when a body parser comes before it", async () => {
    const webhook = webhookRouter();
    const port = await serve(express().use(express.json(), webhook));
    await open(port, webhook);
    const answer = await deliver(port);

    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      error: expect.stringContaining("mount webhookRouter before express.json()"),
    });
    expect(logged).toContain("mount webhookRouter before express.json()");
  });

  it("checks the signature over the bytes that a parser has stored as rawBody", async () => {
    const webhook = webhookRouter();
    const verify = (request: object, _response: unknown, rawBody: Buffer): void =>
      void Object.assign(request, { rawBody });
    const port = await serve(express().use(express.json({ verify }), webhook));
    const bot = await open(port, webhook);

    expect(await statusOfAnswer(bot)).toBe("sent");
    expect((await deliver(port)).status).toBe(401);
  });

  it("of an open runtime answers beside the runtime's own server", async () => {
    const bot = await open(0);
    const port = await serve(express().use(webhookRouter(bot)));

    expect((await fetch(`http://127.0.0.1:${port}/webhook?crc_token=a`)).status).toBe(200);
    expect(await statusOfAnswer(bot)).toBe("sent");
  });

  it("needs the address of the server if the sandbox shall call it", async () => {
    await expect(open(0, webhookRouter())).rejects.toMatchObject({
      code: "usage",
      hint: expect.stringContaining("set webhook.listen to the address of your server"),
    });
  });
});
