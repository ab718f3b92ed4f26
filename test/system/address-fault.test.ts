import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { addressFault } from "../../src/system/address-fault.ts";
import { listen } from "../../src/system/listen.ts";

const coded = (code: string): Error => Object.assign(new Error(`listen ${code}`), { code });

describe("the fault of an address", () => {
  it("is a busy port, which may be free later", async () => {
    const server = createServer();
    const at = { host: "127.0.0.1", port: await listen(server, 0) };
    const error = await listen(createServer(), at.port).catch((thrown: unknown) => thrown);
    await new Promise((resolve) => server.close(resolve));

    expect(addressFault(error, at, "metrics.listen")).toEqual({
      message: `port ${at.port} on 127.0.0.1 is busy`,
      hint: "end the program that listens there, or set metrics.listen to another port",
      retryable: true,
    });
  });

  it("is an address of another machine, which stays wrong", async () => {
    // This address is reserved for documentation (RFC 5737), so no machine has it.
    const at = { host: "192.0.2.1", port: 9464 };
    const error = await listen(createServer(), at.port, at.host).catch((thrown: unknown) => thrown);

    expect(addressFault(error, at, "metrics.listen")).toEqual({
      message: "192.0.2.1 is not an address of this machine",
      hint: "set metrics.listen to an address of this machine, such as 127.0.0.1:9464",
      retryable: false,
    });
  });

  it.each([
    {
      code: "EACCES",
      host: "0.0.0.0",
      message: "this user may not listen on port 443 of 0.0.0.0",
      hint: "set webhook.listen to a port above 1023, such as 0.0.0.0:8443; a proxy at the public address forwards to it",
      retryable: false,
    },
    {
      code: "ENOTFOUND",
      host: "bot.example",
      message: "the name bot.example has no address",
      hint: "set webhook.listen to an address of this machine, such as 127.0.0.1:8443; a proxy at the public address forwards to it",
      retryable: false,
    },
    {
      code: "EAI_AGAIN",
      host: "bot.example",
      message: "no server can listen at bot.example:443: listen EAI_AGAIN",
      hint: "set webhook.listen to an address of this machine, such as 127.0.0.1:8443; a proxy at the public address forwards to it",
      retryable: true,
    },
  ])("has its advice for $code", ({ code, host, ...fault }) => {
    expect(addressFault(coded(code), { host, port: 443 }, "webhook.listen")).toEqual(fault);
  });
});
