import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { generate } from "selfsigned";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
let servers: Server[];
beforeEach(async () => {
  fixture = await startTestSandbox();
  servers = [];
});
afterEach(async () => {
  await fixture.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a receiver with a certificate for `name`; returns its address and certificate. */
async function secure(name: string): Promise<{ target: string; ca: string }> {
  const pair = await generate([{ name: "commonName", value: name }], {
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: [{ type: 2, value: name }] },
    ],
  });
  const server = createServer({ key: pair.private, cert: pair.cert }, (request, response) => {
    const token = new URL(request.url ?? "", "https://x").searchParams.get("crc_token") ?? "";
    const hash = createHmac("sha256", fixture.app.consumer_secret).update(token).digest("base64");
    response.end(JSON.stringify({ response_token: `sha256=${hash}` }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { target: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca: pair.cert };
}

const register = (): ReturnType<TestSandbox["asApp"]> =>
  fixture.asApp("POST", "/2/webhooks", { url: "https://secure.example/hook" });

describe("a webhook host behind TLS", () => {
  it("passes its challenge when its certificate is listed and for the public name", async () => {
    const host = await secure("secure.example");
    await fixture.sandbox.control.call("PUT", "/hosts/secure.example", host);

    expect(await register()).toMatchObject({ status: 200, body: { data: { valid: true } } });
  });

  it("fails when its certificate is not trusted", async () => {
    const { target } = await secure("secure.example");
    await fixture.sandbox.control.call("PUT", "/hosts/secure.example", { target });

    expect(JSON.stringify((await register()).body)).toMatch(/CrcValidationFailed: .*reached/);
  });

  it("fails when its certificate is for another name", async () => {
    const host = await secure("another.example");
    await fixture.sandbox.control.call("PUT", "/hosts/secure.example", host);

    expect(JSON.stringify((await register()).body)).toContain("CrcValidationFailed");
  });
});
