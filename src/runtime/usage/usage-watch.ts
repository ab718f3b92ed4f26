import type { Client } from "../../client/client.ts";
import { AnswerbackError } from "../../errors.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { pacedLoop } from "../loop/paced-loop.ts";
import type { Store } from "../store/store.ts";
import {
  AT_THE_CAP,
  capLevel,
  type CapLevel,
  capLine,
  monthOf,
  type MonthOfPosts,
} from "./post-cap.ts";

/** Checks regularly how much of its monthly post cap the app has used. */
export interface UsageWatch {
  /** Returns the platform's last report; undefined before the first report. */
  month(): MonthOfPosts | undefined;
  /** Stops the checks, and resolves when the current request has ended. */
  stop(): Promise<void>;
}

export interface UsageWatchNeeds {
  readonly app: Pick<Client<"bearer">, "usage">;
  /** Memory of the level that was logged last, so that a restart does not log it again. */
  readonly memory: Pick<Store, "getMeta" | "setMeta">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Name of the store's value with the level that was logged last. */
const LOGGED = "post-cap-logged";

/** Interval of the requests in real milliseconds. The platform allows 50 such requests in 15 minutes. */
const EVERY_MS = 60 * 60_000;

const LEVELS: readonly CapLevel[] = ["low", "near", "reached"];

/**
 * Reads the month's usage now and every hour. Logs once when 80 % of the cap are used, and once when the cap is
 * reached.
 */
export function startUsageWatch(needs: UsageWatchNeeds): UsageWatch {
  const { app, clock, log } = needs;
  const stopping = new AbortController();
  let month: MonthOfPosts | undefined;
  const loop = pacedLoop(async () => {
    try {
      const usage = await app.usage.posts({}, { signal: stopping.signal, retry: false });
      month = monthOf(usage, clock.now());
      await logLevel(month, needs);
    } catch (error) {
      // The plan may lack this endpoint, or the platform may be unreachable. The bot works without the report.
      const isAnswer = error instanceof AnswerbackError;
      log[isAnswer ? "debug" : "warn"]({ err: error }, "the monthly posts are not known now");
    }
    return EVERY_MS;
  });
  const unfollow = clock.onJump(() => loop.wake());
  loop.wake();
  return {
    month: () => month,
    async stop() {
      unfollow();
      stopping.abort();
      await loop.stop();
    },
  };
}

/**
 * Logs the level if it differs from the level logged last. It falls when a new month begins, or after a change of plan.
 */
async function logLevel(month: MonthOfPosts, { memory, log }: UsageWatchNeeds): Promise<void> {
  const level = capLevel(month);
  const before = (await memory.getMeta(LOGGED)) ?? "low";
  if (level === before) return;
  await memory.setMeta(LOGGED, level);
  const { used, cap } = month;
  const isLower = LEVELS.indexOf(level) < LEVELS.findIndex((one) => one === before);
  if (level === "reached")
    log.error({ used, cap }, `the monthly post cap is reached: ${capLine(month)}`);
  else if (isLower) log.info({ used, cap }, capLine(month));
  else log.warn({ used, cap }, `${capLine(month)}. At 100 %, ${AT_THE_CAP}`);
}
