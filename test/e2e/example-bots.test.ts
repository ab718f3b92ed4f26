import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import express from "express";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { type Lab, startLab } from "../../src/testing/index.ts";
import { when } from "../support/when.ts";

const inExamples = (name: string): string =>
  fileURLToPath(new URL(`../../examples/${name}/config/answerback.yaml`, import.meta.url));
const modelRequest = z.object({
  model: z.string(),
  max_tokens: z.number(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
});

/** Local model endpoint: records its requests and answers questions. */
const requests: { authorization: string | undefined; body: z.infer<typeof modelRequest> }[] = [];
const questions = (): readonly string[] =>
  requests.map(({ body }) => body.messages.at(-1)?.content ?? "");
const model = express()
  .use(express.json())
  .post("/v1/chat/completions", (request, response) => {
    const body = modelRequest.parse(request.body);
    requests.push({ authorization: request.headers.authorization, body });
    const question = body.messages.at(-1)?.content ?? "";
    if (question.includes("hang")) return;
    if (question.includes("broken")) return void response.status(500).json({ error: "no" });
    const content = question.includes("weather")
      ? "HAND OVER: it is not about the shop"
      : `You said ${body.messages.length - 1} things.`;
    response.json({
      choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }],
    });
  });

let server: Server;
let lab: Lab;
beforeAll(async () => {
  server = await new Promise<Server>((resolve) => {
    const listening = model.listen(0, "127.0.0.1", () => resolve(listening));
  });
  const { port } = server.address() as AddressInfo;
  vi.stubEnv("ASSISTANT_URL", `http://127.0.0.1:${port}/v1`);
  vi.stubEnv("ASSISTANT_KEY", "k3y");
  vi.stubEnv("ASSISTANT_MODEL", "small");
  vi.stubEnv("ASSISTANT_ANSWERS_A_DAY", "3");
  vi.stubEnv("ASSISTANT_TIMEOUT_MS", "1500");
  lab = await startLab({ settings: inExamples("assistant"), environment: {} });
});
afterAll(async () => {
  await lab.stop();
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => void requests.splice(0));
afterEach(() => server.closeAllConnections());

const PERSON = "I'd better ask somebody. A person will write to you here.";
const inQueue = async (): Promise<number> => {
  const { store } = await lab.runtime.status();
  return store.escalations["support"] ?? 0;
};

describe("the assistant", () => {
  it("answers free text, with what was said before as the model's context", async () => {
    const ana = await lab.person("ana");

    expect(await ana.says("Do you ship to Norway?")).toEqual(["You said 1 things."]);
    expect(await ana.says("And how long does it take?")).toEqual(["You said 3 things."]);
    const [, second] = requests;
    expect(second?.authorization).toBe("Bearer k3y");
    expect(second?.body).toMatchObject({ model: "small", max_tokens: 300 });
    expect(second?.body.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      expect.stringMatching(/^system: You answer private messages for the Corner Shop/),
      "user: Do you ship to Norway?",
      "assistant: You said 1 things.",
      "user: And how long does it take?",
    ]);
  });

  it("asks for nobody more than so many answers a day, and begins anew the next", async () => {
    const ben = await lab.person("ben");
    for (const text of ["one", "two", "three"]) await ben.says(text);
    const before = await inQueue();

    expect(await ben.says("four")).toEqual([PERSON]);
    expect(await ben.says("five")).toEqual([]);
    expect(questions()).toEqual(["one", "two", "three"]);
    expect(await inQueue()).toBe(before + 1);
    await lab.advance("1d");
    // after a day the stored messages have expired, and the bot reads them from the platform
    expect(await ben.says("six")).toEqual(["You said 10 things."]);
  });

  it.each([
    { name: "cleo", says: "Will the weather be good?", why: "the model is not sure" },
    { name: "dora", says: "Is it broken?", why: "the endpoint fails" },
    { name: "emil", says: "Do you hang?", why: "the endpoint does not answer in time" },
  ])("hands over to a person and is silent then, where $why", async ({ name, says }) => {
    const person = await lab.person(name);
    const before = await inQueue();

    expect(await person.says(says)).toEqual([PERSON]);
    expect(await person.says("Hello?")).toEqual([]);
    expect(questions()).toEqual([says]);
    expect(await inQueue()).toBe(before + 1);
  });

  it("leaves to a person what a rule says is theirs", async () => {
    const finn = await lab.person("finn");

    expect(await finn.says("I have a complaint")).toEqual([
      "That is for a person; they read it today.",
    ]);
    expect(await finn.says("Do you ship to Norway?")).toEqual([]);
    expect(questions()).toEqual([]);
  });

  it("never asks twice, though it is killed while it asks", async () => {
    const gina = await lab.person("gina");
    const before = await inQueue();
    await lab.sandbox.control.act(gina.id, { type: "dm", to: lab.bot.id, text: "Do you hang?" });
    await when(() => (requests.length === 1 ? true : undefined));
    await lab.restart({ kill: true });

    expect(await lab.replies()).toMatchObject([{ to: "gina", text: PERSON }]);
    expect(questions()).toEqual(["Do you hang?"]);
    expect(await inQueue()).toBe(before + 1);
  });
});

describe("the quiz", () => {
  it("goes on between two questions over kill -9, with a score of each person", async () => {
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
  it("goes on with a tour over kill -9, below the post with which it began", async () => {
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
