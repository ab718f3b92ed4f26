import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const DEADLY = fileURLToPath(new URL("../fixtures/bots/deadly.ts", import.meta.url));

let bot: BotOnSandbox;
afterEach(() => bot.close());

const say = (person: "ana" | "ben", text: string): Promise<unknown> =>
  bot.sandbox.control.act(bot.people[person], { type: "dm", to: bot.file.bot.id, text });
const answered = (person: "ana" | "ben", count: number): Promise<string[]> =>
  when(async () => {
    const texts = await bot.messagesTo(person);
    return texts.length >= count ? texts : undefined;
  });

it("gives up an event that has ended the process five times, and answers everything else", async () => {
  bot = await botOnSandbox({ bots: [DEADLY] });
  await bot.startProcess();
  await say("ben", "before");
  await answered("ben", 1);

  await say("ana", "die");
  await bot.ended();
  let ends = 1;
  for (; ends < 7; ends += 1) {
    const isUp = await bot.startProcess().then(
      () => true,
      () => false,
    );
    if (isUp && (await Promise.race([bot.ended(), givenUp()])) === "given up") break;
  }

  expect(ends).toBe(5);
  await say("ana", "after");
  expect(await answered("ana", 1)).toEqual(["heard after"]);
  expect(await answered("ben", 1)).toEqual(["heard before"]);
  const [abandoned] = (await bot.status()).givenUp;
  expect(abandoned?.reason).toContain("the process ended 5 times");
  const row = (await bot.journal()).find(({ seq }) => seq === abandoned?.seq);
  expect(row?.runs).toMatchObject([{ owner: "bot:deadly", status: "failed" }]);
  expect(row?.runs[0]?.body).toContain("the process ended 5 times");
});

it("continues when a bot posts null to the runtime, names the bot, and does not repeat the event after a restart", async () => {
  bot = await botOnSandbox({ bots: [DEADLY] });
  await bot.startProcess();

  await say("ana", "post null");
  expect(await answered("ana", 1)).toEqual(["heard post null"]);
  const [deadly] = (await bot.status()).bots;
  expect(deadly).toMatchObject({
    name: "deadly",
    trouble: {
      faults: 1,
      latest: expect.stringContaining("parentPort.postMessage(null)"),
      place: DEADLY,
    },
  });
  await bot.kill();
  await bot.start();
  await say("ben", "hello");

  expect(await answered("ben", 1)).toEqual(["heard hello"]);
});

async function givenUp(): Promise<"given up" | "ended"> {
  return when(() =>
    bot.status().then(
      ({ givenUp: all, store }) =>
        all.length > 0 && store.runs.ready === 0 ? "given up" : undefined,
      () => "ended" as const,
    ),
  );
}
