import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../../../src/runtime/store/open.ts";
import { run } from "../../../support/command-line.ts";
import * as wire from "../../../support/wire.ts";
import { ruleBot } from "../../../traces/world.ts";
import { emptyFolder } from "../../support/running-dev.ts";

const FILE = "config/rules/shop.yaml";
const RULES = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: order } }]
    actions:
      - id: size
        ask: { text: "Which size?", within: 1d, expect: { in: [small, large] } }
      - if: steps.size.text == "large"
        then: [{ reply_dm: A large one. }]
  - id: thanks
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: thanks } }]
    actions: [{ reply_dm: welcome }]
`;

/** Senders of the messages, in this order; 200 is @ana. */
const SAID = [
  ["200", "order 1"],
  ["200", "huge"],
  ["300", "order 2"],
  ["300", "LARGE"],
  ["200", "order 3"],
  ["300", "thanks"],
] as const;

describe("the runs of a bot", () => {
  let folder: string;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ folder, remove } = await emptyFolder());
    await mkdir(join(folder, "config/rules"), { recursive: true });
    await writeFile(join(folder, "config/answerback.yaml"), "version: 1\nstore: file:../data\n");
    await writeFile(join(folder, FILE), RULES);
    const store = await openStore(`file:${join(folder, "data")}`);
    const bot = await ruleBot([{ path: FILE, text: RULES }], undefined, {}, store);
    for (const [index, [from, text]] of SAID.entries()) {
      await bot.hears(wire.message({ id: `${5001 + index}`, from, text, at: bot.now }));
      await bot.after(1_000);
    }
    await bot.close();
    await store.close();
  });
  afterAll(() => remove());

  /** Runs as `--json` lists them. */
  const listed = async (...args: readonly string[]) => {
    const { out } = await run(folder, "runs", "--json", ...args);
    const lines = out.split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line));
  };
  /** Texts of the events that started the runs. */
  const texts = async (...args: readonly string[]) =>
    (await listed(...args)).map(({ text }) => text);

  it("are listed newest first", async () => {
    expect(await texts()).toEqual(["thanks", "order 3", "order 2", "order 1"]);
    expect(await texts("--limit", "2")).toEqual(["thanks", "order 3"]);
  });

  it.each([
    { args: ["--failed"], printedTexts: ["order 1"], why: "that failed" },
    { args: ["--open"], printedTexts: ["order 3"], why: "that are not over" },
    {
      args: ["--failed", "--open"],
      printedTexts: ["order 3", "order 1"],
      why: "that failed or are not over",
    },
    { args: ["--person", "@Ana"], printedTexts: ["order 3", "order 1"], why: "by a handle" },
    { args: ["--person", "300"], printedTexts: ["thanks", "order 2"], why: "by an id" },
    { args: ["--rule", "thanks"], printedTexts: ["thanks"], why: "of a rule" },
    { args: ["--rule", "order", "--failed"], printedTexts: ["order 1"], why: "by all of them" },
  ])("are those $why: $args", async ({ args, printedTexts }) => {
    expect(await texts(...args)).toEqual(printedTexts);
  });

  it("show their end and their person", async () => {
    const { code, out } = await run(folder, "runs", "--failed");
    const { out: json } = await run(folder, "runs", "--failed", "--json");

    expect(code).toBe(0);
    expect(out).toMatch(
      /^\d+\/rule:order +\S+Z +@ana +failed +failed: actions\[0\]: no answer was what was asked for/m,
    );
    expect(JSON.parse(json)).toMatchObject({
      id: expect.stringMatching(/^\d+\/rule:order$/),
      seq: expect.any(Number),
      rule: "order",
      status: "failed",
      person: { id: "200", username: "ana" },
      text: "order 1",
    });
  });

  it("an empty result names the number of searched events", async () => {
    const { code, out, err } = await run(folder, "runs", "--rule", "ordre");

    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(err).toContain("No such runs; 6 events are kept: answerback journal");
  });

  it("show the conditions of their steps, and the answer that was refused", async () => {
    const [{ seq }] = await listed("--person", "300", "--rule", "order");
    const answers = (await run(folder, "journal", "--json")).out.split("\n");
    const huge = JSON.parse(answers.find((line) => line.includes("huge")) ?? "{}");
    const { out } = await run(folder, "trace", String(seq));
    const refused = await run(folder, "trace", String(huge.seq));
    const { out: json } = await run(folder, "trace", String(seq), "--json");

    expect(out).toContain(
      '  actions[1] if steps.size.text == "large": false (steps.size.text = "LARGE")\n',
    );
    expect(refused.out).toContain(
      ': it wants message.text in small|large, the message is "huge"\n',
    );
    expect(JSON.parse(json).conditions).toMatchObject([{ label: "actions[1]", holds: false }]);
  });

  it("that refused an answer are named in the journal", async () => {
    const { out } = await run(folder, "journal");

    expect(out).toMatch(/refused as an answer to \d+\/rule:order/);
  });
});
