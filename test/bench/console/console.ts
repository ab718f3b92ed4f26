import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { type BotOnSandbox, botOnSandbox } from "../../support/bot-on-sandbox.ts";
import { ownBrowser } from "../../support/chromium.ts";
import { ownAddress } from "../../support/own-address.ts";
import { signInPage } from "../../console/signed-in.ts";
import type { Benchmark } from "../main.ts";
import { quantile, round2, wholeNumber } from "../numbers.ts";

const ROUNDS = wholeNumber("ROUNDS", 6);
/** Number of events in each measurement; `PER_MINUTE` is their rate. */
const EVENTS = wholeNumber("EVENTS", 1_000);
const PER_MINUTE = wholeNumber("PER_MINUTE", 5_000);
/** Milliseconds in one unit of the kernel's process times. */
const TICK_MS = 10;

const RULES = `
version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions:
      - message.text: {contains_word: hours}
    actions:
      - reply_dm: {text: "We are open from 9 to 17."}
`;

interface Stretch {
  /** Processor time of the bot's process and of the sandbox's process for each event, in milliseconds. */
  readonly bot: number;
  readonly sandbox: number;
}

/**
 * Measures the cost of an open console page. Messages arrive at a steady rate while the page Events is alternately open
 * and closed. The compared value is the processor time of the bot's process, which serves the page. Linux only.
 */
export const consolePage: Benchmark = {
  name: "console",
  about:
    "processor time an event with the console's feed open and closed, and the page's longest task",
  async run(say) {
    const { host, port } = await ownAddress();
    const bot = await botOnSandbox({
      rules: { "rules.yaml": RULES },
      env: { ANSWERBACK_CONSOLE_LISTEN: `${host.replace(/^127.*/, "127.0.0.1")}:${port}` },
    });
    const browser = await ownBrowser();
    try {
      await bot.startProcess();
      const { url = "" } = await bot.ask("openConsole", {});
      const page = await browser.context.newPage();
      await signInPage(page, url);
      const feed = new URL("/events", url).href;
      await stretch(bot);
      const closed: Stretch[] = [];
      const opened: Stretch[] = [];
      let longest = 0;
      for (let round = 1; round <= ROUNDS; round += 1) {
        await page.goto("about:blank");
        closed.push(await stretch(bot));
        await page.goto(feed);
        await page.locator("main h1").waitFor();
        await observe(page);
        opened.push(await stretch(bot));
        longest = Math.max(longest, await longestTask(page));
        const [a, b] = [closed.at(-1)?.bot ?? 0, opened.at(-1)?.bot ?? 0];
        say(
          `round ${round}  ${round2(a)} ms closed, ${round2(b)} ms open, longest task ${longest} ms`,
        );
      }
      return report(closed, opened, longest);
    } finally {
      await browser.close();
      await bot.close();
    }
  },
};

function report(closed: readonly Stretch[], opened: readonly Stretch[], longest: number) {
  const median = (all: readonly Stretch[], what: keyof Stretch): number =>
    quantile(
      all.map((one) => one[what]),
      0.5,
    );
  const pairs = closed.map(({ bot }, at) => (opened[at]?.bot ?? 0) / bot);
  const [a, b] = [median(closed, "bot"), median(opened, "bot")];
  const [c, d] = [median(closed, "sandbox"), median(opened, "sandbox")];
  const figures = {
    events: EVENTS * ROUNDS,
    bot_ms: round2(a),
    bot_open_ms: round2(b),
    bot_ratio: round2(quantile(pairs, 0.5)),
    sandbox_ms: round2(c),
    sandbox_open_ms: round2(d),
    longest_task_ms: Math.round(longest),
  };
  return {
    figures,
    table: [
      ["an event", "page closed", "page open"],
      ["bot and console", `${round2(a)} ms`, `${round2(b)} ms`],
      ["sandbox and sender", `${round2(c)} ms`, `${round2(d)} ms`],
      ["longest task in the page", "", `${Math.round(longest)} ms`],
    ],
  };
}

/** Sends messages at the rate, and waits until all are processed. */
async function stretch(bot: BotOnSandbox): Promise<Stretch> {
  const { control } = bot.sandbox;
  const before = cpuMs(bot.pid());
  const own = process.cpuUsage();
  const started = performance.now();
  for (let n = 0; n < EVENTS; n += 1) {
    const due = started + (n * 60_000) / PER_MINUTE;
    if (due > performance.now()) await pause(due - performance.now());
    const text = n % 2 === 0 ? `hours ${n}` : `message ${n}`;
    await control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });
  }
  await bot.quiet();
  const used = process.cpuUsage(own);
  return {
    bot: (cpuMs(bot.pid()) - before) / EVENTS,
    sandbox: (used.user + used.system) / 1_000 / EVENTS,
  };
}

function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function observe(page: Page): Promise<void> {
  await page.evaluate(`
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    }).observe({ type: "longtask" });
  `);
}

async function longestTask(page: Page): Promise<number> {
  return Number(await page.evaluate("longest"));
}
