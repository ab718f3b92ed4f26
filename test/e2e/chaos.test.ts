import { afterEach, expect, it } from "vitest";
import { LONG_HANG_MS } from "../support/hang-limit.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { door, type Door } from "../support/door.ts";
import { seeded } from "../support/seeded.ts";
import { when } from "../support/when.ts";

const ECHO = `version: 1
rules:
  - id: echo
    triggers: [dm.received]
    actions: [{reply_dm: {text: "re \${{ message.text }}"}}]
`;

const MESSAGES = "/2/dm_conversations/with/*/messages";
const hits = (percent: number, seed: number) => ({ probability: percent / 100, seed });
const onSending = (fault: object, percent: number, seed: number) => ({
  match: { direction: "request", method: "POST", path: MESSAGES },
  fault,
  when: hits(percent, seed),
});
const onDelivery = (fault: object, percent: number, seed: number) => ({
  match: { direction: "delivery" },
  fault,
  when: hits(percent, seed),
});
const faults = (seed: number) => [
  onSending({ type: "status", status: 503 }, 6, seed),
  onSending({ type: "limit" }, 8, seed + 1),
  onSending({ type: "cut" }, 4, seed + 2),
  onSending({ type: "cut_after" }, 4, seed + 3),
  onSending({ type: "delay", ms: 150 }, 10, seed + 4),
  onSending({ type: "timeout" }, 2, seed + 5),
  onDelivery({ type: "duplicate", n: 2 }, 25, seed + 6),
  onDelivery({ type: "cut_after" }, 10, seed + 7),
  onDelivery({ type: "status", status: 500 }, 10, seed + 8),
];

interface Storm {
  readonly seed: number;
  readonly people: number;
  readonly messagesEach: number;
  readonly kills: number;
}

let bot: BotOnSandbox;
let standing: Door;
afterEach(async () => {
  await bot.close();
  standing.close();
});

/**
 * Returns a number from the environment. For a longer run: CHAOS_SEED=11 CHAOS_KILLS=12
 * CHAOS_MESSAGES=8 npx vitest run test/e2e/chaos.test.ts
 */
const chosen = (name: string, otherwise: number): number =>
  Number(process.env[`CHAOS_${name}`] ?? otherwise);
const storms: readonly Storm[] = [
  {
    seed: chosen("SEED", 7),
    people: 20,
    messagesEach: chosen("MESSAGES", 3),
    kills: chosen("KILLS", 3),
  },
];

it.each(storms)(
  "answers every message once and in order: seed $seed, $kills kills",
  async ({ seed, people, messagesEach, kills }) => {
    const draw = seeded(seed);
    const strikes = Array.from({ length: kills }, (_, i) => ({
      from: (i + 1) * 3 + draw(3),
      moment: draw(2) === 0 ? "before" : "after",
    }));
    let restarts = 0;
    let restarting = Promise.resolve();
    standing = door((n, moment) => {
      const [next] = strikes;
      if (next === undefined || n < next.from || moment !== next.moment) return;
      strikes.shift();
      restarting = restartAfter(restarting);
    });
    const restartAfter = async (earlier: Promise<void>): Promise<void> => {
      await earlier;
      await bot.kill();
      await bot.startProcess();
      restarts += 1;
    };
    bot = await botOnSandbox({
      rules: { "echo.yaml": ECHO },
      through: (url) => standing.through(url),
      sandbox: {
        settings: {
          limits: { enabled: false },
          // The clock is advanced while the bot restarts, so deliveries must be retried for a long time.
          retries_ms: Array.from({ length: 2_000 }, () => 1_000),
        },
      },
    });
    const { control } = bot.sandbox;
    await bot.startProcess();
    const ids = await Promise.all(
      Array.from({ length: people }, (_, i) => control.user(`person_${i}`, { name: `P${i}` })),
    );
    for (const fault of faults(seed)) await control.post("/faults", fault);

    const said = await Promise.all(
      ids.map(async (id, i) => {
        const texts = Array.from({ length: messagesEach }, (_, n) => `p${i}-${n}`);
        for (const text of texts) {
          await control.act(id, { type: "dm", to: bot.file.bot.id, text });
        }
        return { id, texts };
      }),
    );

    await when(async () => {
      await restarting;
      if (strikes.length === 0 && restarts === kills) return true;
      // An item with an unknown outcome blocks its conversation until the platform certainly shows sent messages.
      await moveOn(20_000);
      return (await settled(people * messagesEach)) ? true : undefined;
    });
    await control.call("DELETE", "/faults");
    await when(async () => {
      await moveOn(60_000);
      return (await settled(people * messagesEach)) ? true : undefined;
    });

    const items = await bot.items();
    const journal = (await bot.journal()).filter(({ kind }) => kind === "message");
    const count = { answered: 0, twice: 0, missing: 0, restarts };
    for (const { id, texts } of said) {
      const answers = await bot.messagesTo(id);
      for (const text of texts) {
        const times = answers.filter((answer) => answer === `re ${text}`).length;
        if (times > 1) count.twice += 1;
        else if (times === 1) count.answered += 1;
        else count.missing += 1;
        const isJournaled = journal.some(({ body }) => body.includes(`"${text}"`));
        expect(isJournaled, `${text} was acknowledged`).toBe(true);
      }
      expect(answers).toEqual(answers.toSorted());
    }
    process.stdout.write(`chaos: ${JSON.stringify(count)}\n`);

    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(["sent"]));
    const answered = people * messagesEach;
    expect(count).toEqual({ answered, twice: 0, missing: 0, restarts: kills });
  },
  LONG_HANG_MS,
);

/**
 * Advances the clock, unless an outbox item with an unknown outcome would then stop blocking its conversation, which it
 * does for ten minutes.
 *
 * The bot looks up such an item in real time. If the clock advanced faster, later answers would overtake the item, as
 * documented.
 */
async function moveOn(ms: number): Promise<void> {
  const status = await bot.status().catch(() => undefined);
  if (status === undefined) return;
  const unknown = await bot.items("unknown").catch(() => []);
  const now = Date.parse(status.now);
  if (unknown.some(({ notBefore }) => notBefore <= now + ms)) return;
  await bot.sandbox.control.advance(ms);
}

/** Whether every message has been decided, and every answer is on the platform. */
async function settled(messages: number): Promise<boolean> {
  // The bot does not respond while it stops or starts.
  const status = await bot.status().catch(() => undefined);
  if (status === undefined) return false;
  const { inbox, journal, items } = status.store;
  return inbox === 0 && journal >= messages && items.sent >= messages;
}
