import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { startLab } from "answerback/testing";

/** Stands for the endpoint on this machine: says how much it was told, or nothing at all. */
const questions = [];
const model = createServer(async (request, response) => {
  let text = "";
  for await (const piece of request) text += piece;
  const { messages } = JSON.parse(text);
  const question = messages.at(-1).content;
  questions.push(question);
  if (question === "Do you hang?") return;
  const content =
    question === "Will it rain?" ? "HAND OVER: not about the shop" : `Turn ${messages.length - 1}.`;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] }));
});

let lab;
before(async () => {
  await new Promise((resolve) => model.listen(0, "127.0.0.1", resolve));
  process.env.ASSISTANT_URL = `http://127.0.0.1:${model.address().port}/v1`;
  lab = await startLab({ settings: "config/answerback.yaml" });
});
after(async () => {
  await lab.stop();
  model.closeAllConnections();
  model.close();
});

const PERSON = "I'd better ask somebody. A person will write to you here.";

test("the model is told what was said before", async () => {
  const ana = await lab.person("ana");

  assert.deepEqual(await ana.says("Do you ship to Norway?"), ["Turn 1."]);
  assert.deepEqual(await ana.says("And to Iceland?"), ["Turn 3."]);
});

test("where the model is not sure, a person takes over and the bot is silent", async () => {
  const ben = await lab.person("ben");

  assert.deepEqual(await ben.says("Will it rain?"), [PERSON]);
  assert.deepEqual(await ben.says("Hello?"), []);
});

test("a crash while the model is asked does not ask it again", async () => {
  const { id } = await lab.person("cleo");
  const asked = new Promise((resolve) => model.once("request", resolve));
  await lab.sandbox.control.act(id, { type: "dm", to: lab.bot.id, text: "Do you hang?" });
  await asked;
  await lab.restart({ kill: true });

  const replies = await lab.replies();
  assert.deepEqual(
    replies.map(({ to, text }) => [to, text]),
    [["cleo", PERSON]],
  );
  assert.equal(questions.filter((question) => question === "Do you hang?").length, 1);
});
