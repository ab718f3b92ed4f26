import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const rules = (port: number) => `version: 1
rules:
  - id: order
    triggers: [dm.received]
    conditions: [{message.text: {starts_with: order}}]
    actions:
      - id: lookup
        http:
          method: POST
          url: http://127.0.0.1:${port}/orders/\${{ url(message.text) }}
          headers: {authorization: "Bearer \${{ secrets.ORDERS_TOKEN }}"}
          json: {asked_by: "\${{ sender.id }}"}
          expect_status: [200, 404]
        timeout: 5s
      - if: steps.lookup.status == 404
        then: [{reply: No such order.}]
        else: [{reply: "It is \${{ steps.lookup.json.state }}."}]
  - id: book
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: book}}]
    actions:
      - http:
          method: POST
          url: http://127.0.0.1:${port}/book
        on_error: [{reply: "Not sure: \${{ error.code }}."}, stop]
      - reply: Booked.
  - id: note
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: note}}]
    actions:
      - http: {method: PUT, url: "http://127.0.0.1:${port}/note"}
      - reply: Noted.
  - id: elsewhere
    triggers: [dm.received]
    conditions: [{message.text: elsewhere}]
    actions:
      - {id: other, http: {url: "http://127.0.0.1:1/"}, continue_on_error: true}
      - reply: "\${{ steps.other.ok }}: \${{ steps.other.error }}"
`;

describe("a rule that calls a service", () => {
  let bot: BotOnSandbox;
  let service: Server;
  const requests: { readonly url: string; readonly token: string; readonly key: string }[] = [];
  /** Paths to which the service never responds. */
  const hanging = new Set<string>();
  beforeAll(async () => {
    service = createServer((request, response) => {
      const { authorization = "", "idempotency-key": key } = request.headers;
      requests.push({ url: request.url ?? "", token: authorization, key: String(key) });
      if (hanging.has(request.url ?? "")) return;
      const isKnown = request.url?.endsWith("7") === true || request.method === "PUT";
      response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify({ state: "shipped" }));
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    const address = service.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const env = { ANSWERBACK_HTTP_ALLOW: `127.0.0.1:${port}`, ORDERS_TOKEN: "s3cr3t-token" };
    bot = await botOnSandbox({ rules: { "orders.yaml": rules(port) }, env });
    await bot.startProcess();
  });
  afterAll(async () => {
    await bot.close();
    service.close();
    service.closeAllConnections();
  });

  it("continues with its answer, and with an expected status", async () => {
    requests.splice(0);
    const ana = await bot.stranger("Ana");
    await ana.says("order 7");
    await ana.says("order 8");
    expect(await ana.answers(2)).toEqual(["It is shipped.", "No such order."]);
    expect(requests).toMatchObject([
      { url: "/orders/order%207", token: "Bearer s3cr3t-token" },
      { url: "/orders/order%208" },
    ]);
    expect(requests[0]?.key).toContain("order/actions[0]#1");
    expect(new Set(requests.map(({ key }) => key)).size).toBe(2);
  });

  it("sends nothing to a host that the settings don't name, and shows how to name it", async () => {
    const ana = await bot.stranger("Ana");
    await ana.says("elsewhere");
    expect(await ana.answers(1)).toEqual([
      'false: 127.0.0.1:1 is not in the settings: add it to  http: {allow: ["127.0.0.1:1"]}',
    ]);
  });

  it("repeats only idempotent requests after kill -9", async () => {
    const ana = await bot.stranger("Ana");
    const timesOf = (url: string) => requests.filter((one) => one.url === url).length;
    for (const url of ["/book", "/note"]) {
      hanging.add(url);
      await ana.says(url.slice(1));
      await when(async () => timesOf(url) > 0 || undefined);
    }

    await bot.kill();
    hanging.clear();
    await bot.start();
    const texts = await ana.answers(2);

    expect(texts.toSorted()).toEqual(["Not sure: unknown.", "Noted."]);
    expect([timesOf("/book"), timesOf("/note")]).toEqual([1, 2]);
  });

  it("keeps its secrets out of the store and the log", async () => {
    const ana = await bot.stranger("Ana");
    await ana.says("order 7");
    await ana.answers(1);

    expect(JSON.stringify(await bot.journal())).not.toContain("s3cr3t-token");
    expect(bot.log()).not.toContain("s3cr3t-token");
  });
});
