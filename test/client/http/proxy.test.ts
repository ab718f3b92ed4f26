import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { askForDate } from "../../../src/runtime/clock/platform-clock.ts";

const seen: { readonly target: string | undefined; readonly login: string | undefined }[] = [];
let proxy: Server;

beforeAll(async () => {
  proxy = createServer();
  proxy.on("connect", ({ url, headers }: IncomingMessage, socket: Socket) => {
    seen.push({ target: url, login: headers["proxy-authorization"] });
    socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void proxy.close());
beforeEach(() => {
  seen.length = 0;
  const { port } = proxy.address() as AddressInfo;
  vi.stubEnv("https_proxy", `http://ana:pw@127.0.0.1:${port}`);
  vi.stubEnv("no_proxy", "direct.test");
});
afterEach(() => vi.unstubAllEnvs());

const VIA_PROXY = { target: "api.platform.test:443", login: "Basic YW5hOnB3" };
const clientOf = (baseUrl: string) =>
  createClient({
    baseUrl,
    credentials: { type: "bearer", bearerToken: "t".repeat(20) },
    retry: false,
  });

describe("with the variable https_proxy", () => {
  it("the client calls the platform through the proxy, and its refusal means that nothing was sent", async () => {
    const client = clientOf("https://api.platform.test");

    await expect(client.users.byUsername("ana")).rejects.toMatchObject({
      name: "UnreachableError",
      sent: "no",
      message: expect.stringContaining("Proxy response (403)"),
    });
    expect(seen).toEqual([VIA_PROXY]);
    await client.close();
  });

  it("the clock asks the platform for its time through the proxy", async () => {
    await expect(askForDate("https://api.platform.test")).rejects.toMatchObject({
      cause: expect.anything(),
    });

    expect(seen).toEqual([VIA_PROXY]);
  });

  it("the client reports a value that is no proxy's URL", async () => {
    vi.stubEnv("https_proxy", "ftp://proxy.test");
    const client = clientOf("https://api.platform.test");

    await expect(client.users.byUsername("ana")).rejects.toMatchObject({
      sent: "no",
      message: expect.stringContaining("HTTPS_PROXY is not the URL of an HTTP proxy"),
    });
    await client.close();
  });

  it.each(["https://api.direct.test", "https://127.0.0.1:9", "http://localhost:9"])(
    "the client calls %s directly",
    async (baseUrl) => {
      const client = clientOf(baseUrl);

      await expect(client.users.byUsername("ana")).rejects.toMatchObject({ sent: "no" });
      expect(seen).toEqual([]);
      await client.close();
    },
  );
});
