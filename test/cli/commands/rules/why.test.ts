import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { when } from "../../../support/when.ts";
import { runningDev, type RunningDev } from "../../support/running-dev.ts";

const ORDER = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    conditions: [{ message.text: { equals: "I order it" } }]
    actions:
      - ask: { text: "Sure?", within: 1h }
  - id: other
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: refund } }]
    actions: [{ reply_dm: hi }]
  - id: vote
    triggers: [dm.received]
    conditions: [{ message.text: { equals: "I vote" } }]
    actions: [{ count: { name: votes, per: sender, window: 1h } }]
  - id: voted
    stage: shadow
    triggers: [{ trigger: count.reached, of: votes, at: 1 }]
    actions: [{ reply_dm: "Thanks!" }]
`;

describe("why --json", () => {
  let dev: RunningDev;
  beforeAll(async () => {
    dev = await runningDev("faq", { "rules/order.yaml": ORDER });
  });
  afterAll(() => dev.close());

  /** Sends the bot a message as a person. @returns The number of the event. */
  const says = async (person: string, text: string): Promise<string> => {
    await dev.control.act(person, { type: "dm", to: dev.file.bot.id, text });
    const entry = await when(async () => {
      const rows = await dev.rows<{ readonly seq: number; readonly body: string }>("journal");
      return rows.find(({ body }) => body.includes(text));
    });
    return String(entry.seq);
  };

  it("is the outcome alone for an event that no rule has a trigger for", async () => {
    const cara = await dev.control.user("cara");
    await dev.control.act(cara, { type: "follow", user_id: dev.file.bot.id });
    const echo = await when(async () =>
      (await dev.rows<{ readonly seq: number; readonly body: string }>("journal")).find(
        ({ body }) => body.includes("Thanks for the follow!"),
      ),
    );

    expect(await dev.rows("why", String(echo.seq))).toEqual([
      { eventOutcome: { word: expect.any(String), reason: expect.any(String) } },
    ]);
  });

  it("is one JSON object for a message that a waiting run took", async () => {
    const ana = await dev.control.user("ann");
    await says(ana, "I order it");
    await when(
      async () => (await dev.rows("runs", "--rule", "order", "--open")).length > 0 || undefined,
    );
    const seq = await says(ana, "Yes, I am sure");
    await when(async () =>
      (await dev.rows("runs", "--rule", "order", "--open")).length === 0 ? true : undefined,
    );

    expect(await dev.rows("why", seq, "--rule", "other")).toEqual([
      {
        ruleId: "other",
        outcome: "no",
        reason: "taken",
        takenBy: expect.stringMatching(/\/rule:order$/),
      },
    ]);
  });

  it("explains a rule that only shadows and listens to a number that a count reached", async () => {
    const seq = await says(await dev.control.user("dan"), "I vote");
    const verdict = { ruleId: "voted", outcome: "skipped", reason: "stage-shadow" };
    const row = await when(async () => {
      const rows = await dev.rows<{ readonly ruleId: string }>("why", seq);
      return rows.find(({ ruleId }) => ruleId === "voted");
    });

    expect(row).toMatchObject(verdict);
    expect(await dev.rows("why", seq, "--rule", "voted")).toEqual([
      expect.objectContaining({ verdict: expect.objectContaining(verdict) }),
    ]);
  });

  it("has the event's outcome beside the verdict of each rule, as the text has it", async () => {
    const seq = await says(await dev.control.user("cem"), "good evening");

    const eventOutcome = {
      word: "acted",
      reason: "no rule matched, and bot orders ran and said nothing",
      repair: `see answerback trace ${seq}/bot:orders`,
    };
    await when(async () => {
      const [first] = await dev.rows<{ eventOutcome: { word: string } }>("why", seq);
      return first?.eventOutcome.word === "acted" ? true : undefined;
    });
    expect(await dev.rows("why", seq)).toContainEqual(
      expect.objectContaining({ ruleId: "other", outcome: "no", eventOutcome }),
    );
    expect((await dev.run("why", seq)).out).toContain(
      `${eventOutcome.reason}; ${eventOutcome.repair}\n`,
    );
  });

  it("names the closest word of the text, beside the wanted one", async () => {
    const seq = await says(await dev.control.user("bob"), "my refnud, where is it");

    expect(await dev.rows("why", seq, "--rule", "other")).toMatchObject([
      { closest: { found: "refnud", wanted: "refund", edits: 1 } },
    ]);
  });
});
