import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openRuntime } from "../../src/host/open-runtime.ts";
import { signatureOf } from "../../src/runtime/webhook/signature.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { message } from "../support/wire.ts";

it("a delivery signed with the previous consumer secret is stored like any other", async () => {
  const data = await mkdtemp(join(tmpdir(), "answerback-test-"));
  const sandbox = await startSandbox();
  const runtime = await openRuntime({
    sandbox,
    data,
    environment: {},
    settings: { app: { previousConsumerSecret: "the-one-before" } },
  });
  try {
    const { webhook } = await runtime.status();
    const url = `http://${webhook.listen}${new URL(webhook.url).pathname}`;
    const statuses = await Promise.all(
      ["the-one-before", "some-other-secret"].map(async (secret, index) => {
        const body = JSON.stringify(message({ id: String(7_000 + index) }));
        const headers = { "x-platform-webhooks-signature": signatureOf(body, secret) };
        return (await fetch(url, { method: "POST", body, headers })).status;
      }),
    );

    expect(statuses).toEqual([200, 401]);
    expect(await runtime.journal()).toHaveLength(1);
  } finally {
    await runtime.stop();
    await sandbox.close();
    await rm(data, { recursive: true });
  }
});
