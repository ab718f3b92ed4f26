import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fetch } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import { signatureOf } from "../../src/runtime/webhook/signature.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";
import * as wire from "../support/wire.ts";

const HOURS = `version: 1
rules:
  - id: hours
    triggers: [dm.received]
    actions: [{reply_dm: {text: "We open at nine."}}]
`;
const ONCE_AN_HOUR = HOURS.replace("actions:", "cooldown: {per: rule, for: 1h}\n    actions:");
const PATIENT = fileURLToPath(new URL("../fixtures/bots/patient.ts", import.meta.url));

let bot: BotOnSandbox;
afterEach(() => bot.close());

describe("a rule's cooldown over all people", () => {
  /** Sends one delivery with a message from each person, signed like a delivery of the platform. */
  async function deliver(people: readonly string[]): Promise<void> {
    const { webhook, now } = await bot.status();
    const account = bot.file.bot.id;
    const at = Date.parse(now);
    const messages = people.flatMap((from, n) => {
      const one = wire.message({ id: String(9_000 + n), from, to: account, account, at });
      return one.direct_message_events;
    });
    const body = JSON.stringify({
      ...wire.message({ to: account, account, at }),
      direct_message_events: messages,
      users: {},
    });
    const answer = await fetch(`http://${webhook.listen}/webhook`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-platform-webhooks-signature": signatureOf(body, bot.file.app.consumerSecret),
      },
      body,
    });
    expect(answer.status).toBe(200);
  }

  const answered = async (people: readonly string[]): Promise<string[]> => {
    const texts = await Promise.all(people.map((id) => bot.messagesTo(id)));
    return people.filter((_, place) => (texts[place]?.length ?? 0) > 0);
  };

  const twenty = (): Promise<string[]> =>
    Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        bot.sandbox.control.user(`person_${n}`, { name: `P${n}` }),
      ),
    );

  it("answers one of twenty whose messages come in one delivery", async () => {
    bot = await botOnSandbox({ rules: { "hours.yaml": ONCE_AN_HOUR } });
    const people = await twenty();
    await bot.start();

    await deliver(people);
    await bot.quiet();

    expect(await bot.journal()).toHaveLength(21);
    expect(await answered(people)).toHaveLength(1);
  });

  it("answers one of them also when the process is killed while it decides", async () => {
    bot = await botOnSandbox({ rules: { "hours.yaml": ONCE_AN_HOUR } });
    const people = await twenty();
    await bot.startProcess();
    await deliver(people);
    await bot.kill();
    await bot.startProcess();
    await bot.kill();

    await bot.start();
    await bot.quiet();

    expect((await bot.items()).length).toBe(1);
    expect((await answered(people)).length).toBeLessThanOrEqual(1);
    const decided = (await bot.journal()).filter(({ kind }) => kind === "message");
    expect(decided.filter(({ state }) => state === "open")).toEqual([]);
  });
});

describe("a bot that takes its time", () => {
  it("holds up no rule: its answer is out while the bot is still at it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "patient-"));
    bot = await botOnSandbox({
      rules: { "hours.yaml": HOURS },
      bots: [PATIENT],
      env: { PATIENT_FOLDER: folder },
    });
    await bot.startProcess();
    const { control } = bot.sandbox;
    await control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text: "hours?" });
    await when(() => (existsSync(join(folder, "waiting")) ? true : undefined));

    await when(async () => ((await bot.messagesTo("ana")).length > 0 ? true : undefined));
    expect(await bot.messagesTo("ana")).toEqual(["We open at nine."]);
    expect((await bot.status()).store.runs.ready).toBe(1);

    await writeFile(join(folder, "go"), "");
    await bot.quiet();
    expect(await bot.messagesTo("ana")).toEqual(["We open at nine.", "patiently: hours?"]);
    await rm(folder, { recursive: true });
  });
});
