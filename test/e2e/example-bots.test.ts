import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { startRecordedModel } from "../../examples/assistant/recorded/model.ts";
import { startShop } from "../../examples/assistant/tools/service.ts";
import { startLab } from "../../src/testing/index.ts";
import { botOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const inExamples = (name: string): string =>
  fileURLToPath(new URL(`../../examples/${name}/config/answerback.yaml`, import.meta.url));

describe("the assistant", () => {
  it("refunds once even with kill -9 of its process, and informs the person", async () => {
    const [model, shop] = await Promise.all([startRecordedModel(), startShop(0)]);
    const bot = await botOnSandbox({
      bots: [fileURLToPath(new URL("../../examples/assistant/bots/assistant.ts", import.meta.url))],
      env: { ASSISTANT_URL: model.url, SHOP_URL: shop.url },
    });
    await bot.startProcess();
    model.plays("refund", { stallsIn: "refund-answer" }, "refund-answer");
    const text = "The cup of A10001 is broken, money back please";
    await bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });
    await model.received(2);
    await bot.kill();
    await bot.startProcess();
    await when(async () => ((await bot.messagesTo("ana")).length > 0 ? true : undefined));
    await bot.quiet();

    expect(await bot.messagesTo("ana")).toEqual([
      "Order A10001 is refunded. I'd better ask somebody. A person will write to you here.",
    ]);
    expect(shop.refunds).toEqual(["A10001"]);
    expect(model.requests).toHaveLength(2);
    await bot.close();
    model.close();
    shop.close();
  });
});

describe("the quiz", () => {
  it("continues after kill -9 between two questions, with a score for each person", async () => {
    const quiz = await startLab({ settings: inExamples("quiz"), environment: {} });
    const [ana, ben] = [await quiz.person("ana"), await quiz.person("ben")];
    await ana.says("/quiz");
    await ben.says("/quiz");
    expect(await ana.says("Mercury")).toEqual(["Right! 2. How many strings has a violin?"]);
    await quiz.restart({ kill: true });

    expect(await ana.says("4")).toEqual(["Right! 3. What is the capital of Norway?"]);
    expect(await ana.says("oslo")).toEqual(["Right! 3 of 3. Your best: 3. The record: 3, by ana."]);
    expect(await ben.says("Venus")).toEqual([
      "No, it is mercury. 2. How many strings has a violin?",
    ]);
    expect(await ana.says("/score")).toEqual(["3 right in one game; your best is 3."]);
    await quiz.stop();
  });
});

describe("the guide of the Chat SDK", () => {
  it("continues a tour after kill -9, below the post that started it", async () => {
    const guide = await startLab({ settings: inExamples("chat-sdk"), environment: {} });
    const ana = await guide.person("ana");
    const { id: mention } = await guide.sandbox.control.act(ana.id, {
      type: "post",
      text: "@city_guide show me around",
    });
    expect(await guide.replies()).toMatchObject([
      { kind: "reply", to: "ana", text: expect.stringContaining("Welcome, ana!") },
    ]);
    await guide.restart({ kill: true });

    const goesOn = (text: string) => ana.posts(`@city_guide ${text}`, { inReplyTo: mention });
    expect(await goesOn("next")).toEqual([expect.stringContaining("Stop 1: the old harbour.")]);
    await goesOn("next");
    expect(await goesOn("done")).toEqual([
      expect.stringContaining("You saw the old harbour, the clock tower. Safe travels!"),
    ]);
    expect(await ana.says("when do you open?")).toEqual([
      "We open at nine. You wrote: when do you open?",
    ]);
    await guide.stop();
  });
});
