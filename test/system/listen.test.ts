import { createServer } from "node:net";
import { expect, it } from "vitest";
import { listen } from "../../src/system/listen.ts";

it("takes an IPv6 address in brackets for an address, not for a name", async () => {
  // This address is reserved for documentation (RFC 3849), so no machine has it. A name would fail in `getaddrinfo`.
  const listening = listen(createServer(), 0, "[2001:db8::1]");

  await expect(listening).rejects.toMatchObject({ syscall: "listen" });
});
