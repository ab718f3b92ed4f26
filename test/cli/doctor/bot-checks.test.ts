import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadSettings } from "../../../src/config/load-settings.ts";
import { findingsOfStatus } from "../../../src/cli/doctor/bot-checks.ts";
import type { RuntimeStatus } from "../../../src/runtime/control/status-schema.ts";
import { when } from "../../support/when.ts";
import { runningDev, type RunningDev } from "../support/running-dev.ts";

const RULES = `version: 1
rules:
  - id: storm
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: storm } }]
    actions: [{ escalate: { queue: support, pause_bot: { per: account, for: 12h } } }]
`;
const BOT = `import { defineBot } from "answerback";
export default defineBot({
  name: "echo",
  on: {
    "dm.received": async (ctx) => {
      if (ctx.event.message.text === "throw") throw new Error("on purpose");
      await ctx.reply("fine");
    },
  },
});
`;

const HOUR = 3_600_000;

interface Finding {
  readonly name: string;
  readonly state: string;
}

describe("the doctor reports of a running bot", () => {
  let dev: RunningDev;
  beforeAll(async () => {
    dev = await runningDev("echo", { "rules/hello.yaml": RULES, "bots/echo.ts": BOT });
  });
  afterAll(() => dev.close());

  const say = async (who: string, text: string): Promise<void> =>
    void (await dev.control.act(await dev.control.user(who), {
      type: "dm",
      to: dev.file.bot.id,
      text,
    }));
  const rowsOf = (out: string): readonly Finding[] => {
    const rows = out.trim().split("\n");
    return rows.map((line): Finding => JSON.parse(line)).filter(({ name }) => name === "bot");
  };
  const status = () => dev.json<RuntimeStatus>("status");

  it("nothing at first, then each problem at once with its fix, as warnings", async () => {
    const healthy = await dev.run("doctor", "--json");
    await say("anton", "throw");
    await when(async () => ((await status()).bots[0]?.trouble ? true : undefined));
    await say("gil", "storm");
    const silent = await when(async () => (await status()).silenced?.[0]);
    const { code, out } = await dev.run("doctor", "--json");
    const all = rowsOf(out);

    expect(healthy.code, healthy.out).toBe(0);
    expect(rowsOf(healthy.out)).toMatchObject([{ state: "ok" }]);
    expect(code, out).toBe(0);
    expect(all).toEqual([
      {
        name: "bot",
        state: "warn",
        message: `@hello_bot is silent for everybody until ${silent.until}, by escalation ${silent.escalation}`,
        fix: `answerback escalations resolve ${silent.escalation}`,
      },
      {
        name: "bot",
        state: "warn",
        message: expect.stringMatching(
          /^the bot echo has 1 fault, the latest at \S+: .*on purpose.*echo\.ts:6/,
        ),
        fix: "answerback logs --level warn",
      },
    ]);
  });

  it.each<{
    about: string;
    more?: (status: RuntimeStatus) => Partial<RuntimeStatus>;
    items?: (now: number) => Parameters<typeof findingsOfStatus>[2];
    text: RegExp;
    fix: string;
    state?: string;
  }>([
    {
      about: "an event that is given up",
      more: () => ({ givenUp: [{ seq: 7, reason: "the process ended 5 times" }] }),
      text: /^event 7 is given up: the process ended 5 times$/,
      fix: "answerback why 7",
    },
    {
      about: "answers that failed within a day, except after an opt-out",
      items: (now) => [
        { settledAt: now - HOUR, reason: "refused with 403: blocked" },
        { settledAt: now - HOUR, reason: "the person has opted out" },
        { settledAt: now - 2 * HOUR, reason: "refused with 404" },
        { settledAt: now - 25 * HOUR, reason: "refused with 404" },
      ],
      text: /^2 answers failed within a day, the latest: refused with 403: blocked$/,
      fix: "answerback outbox --status failed",
    },
    {
      about: "answers of unknown outcome",
      more: ({ store }) => ({ store: { ...store, items: { ...store.items, unknown: 1 } } }),
      text: /^the outcome of 1 answer\(s\) is unknown$/,
      fix: "answerback outbox --status unknown",
    },
    {
      about: "a bot whose events wait",
      more: () => ({ bots: [{ name: "late", triggers: [], waits: true }] }),
      text: /^the bot late is not loaded; its events wait$/,
      fix: "answerback logs --level warn",
    },
    {
      about: "a bot that is suspended, which is a failure",
      more: ({ now }) => {
        const trouble = { faults: 3, latest: "it loops", at: now, asideUntil: "12:00" };
        return { bots: [{ name: "late", triggers: [], trouble }] };
      },
      state: "fail",
      text: /^the bot late is not called until 12:00; 3 faults, the latest at \S+: it loops$/,
      fix: "answerback logs --level warn",
    },
    {
      about: "a bot module that could not be loaded",
      more: () => ({ botFaults: ["bots/late.ts: it throws\nat line 1"] }),
      text: /^1 bot module\(s\) could not be loaded: bots\/late\.ts: it throws$/,
      fix: "answerback status --json",
    },
  ])("$about, beside a pause", async ({ more, items, text, fix, state = "warn" }) => {
    const settings = await loadSettings({ cwd: dev.folder, environment: {} });
    const now = await status();
    const well = { ...now, bots: [], silenced: [] };
    const paused = [{ since: now.now }];
    const failed = items?.(Date.parse(now.now));
    const findings = findingsOfStatus({ ...well, ...more?.(well), paused }, settings, failed);

    expect(findings).toMatchObject([
      { state: "warn", message: expect.stringMatching(/^all accounts are paused/) },
      { state, message: expect.stringMatching(text), fix },
    ]);
  });
});
