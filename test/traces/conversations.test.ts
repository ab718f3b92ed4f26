import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerByHandBody } from "../../src/events/kinds/answer-by-hand.ts";
import { traceRows } from "../../src/insight/traces/rows.ts";
import { traceOf } from "../../src/insight/traces/trace-of.ts";
import { conversationIn } from "../../src/insight/traces/conversations/conversation.ts";
import { conversations } from "../../src/insight/traces/conversations/conversations.ts";
import * as wire from "../support/wire.ts";
import { ruleBot, type RuleBot } from "./world.ts";

const RULES = `version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hours}}]
    actions: [{reply_dm: "9 to 5"}]
  - id: person
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: human}}]
    actions: [{escalate: {queue: help, note: please}}, {reply_dm: A person comes.}]
  - id: note
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: note}}]
    actions: [{log: noted}]
  - id: slow
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: slow}}]
    actions: [{delay: 1h}, {reply_dm: done}]
`;

let bot: RuleBot;
let last: number;
beforeEach(async () => {
  last = 0;
  bot = await ruleBot([RULES], (text) => (text === "done" ? "the platform is away" : undefined));
});
afterEach(() => bot.close());

const says = async (text: string, from: string): Promise<void> => {
  last += 1;
  await bot.hears(wire.message({ id: String(last), text, from, at: bot.now }));
  await bot.after(1_000);
};

describe("the list of conversations", () => {
  beforeEach(async () => {
    await says("slow", "400");
    await bot.after(3_600_000);
    await says("hours?", "200");
    await says("good morning", "300");
    await says("slow", "200");
    await says("human", "500");
    await bot.hears(wire.typing());
  });

  it("lists each person once, ordered by their last message, the latest first", async () => {
    const { rows, next } = await conversations(bot.needs);

    expect(rows.map(({ lane, text, state }) => [lane, text, state])).toEqual([
      ["100/500", "human", "escalated"],
      ["100/200", "slow", "waiting"],
      ["100/300", "good morning", "unanswered"],
      ["100/400", "slow", "failed"],
    ]);
    expect(next).toBeUndefined();
    expect(rows[2]).toMatchObject({
      outcome: { word: "no-match", reason: "no rule matched" },
      account: { id: "100", username: "hello_bot" },
    });
  });

  it("counts a message as unanswered if a rule ran for it without sending anything", async () => {
    await says("note", "600");

    const { rows } = await conversations(bot.needs, { text: "600" });

    expect(rows).toMatchObject([{ state: "unanswered", outcome: { word: "acted" } }]);
  });

  it.each([
    [{ states: ["unanswered", "failed"] as const }, ["100/300", "100/400"]],
    [{ text: "MORN" }, ["100/300"]],
    [{ text: "ＭＯＲＮ" }, ["100/300"]],
    [{ text: "500" }, ["100/500"]],
    [{ text: "nobody" }, []],
  ])("is filtered by %j", async (query, lanes) => {
    const { rows } = await conversations(bot.needs, query);

    expect(rows.map(({ lane }) => lane)).toEqual(lanes);
  });

  it("is returned in pages, with each conversation on one page", async () => {
    const first = await conversations(bot.needs, { limit: 2 });
    const second = await conversations(bot.needs, { limit: 2, before: first.next ?? 0 });
    const third = await conversations(bot.needs, { limit: 2, before: second.next ?? 0 });

    expect([...first.rows, ...second.rows].map(({ lane }) => lane)).toEqual([
      "100/500",
      "100/200",
      "100/300",
      "100/400",
    ]);
    expect(third.rows).toEqual([]);
  });
});

describe("a conversation", () => {
  it("contains messages and answers in order, each with its outcome", async () => {
    await says("hours?", "200");
    await says("good morning", "200");
    await says("hello", "300");
    const [sent] = await bot.needs.outbox({ lane: "100/200", limit: 1 });
    await bot.hears(
      wire.message({
        id: sent?.platformId ?? "",
        from: "100",
        to: "200",
        text: "9 to 5",
        at: bot.now,
      }),
    );

    const conversation = await conversationIn(bot.needs, "100/200");

    expect(conversation).toMatchObject({
      person: { id: "200", username: "ana" },
      account: { username: "hello_bot" },
      turns: [
        { kind: "said", text: "hours?", outcome: { word: "answered" } },
        { kind: "answer", by: "rule hours", text: "9 to 5", status: "sent" },
        { kind: "said", text: "good morning", outcome: { word: "no-match" } },
      ],
      escalations: [],
    });
    expect(conversation).not.toHaveProperty("earlier");
  });

  it("counts a message that an operator answered by hand as answered, and names the operator", async () => {
    bot = await ruleBot([RULES], (text) => (text === "lost" ? "the platform is away" : undefined));
    const byHand = async (text: string, key: string): Promise<void> => {
      const [entry] = await bot.needs.journal({ limit: 1 });
      await bot.hears(
        answerByHandBody("100", {
          key,
          text,
          by: "Kim/Lee #2",
          to: "200",
          username: "ana",
          at: bot.now,
          answers: entry?.seq ?? 0,
        }),
      );
      await bot.after(1_000);
    };
    const wordsOf = async () => {
      const { turns } = await conversationIn(bot.needs, "100/200");
      return turns.flatMap((one) => (one.kind === "said" ? one.outcome.word : []));
    };
    await says("hours?", "200");
    await says("good morning", "200");
    await says("note this", "200");
    await says("slow", "200");
    expect(await wordsOf()).toEqual(["answered", "no-match", "acted", "waiting"]);

    await byHand("lost", "1");
    expect(await wordsOf()).toEqual(["answered", "error", "error", "waiting"]);
    expect((await conversations(bot.needs)).rows[0]).toMatchObject({ state: "waiting" });
    await says("anybody?", "200");
    await byHand("Here I am.", "2");

    expect(await wordsOf()).toEqual(["answered", "answered", "answered", "waiting", "answered"]);
    const { rows } = await conversations(bot.needs);
    expect(rows[0]).toMatchObject({
      state: "answered",
      outcome: { reason: "answered by hand by Kim/Lee #2: message to @ana: Here I am." },
    });
    const { turns, answerable } = await conversationIn(bot.needs, "100/200");
    expect(turns.at(-1)).toMatchObject({
      kind: "answer",
      by: "hand by Kim/Lee #2",
      operator: "Kim/Lee #2",
      status: "sent",
    });
    const question = turns.find((one) => one.kind === "said" && one.text === "anybody?");
    expect(answerable).toEqual({
      ...(question?.kind === "said" && { seq: question.seq }),
      as: "reply_dm",
    });
    const traced = await traceRows(bot.needs);
    expect(traced.rows.map(({ outcome }) => outcome.word)).toEqual([
      "answered",
      "answered",
      "error",
      "waiting",
      "answered",
      "answered",
      "answered",
    ]);
    const [morning] = await bot.needs.journal({ key: "message:2", limit: 1 });
    expect((await traceOf(bot.needs, morning?.seq ?? 0)).outcome.word).toBe("answered");
    await says("good night", "200");
    expect(await wordsOf()).toContain("no-match");
  });

  it("contains hand-overs, and how to send unsent answers", async () => {
    await says("human", "500");
    await says("slow", "500");
    await bot.after(3_600_000);

    expect(await conversationIn(bot.needs, "100/500")).toMatchObject({
      turns: [
        { kind: "said" },
        { kind: "answer", status: "sent" },
        { kind: "said", outcome: { word: "error" } },
        { kind: "answer", status: "failed", repair: { does: { kind: "retry-item" } } },
      ],
      escalations: [{ queue: "help", note: "please" }],
    });
  });

  it("contains an open hand-over that is older than the account's latest 1,000", async () => {
    await says("human", "500");
    const [old] = await bot.needs.escalations({ account: "100" });
    if (old === undefined) throw new Error("nothing was handed over");
    const others = Array.from({ length: 1_000 }, (_, n) => ({
      ...old,
      id: 2_000 - n,
      seq: 5_000,
      lane: "100/600",
    }));
    const escalations: typeof bot.needs.escalations = async ({ person, before = Infinity }) =>
      [...others, old]
        .filter(
          ({ id, lane }) =>
            id < Number(before) && (person === undefined || lane === `100/${person}`),
        )
        .slice(0, 1_000);
    const needs = { ...bot.needs, escalations };

    expect((await conversationIn(needs, "100/500")).escalations).toEqual([old]);
    expect((await traceOf(needs, 1)).escalations).toEqual([old]);
  });

  it("is returned in pages, each with its own messages and their answers", async () => {
    for (let n = 0; n < 250; n += 1) await says("hours?", "200");
    const pages: (readonly string[])[] = [];
    let before: number | undefined;
    do {
      const { turns, earlier } = await conversationIn(bot.needs, "100/200", before);
      pages.push(turns.map((turn) => (turn.kind === "said" ? turn.outcome.word : turn.kind)));
      before = earlier;
    } while (before !== undefined);

    const page = Array.from({ length: 50 }, () => ["answered", "answer"]).flat();
    expect(pages).toEqual([page, page, page, page, page]);
  });

  it("shows on an earlier page what an operator answered later", async () => {
    await says("good morning", "200");
    for (let n = 0; n < 50; n += 1) await says("note", "200");
    const { earlier = 0 } = await conversationIn(bot.needs, "100/200");
    const [entry] = await bot.needs.journal({ limit: 1 });
    const writer = { by: "Kim", to: "200", username: "ana", at: bot.now, answers: entry?.seq ?? 0 };
    await bot.hears(answerByHandBody("100", { key: "1", text: "Good morning!", ...writer }));

    const { turns } = await conversationIn(bot.needs, "100/200", earlier);
    expect(turns).toMatchObject([{ text: "good morning", outcome: { word: "answered" } }]);
  });

  it("that does not exist is reported", async () => {
    await expect(conversationIn(bot.needs, "100/999")).rejects.toThrow(
      "there is no conversation 100/999",
    );
  });
});
