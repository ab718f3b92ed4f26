import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readSandboxFile, type SandboxFile } from "../../src/runtime/platform/sandbox-file.ts";
import { ControlClient } from "../../src/sandbox/control/client.ts";
import { run, type Running } from "../support/command-line.ts";
import { installed, started } from "../support/installed-example.ts";
import { when } from "../support/when.ts";

const DEVICE = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

let folder: string;
let dev: Running;
afterEach(async () => {
  await dev.end();
  await rm(folder, { recursive: true, force: true });
});

/** Starts an example on its sandbox. */
async function begun(
  example: string,
): Promise<{ readonly file: SandboxFile; readonly control: ControlClient }> {
  folder = await installed(example);
  dev = started(folder);
  await dev.until("Answerback is up.");
  const file = await readSandboxFile(join(folder, "data"));
  if (file === undefined) throw new Error("the sandbox has not started");
  return { file, control: new ControlClient(file.controlUrl, file.controlToken) };
}

describe("the examples of search and advertising, on the sandbox", () => {
  it("brand-watch hands a found complaint over, as its README says, and hides advertising", async () => {
    const { file, control } = await begun("brand-watch");
    const [ana] = file.people;
    await run(folder, "clock", "+1m");
    await run(folder, "send", "@ben", "--post", "my acme shoes are broken", "--wait", "1");
    const post = await control.act(file.bot.id, { type: "post", text: "New shoes!" });
    const reply = { type: "post", text: "free casino", in_reply_to: post.id } as const;
    const { id } = await control.act(ana?.id ?? "", reply);

    const listed = await when(async () => {
      await control.advance(60_000);
      const { out } = await run(folder, "escalations", "list");
      return out.includes("brand") ? out : undefined;
    });
    const hidden = await when(async () => {
      const { tables } = await control.get<{
        tables: { posts: readonly { readonly id: string; readonly hidden?: boolean }[] };
      }>("/state");
      return tables.posts.find((one) => one.id === id)?.hidden === true || undefined;
    });

    expect(listed).toContain("@ben: my acme shoes are broken");
    expect(hidden).toBe(true);
  });

  it("campaign sends more to a person who came by an ad", async () => {
    const { file, control } = await begun("campaign");
    const { account_id: accountId } = await control.post<{ account_id: string }>("/ads/accounts", {
      user_id: file.bot.id,
      name: "corner shop",
    });
    const { now } = await control.advance(0);
    await control.post("/ads/engagements", {
      account_id: accountId,
      app_store_identifier: "7",
      hashed_device_id: DEVICE,
      type: "CLICK",
      time: new Date(Date.parse(now) - 3_600_000).toISOString(),
    });
    await run(folder, "send", "@ana", `DEVICE-${DEVICE}`);
    const { out, err } = await run(folder, "send", "@ana", "SPRING-ROSE", "--wait", "5");

    expect(out, err).toBe(
      "@corner_shop: ROSE is yours: 15% off.\n" +
        "@corner_shop: You came by our ad, so here is more: with AD-THANKS it is 20%.\n",
    );
  });
});
