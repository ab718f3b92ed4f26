import { Dispatcher } from "undici";
import type { FaultPlan, RequestFault } from "../faults.ts";
import type { Draws } from "../time/draws.ts";
import type { Scheduler } from "../time/scheduler.ts";
import type { Owner } from "../time/task-heap.ts";
import type { Trace } from "../trace.ts";
import type { ModelPlatform, PlatformAnswer } from "./model-platform.ts";
import type { PlatformClock } from "./platform-clock.ts";

export interface WireNeeds {
  /** Process that sends the requests. */
  readonly owner: Owner;
  readonly scheduler: Scheduler;
  readonly clock: PlatformClock;
  readonly platform: ModelPlatform;
  readonly faults: FaultPlan;
  readonly draws: Draws;
  readonly trace: Trace;
  /** Called with 1 when a request is sent, and with -1 when it has ended. */
  readonly onWire: (change: 1 | -1) => void;
}

/**
 * Longest time, in milliseconds, from the write of a request until the platform executes it. At most one second later
 * lists show the effect: within the 15 seconds for which a bot waits (5 seconds client timeout, 10 for the platform).
 */
const LATEST_MS = 13_900;
const CRASH_WEIGHT = 12;

/** Network between a bot's HTTP client and the platform. It replaces undici's connections. */
export class ModelWire extends Dispatcher {
  readonly #needs: WireNeeds;

  constructor(needs: WireNeeds) {
    super();
    this.#needs = needs;
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const { scheduler, owner, draws, faults } = this.#needs;
    const faulty = scheduler.now < faults.until && draws.chance(faults.request);
    const fault = faulty ? draws.oneOf(faults.requestFaults) : undefined;
    const request = new Request(options, handler, this.#needs, fault);
    scheduler.after(draws.between(0.1, 5), owner, () => request.write(), CRASH_WEIGHT);
    return true;
  }
}

class Request {
  readonly #needs: WireNeeds;
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #fault: RequestFault | undefined;
  readonly #method: string;
  readonly #path: string;
  readonly #body: Readonly<Record<string, unknown>>;
  readonly #controller: Dispatcher.DispatchController;

  constructor(
    { method, path, body }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    needs: WireNeeds,
    fault: RequestFault | undefined,
  ) {
    this.#needs = needs;
    this.#handler = handler;
    this.#fault = fault;
    this.#method = method;
    this.#path = path.split("?")[0] ?? "";
    this.#body = typeof body === "string" ? JSON.parse(body) : {};
    this.#controller = aControllerThatStopsNothing();
  }

  /** Connects, and writes the request unless its owner has abandoned it. */
  write(): void {
    const { draws, clock, scheduler, onWire } = this.#needs;
    if (this.#fault === "unreachable") {
      this.#tell("can't reach the platform");
      this.#handler.onResponseError?.(this.#controller, new Error("connect ECONNREFUSED"));
      return;
    }
    try {
      this.#handler.onRequestStart?.(this.#controller, {});
    } catch (error) {
      this.#tell(`does not write: ${error instanceof Error ? error.message : "?"}`);
      return;
    }
    this.#tell(`writes${this.#fault === undefined ? "" : ` (${this.#fault})`}`);
    onWire(1);
    if (this.#fault === "lost") {
      onWire(-1);
      this.#noAnswer();
    } else if (this.#fault === "unavailable") this.#refuse(503, {});
    else if (this.#fault === "unauthorized") this.#refuse(401, {});
    else if (this.#fault === "limited") {
      const reset = Math.ceil((clock.now() + draws.between(1_000, 15_000)) / 1_000);
      this.#refuse(429, {
        "x-rate-limit-limit": "15",
        "x-rate-limit-remaining": "0",
        "x-rate-limit-reset": String(reset),
      });
    } else if (this.#fault === "late") {
      clock.after(draws.between(0, LATEST_MS), (at) => this.#execute(at));
    } else {
      scheduler.after(draws.between(1, 120), undefined, () => this.#execute(clock.now()));
    }
  }

  #execute(at: number): void {
    const { platform, onWire } = this.#needs;
    onWire(-1);
    const answer = platform.answer(this.#method, this.#path, this.#body, at);
    if (this.#fault === "cut") return this.#noAnswer();
    if (this.#fault === "executed-500") return this.#answer({ status: 500, body: {} }, {});
    this.#answer(answer, {});
  }

  #refuse(status: number, headers: Readonly<Record<string, string>>): void {
    const { scheduler, draws, onWire } = this.#needs;
    scheduler.after(draws.between(1, 120), undefined, () => {
      onWire(-1);
      this.#answer({ status, body: { title: "no" } }, headers);
    });
  }

  #answer({ status, body }: PlatformAnswer, headers: Readonly<Record<string, string>>): void {
    const { scheduler, owner, draws } = this.#needs;
    const answered = (): void => {
      this.#tell(`is answered ${status}`);
      this.#handler.onResponseStart?.(this.#controller, status, headers);
      this.#handler.onResponseData?.(this.#controller, Buffer.from(JSON.stringify(body)));
      this.#handler.onResponseEnd?.(this.#controller, {});
    };
    scheduler.after(draws.between(0.5, 60), owner, answered, CRASH_WEIGHT);
  }

  /** Breaks the connection, or stays silent until the client's timeout. */
  #noAnswer(): void {
    const { scheduler, owner, draws } = this.#needs;
    if (draws.chance(0.5)) return;
    const broken = (): void => {
      this.#tell("loses its connection");
      this.#handler.onResponseError?.(this.#controller, new Error("read ECONNRESET"));
    };
    scheduler.after(draws.between(1, 2_000), owner, broken, CRASH_WEIGHT);
  }

  #tell(what: string): void {
    const { trace, owner } = this.#needs;
    const person = /with\/(\d+)/.exec(this.#path)?.[1];
    const text = this.#body["text"];
    const said = typeof text === "string" ? ` “${text}”` : "";
    trace.add(owner.name, () => `${this.#method} ${this.#path}${said} ${what}`, person);
  }
}

/** Returns a controller that does nothing: data in transit can't be called back. */
function aControllerThatStopsNothing(): Dispatcher.DispatchController {
  return {
    aborted: false,
    paused: false,
    reason: null,
    abort: () => {},
    pause: () => {},
    resume: () => {},
  };
}
