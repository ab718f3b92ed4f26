import { describe, expect, it } from "vitest";
import { hoursOf } from "../../../src/config/settings.ts";
import { answerByHandBody } from "../../../src/events/kinds/answer-by-hand.ts";
import { when } from "../../support/when.ts";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { folderPlace } from "../store/place.ts";
import { postgresPlace } from "../store/postgres-place.ts";
import { worldOfEach } from "./bot-world.ts";

const RULES = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: order}}]
    actions:
      - ask: {text: "Which number?", within: 15m}
      - reply_dm: Thanks.
  - id: everything
    triggers: [dm.received]
    fallback: true
    actions: [{reply_dm: "Sorry?"}]
  - id: human
    interrupts: true
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: human}}]
    actions: [{reply_dm: "A person writes to you."}, {escalate: {queue: support, pause_bot: {until: resolved}}}]
`;

const ENGINES = [
  { engine: "a folder", place: folderPlace },
  { engine: "a database", place: () => postgresPlace() },
  { engine: "the model", place: modelPlace },
];

describe.each(ENGINES)("an answer by hand, stored in $engine", ({ place }) => {
  const world = worldOfEach(place, { rules: RULES });
  const { live, restart, said } = world;
  const answer = (key: string, text: string) =>
    answerByHandBody("100", {
      key,
      text,
      by: "Kim",
      to: "200",
      username: "ana",
      answers: 1,
      at: world.clock.now(),
    });
  const texts = (): string[] => world.platform.map(({ text }) => text);
  const decided = () =>
    when(async () => {
      const rows = await world.store.journal({ limit: 100 });
      return rows.every(({ state }) => state === "done") ? rows : undefined;
    });

  it("is one item of the operator, without rules or questions involved", async () => {
    const bot = await live();
    await bot.hears("1", "200", "my order");
    expect(await said(1)).toEqual(["Which number?"]);

    expect(await bot.takes(answer("a", "I look."), "operator")).toBe(1);

    expect(await said(2)).toEqual(["Which number?", "I look."]);
    const [entry] = await decided();
    expect(entry).toMatchObject({ kind: "answer_by_hand", lane: "100/200", runs: [] });
    const [item] = await world.store.items({ seq: entry?.seq ?? 0, limit: 9 });
    expect(item).toMatchObject({
      run: `${entry?.seq}/operator:Kim`,
      action: { type: "reply_dm", to: "200", text: "I look." },
      lane: "100/200",
    });
    expect(item?.priority ?? 0).toBe(0);
    await bot.hears("2", "200", "12345");
    expect(await said(3)).toEqual(["Which number?", "I look.", "Thanks."]);
  });

  it("is sent once, however often it is requested, wherever the process dies", async () => {
    for (let writes = 1; writes <= 4; writes += 1) {
      const key = `key-${writes}`;
      const bot = await live({ writes });
      const body = answer(key, `Answer ${writes}.`);
      const outcome = await bot.takes(body, "operator").then(
        () => "accepted",
        () => "lost",
      );
      if (outcome === "accepted") await Promise.race([bot.died, decided()]);
      const next = await restart();
      await next.takes(body, "operator");
      await next.takes(body, "operator");
      await said(writes);
      await world.rest();
    }
    expect(texts()).toEqual(["Answer 1.", "Answer 2.", "Answer 3.", "Answer 4."]);
  });

  it("is sent during a hand-over, in quiet hours and past limits, which hold back answers of rules", async () => {
    const always = hoursOf("UTC", ["00:00-24:00"]);
    const bot = await live({
      restraints: {
        quietHoursOf: () => always,
        limitsOf: () => ({
          replies: { max: 1, inMs: 600_000, written: "1 in 10m" },
          equalReplies: { max: 1, inMs: 600_000, written: "1 in 10m" },
        }),
      },
    });
    await bot.hears("1", "200", "hm");
    await bot.hears("2", "200", "hm");
    expect(await said(1)).toEqual(["Sorry?"]);
    await bot.hears("3", "200", "a human please");
    await when(async () => (await world.store.silences("100/200"))[0]);

    await bot.takes(answer("a", "Here."), "operator");
    await bot.takes(answer("b", "Here."), "operator");

    expect(await said(3)).toEqual(["Sorry?", "Here.", "Here."]);
    expect(await world.store.items({ status: "held", limit: 9 })).toHaveLength(2);
    expect(await world.store.silences("100/200")).toHaveLength(1);
  });

  it("is not sent to a person who has opted out since it was accepted", async () => {
    const bot = await live({ restraints: { optOut: { words: ["stop"], back: ["start"] } } });
    await bot.hears("1", "200", "STOP");

    await bot.takes(answer("a", "Please stay."), "operator");

    const rows = await decided();
    expect(await world.store.items({ seq: rows[0]?.seq ?? 0, limit: 9 })).toMatchObject([
      { status: "failed", reason: "the person has opted out" },
    ]);
    expect(texts()).toEqual([]);
  });

  it("comes from operators only: a delivery that claims to be one sends nothing", async () => {
    const bot = await live();

    await bot.takes(answer("a", "I am the bot."), "webhook");

    await decided();
    expect(await world.store.items({ limit: 9 })).toEqual([]);
  });
});
