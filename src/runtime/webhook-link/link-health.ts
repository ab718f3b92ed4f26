import type { Log } from "../log.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import type { ReadinessPart } from "../readiness.ts";
import type { NewRuntimeEvent } from "../runtime-events.ts";
import type { RegisteredWebhook } from "./register-webhook.ts";
import type { LinkTrouble } from "./trouble.ts";

export interface LinkHealthNeeds {
  /** Public https URL of the webhook. */
  readonly url: string;
  readonly readiness: ReadinessPart;
  readonly publish: (event: NewRuntimeEvent) => void;
  readonly log: Log;
}

/** Tracks whether the webhook link works, and reports changes to readiness, runtime events and the log. */
export class LinkHealth {
  readonly #needs: LinkHealthNeeds;
  readonly #logTrouble: (reason: string) => void;
  #trouble: LinkTrouble | undefined;
  /** Reason of the last reported failure. */
  #toldReason: string | undefined;
  #webhookId: string | undefined;
  #state: "new" | "standing" | "lost" = "new";

  constructor(needs: LinkHealthNeeds) {
    this.#needs = needs;
    const { log, url } = needs;
    this.#logTrouble = throttle(LOG_EVERY_MS, (reason, times) =>
      log.error({ reason, times, url }, "the platform does not deliver events; retrying"),
    );
  }

  get trouble(): LinkTrouble | undefined {
    return this.#trouble;
  }

  get isStanding(): boolean {
    return this.#state === "standing";
  }

  /** Reports a webhook that is registered and whose challenge was answered. */
  registered({ id, valid }: RegisteredWebhook): void {
    if (this.#webhookId === id) return;
    this.#webhookId = id;
    this.#needs.publish({ type: "link-registered", data: { webhook: id, valid } });
  }

  /** Reports that deliveries arrive. */
  stands(): void {
    const { publish, readiness, log } = this.#needs;
    this.#trouble = undefined;
    this.#toldReason = undefined;
    if (this.#state === "lost") {
      log.info({ webhook: this.#webhookId }, "the platform delivers events again");
      publish({ type: "link-restored", data: {} });
    }
    this.#state = "standing";
    readiness.ready();
  }

  /** Reports a failed check. A link that has worked until now stays ready until {@link loses} is called. */
  fails(trouble: LinkTrouble): void {
    this.#trouble = trouble;
    if (this.#state === "standing") return;
    const { readiness, publish } = this.#needs;
    const { reason } = trouble;
    readiness.notReady(
      this.#state === "new"
        ? `the webhook is not registered: ${reason}`
        : `the platform does not deliver events: ${reason}`,
    );
    if (this.#toldReason === reason) return this.#logTrouble(reason);
    this.#toldReason = reason;
    this.#logTrouble(reason);
    if (this.#state === "new") publish({ type: "link-failed", data: { reason } });
  }

  /**
   * Reports that deliveries no longer arrive.
   *
   * @param since Last time at which they surely arrived, in milliseconds since the epoch.
   */
  loses(reason: string, since: number): void {
    if (this.#state !== "standing") return;
    this.#state = "lost";
    const { log, publish, readiness } = this.#needs;
    const at = new Date(since).toISOString();
    log.error({ reason, since: at }, "the platform no longer delivers events");
    readiness.notReady(`the platform does not deliver events: ${reason}`);
    publish({ type: "link-lost", data: { reason, since: at } });
  }
}
