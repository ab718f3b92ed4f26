import { vi } from "vitest";
import type { ReplayWindow } from "../../../../src/client/client.ts";
import { Catchup } from "../../../../src/runtime/catchup/catchup.ts";
import type {
  CatchupAccountChange,
  CatchupNeeds,
} from "../../../../src/runtime/catchup/catchup-parts.ts";
import type {
  DeliveryChange,
  RaisedDoubt,
} from "../../../../src/runtime/catchup/delivery-watch.ts";
import { BEAT_EVERY_MS } from "../../../../src/runtime/catchup/heartbeat.ts";
import { openLog } from "../../../../src/runtime/log.ts";
import type { NewRuntimeEvent } from "../../../../src/runtime/runtime-events.ts";
import type { CoverageState } from "../../../../src/runtime/store/coverage.ts";
import { openMemoryStore } from "../../../../src/runtime/store/memory-store.ts";
import { handClock } from "../../../support/hand-clock.ts";
import { when } from "../../../support/when.ts";
import { openLists } from "./lists.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** A full minute, since replays are requested in full minutes. */
export const NOON = Date.UTC(2026, 0, 2, 12);
/** User id of the account. */
export const ID = "100";

const ACCOUNT = { id: ID, username: "bot" };

/** Returns a time in minutes after noon. */
export const minutes = (at: number): number => (at - NOON) / MINUTE;

/** Returns a message or mention that the platform lists. @param minute Minutes after noon. */
export const message = (id: string, minute: number) => ({ id, at: NOON + minute * MINUTE });

/** Catch-up of one account over a memory store, and the platform around it. Its clock starts at noon. */
export class CatchupBench {
  readonly store = openMemoryStore();
  readonly clock = handClock(NOON);
  readonly lists = openLists();
  readonly published: NewRuntimeEvent[] = [];
  /** Ids of the messages and mentions that were read back. */
  readonly readBack: string[] = [];
  readonly raised: RaisedDoubt[] = [];
  /** Windows of the requested replays, in minutes after noon. */
  readonly requests: number[][] = [];
  /** Real milliseconds. */
  real = 0;
  doubted: readonly string[] = [];
  refusedDeliveries: readonly string[] = [];
  subscribedSince: number | undefined = NOON - 240 * HOUR;
  isLinked = true;
  catchup: Catchup;
  answerReplay: () => void = () => {};
  report: (change: DeliveryChange) => void = () => {};
  #changeAccount: (change: CatchupAccountChange) => void = () => {};
  /** Lines of the log. A step of the loops that throws is only logged. */
  readonly #errors: string[] = [];

  constructor() {
    // Loops run only when the test wakes them or moves these timers.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    this.catchup = this.opened();
  }

  /** Stops the catch-up. @throws if an error was logged. */
  async close(): Promise<void> {
    await this.catchup.stop();
    await this.store.close();
    vi.useRealTimers();
    if (this.#errors.length > 0) throw new Error(this.#errors.join(""));
  }

  /** Opens a catch-up over the same store and platform. */
  opened(over: Partial<CatchupNeeds> = {}): Catchup {
    const start = async ({ from, to }: ReplayWindow) => {
      this.requests.push([from, to].map((at) => minutes(Number(at))));
      this.answerReplay();
      return { job_id: `job${this.requests.length}`, created_at: "" };
    };
    return new Catchup({
      store: this.store,
      clock: this.clock,
      monotonic: () => this.real,
      log: openLog({
        level: "error",
        destination: { write: (line) => void this.#errors.push(line) },
      }),
      publish: (event) => this.published.push(event),
      accounts: {
        list: () => (this.isLinked ? [ACCOUNT] : []),
        find: () => (this.isLinked ? ACCOUNT : undefined),
        subscribe: (listener) => {
          this.#changeAccount = listener;
          return () => {};
        },
      },
      app: { replay: { start, startJob: start } },
      clientOf: () => this.lists.client,
      webhookId: () => "hook",
      subscribedSince: () => this.subscribedSince,
      doubts: {
        raise: (doubt) => this.raised.push(doubt),
        doubted: () => this.doubted,
        takeRefused: async () => {
          const accounts = this.refusedDeliveries;
          this.refusedDeliveries = [];
          return accounts;
        },
        lastProof: () => NOON - 5 * MINUTE,
      },
      append: async (_delivery, raw) => {
        this.readBack.push(/"id(?:_str)?":"(\w+)"/u.exec(raw)?.[1] ?? raw);
        return 1;
      },
      onFound: async () => {},
      ...over,
    });
  }

  /** Records coverage between two minutes after noon. */
  cover(from: number, to: number, state: CoverageState = "unproven"): Promise<void> {
    return this.store.cover([
      { account: ID, from: NOON + from * MINUTE, to: NOON + to * MINUTE, state },
    ]);
  }

  /** Returns the coverage in minutes after noon, without spans under a second. */
  async coverage(): Promise<readonly (readonly [number, number, CoverageState])[]> {
    const spans = await this.store.coverage();
    return spans
      .filter(({ from, to }) => to - from > 1_000)
      .map(({ from, to, state }) => [minutes(from), minutes(to), state] as const);
  }

  /** Waits until the coverage has a span in this state. */
  covered(state: CoverageState): Promise<readonly [number, number, CoverageState]> {
    return when(async () => (await this.coverage()).find((span) => span[2] === state));
  }

  /** Returns the types of the published runtime events, in order. */
  publishedTypes(): readonly NewRuntimeEvent["type"][] {
    return this.published.map(({ type }) => type);
  }

  /** Waits until at least this many replays are requested. */
  async requested(count: number): Promise<void> {
    await when(() => this.requests.length >= count || undefined);
  }

  /** Starts the catch-up as the runtime does. */
  async start(): Promise<void> {
    await this.catchup.readMissed();
    this.follow();
    this.up();
  }

  /** Lets the catch-up follow the reports of whether deliveries arrive. */
  follow(): void {
    this.catchup.follow({
      onReachable: (listener) => {
        this.report = listener;
        return () => {};
      },
    });
  }

  /** Reports that deliveries arrive. */
  up(since = this.clock.now()): void {
    this.report({ account: ID, reachable: true, since });
  }

  /** Reports that deliveries arrive no longer. */
  down(since: number): void {
    this.report({ account: ID, reachable: false, since, reason: "the webhook is gone" });
  }

  /** Waits until the catch-up knows whether deliveries arrive. */
  reachable(isReachable = true): Promise<true> {
    return when(() => this.catchup.reachable().length === Number(isReachable) || undefined);
  }

  /** Unlinks the account, as an operator does. */
  unlink(): void {
    this.isLinked = false;
    this.#changeAccount({ type: "removed", account: ACCOUNT });
  }

  /** Links the account. */
  link(): void {
    this.isLinked = true;
    this.#changeAccount({ type: "linked", account: ACCOUNT });
  }

  /** Moves the platform's clock, then lets the loops run. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    this.real += BEAT_EVERY_MS;
    await vi.advanceTimersByTimeAsync(BEAT_EVERY_MS);
  }
}
