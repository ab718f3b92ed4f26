import { createServer, request as forward, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
let proxy: Server;
/** `Host` of every request that the proxy has received. */
let askedHosts: (string | undefined)[];
beforeEach(async () => {
  fixture = await startTestSandbox();
  askedHosts = [];
  proxy = proxyBefore({ "bot.example": fixture.target });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const target = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  for (const host of ["bot.example", "shop.example"])
    await fixture.sandbox.control.host(host, target);
});
afterEach(async () => {
  await fixture.close();
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});

/** Creates a proxy with several sites, which selects a site by the `Host` header and answers 421 for unknown names. */
function proxyBefore(sites: Readonly<Record<string, string>>): Server {
  return createServer((incoming, outgoing) => {
    askedHosts.push(incoming.headers.host);
    const site = sites[incoming.headers.host ?? ""];
    if (site === undefined) {
      outgoing.writeHead(421).end();
      return;
    }
    const { method, headers, url = "/" } = incoming;
    const passed = forward(new URL(url, site), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
}

describe("a mapped host behind a proxy with several sites", () => {
  it("gets challenges and deliveries under its public name", async () => {
    await fixture.subscribed();
    const { person, bot, sandbox } = fixture;
    await sandbox.control.act(person, { type: "dm", to: bot, text: "hello" });
    await fixture.idle();

    expect(fixture.received.map(({ headers }) => headers.host)).toEqual(["bot.example"]);
    expect(askedHosts).toEqual(["bot.example", "bot.example"]);
  });

  it("fails its challenge when the proxy has no site of its name", async () => {
    const { body } = await fixture.asApp("POST", "/2/webhooks", { url: "https://shop.example/a" });

    expect(JSON.stringify(body)).toMatch(/CrcValidationFailed: .*status 421/);
    expect(askedHosts).toEqual(["shop.example"]);
  });
});
