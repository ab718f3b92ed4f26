import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BotOnSandbox, botOnSandbox } from "../support/bot-on-sandbox.ts";
import { seeded } from "../support/seeded.ts";
import { type Draw, drawnAttack } from "./attacks.ts";
import { delivering } from "./platform.ts";
import { Held, type Victim } from "./wire.ts";

export interface HostileOptions {
  /** Minimum number of strangers' requests. */
  readonly requests: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** Result of an attack, as printed by `--json`. */
export interface HostileFigures {
  readonly requests: number;
  /** Number of events in the journal without a signed delivery. */
  readonly journaled: number;
  readonly signed_sent: number;
  /** Number of signed deliveries that were answered with 200 at the first try. */
  readonly signed_taken: number;
  readonly signed_p99_ms: number;
  /** Memory of the bot in the last fifth of the attack, divided by that in the second fifth. */
  readonly rss_ratio: number;
  readonly rss_mb: number;
  /** Size of the bot's log at level debug, in bytes. */
  readonly log_bytes: number;
  /** Exit code of the bot after a stop request; 0 if all is well. */
  readonly exit_code: number | null;
  readonly seed: number;
  readonly seconds: number;
}

const STRANGERS = 24;
const HELD = 1_000;
const DELIVERY_EVERY_MS = 10;
const SAMPLE_EVERY_MS = 100;
const TELL_EVERY = 20_000;
const KIB = 1_024;

/** Lets strangers attack a bot on a sandbox, while the platform delivers to it. */
export async function hostile({ requests, seed, say }: HostileOptions): Promise<HostileFigures> {
  const bot = await botOnSandbox({});
  try {
    const { webhook, store } = await bot.startProcess();
    const [host = "", port = ""] = webhook.listen.split(":");
    const victim = { host, port: Number(port), path: new URL(webhook.url).pathname };
    const memory = sampled(await memoryOf(bot));
    const logBefore = bot.log().length;
    const started = performance.now();
    const platform = delivering(victim, {
      secret: bot.file.app.consumerSecret,
      account: bot.file.bot.id,
      everyMs: DELIVERY_EVERY_MS,
    });
    const done = await attack(victim, requests, seeded(seed), say);
    const { sent, accepted, refused, latencies } = await platform.stop();
    const seconds = (performance.now() - started) / 1_000;
    const samples = memory.stop();
    for (const [why, times] of Object.entries(refused)) say(`not taken: ${why}, ${times} times`);
    const { store: after } = await bot.status();
    const logBytes = bot.log().length - logBefore;
    return {
      requests: done,
      journaled: after.journal - store.journal - accepted,
      signed_sent: sent,
      signed_taken: accepted,
      signed_p99_ms: Math.round(latencies[Math.floor(latencies.length * 0.99)] ?? 0),
      rss_ratio: round2(mean(samples, 0.8, 1) / mean(samples, 0.2, 0.4)),
      rss_mb: Math.round(mean(samples, 0.8, 1) / 1_000_000),
      log_bytes: logBytes,
      exit_code: await bot.stop(),
      seed,
      seconds: Math.round(seconds),
    };
  } finally {
    await bot.close();
  }
}

async function attack(
  victim: Victim,
  requests: number,
  draw: Draw,
  say: (line: string) => void,
): Promise<number> {
  const held = new Held(HELD);
  let done = 0;
  let reportedCount = 0;
  const one = async (): Promise<void> => {
    while (done < requests) {
      done += await drawnAttack(draw).run({ victim, draw, held });
      if (done - reportedCount < TELL_EVERY) continue;
      reportedCount = done;
      say(`${done} requests`);
    }
  };
  await Promise.all(Array.from({ length: STRANGERS }, one));
  held.letGo();
  return done;
}

/** Reads the bot's memory, in bytes. */
async function memoryOf({ file: _, folder }: BotOnSandbox): Promise<() => Promise<number>> {
  const text = await readFile(join(folder, "data", "run.json"), "utf8");
  const { pid }: { pid: number } = JSON.parse(text);
  const status = `/proc/${pid}/status`;
  if (existsSync(status)) {
    return async () => Number(/VmRSS:\s*(\d+)/.exec(await readFile(status, "utf8"))?.[1]) * KIB;
  }
  const ps = promisify(execFile);
  return async () => Number((await ps("ps", ["-o", "rss=", "-p", String(pid)])).stdout) * KIB;
}

function sampled(ask: () => Promise<number>): { readonly stop: () => readonly number[] } {
  const samples: number[] = [];
  let isAsking = false;
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    ask()
      .then((bytes) => samples.push(bytes))
      .catch(() => samples.push(Number.NaN))
      .finally(() => (isAsking = false));
  }, SAMPLE_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return samples;
    },
  };
}

/** Returns the mean of a section of the samples. `from` and `to` are fractions of their number, such as 0.2 and 0.4. */
function mean(samples: readonly number[], from: number, to: number): number {
  const part = samples.slice(
    Math.floor(samples.length * from),
    Math.max(1, Math.ceil(samples.length * to)),
  );
  return part.reduce((sum, value) => sum + value, 0) / part.length;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
