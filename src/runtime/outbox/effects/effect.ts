import type { ActionResult } from "../../../actions/action-result.ts";
import type { CallOptions, Client, EndpointName } from "../../../client/client.ts";

/** The client that acts for an account. */
export type ActingClient = Client<"oauth1">;

/** Request for one verb: the outbox's part of the verb, beside its definition in `actions/`. */
interface Performed<A> {
  /** Endpoint that {@link perform} calls, and the platform's limits for it; all of them apply at once. */
  readonly endpoint: EndpointName;
  readonly budget: readonly SendLimit[];
  /** Performs the action with one request. */
  perform(
    client: ActingClient,
    account: string,
    action: A,
    options: CallOptions,
  ): Promise<AcceptedRequest>;
}

/** Answer of the platform to an action that it accepted. */
export interface AcceptedRequest {
  /** Platform id of what the action created, if anything. */
  readonly platformId?: string;
  /** The answer under the names that rules read. */
  readonly result: ActionResult;
}

/** Verb whose result the platform does not show: an unknown outcome stays unknown. */
export interface UnshownEffect<A> extends Performed<A> {
  readonly find?: undefined;
}

/** Verb whose result the platform shows. */
export interface Effect<A> extends Performed<A> {
  /** Endpoint that {@link find} reads, and its limits. */
  readonly reads: { readonly endpoint: EndpointName; readonly budget: readonly SendLimit[] };
  /**
   * Finds the result of an action when the outcome of its request is unknown.
   *
   * @returns Everything on the platform that this action may have created, oldest first: two equal actions have two
   *   candidates. Empty: as far as the platform shows now, the action was not performed.
   * @throws the client's error when the platform can't be read: then the outcome stays unknown.
   */
  find(
    client: ActingClient,
    account: string,
    action: A,
    window: SearchWindow,
    options?: CallOptions,
  ): Promise<readonly Candidate[]>;
}

/** Rate limit of the platform. */
export interface SendLimit {
  /** Requests allowed in one window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Scope of the limit: the requests of one account, or those of the whole app. */
  readonly per: "account" | "app";
}

/** Time in which an action may have been performed, inclusive: milliseconds since the epoch, by the platform's clock. */
export interface SearchWindow {
  readonly since: number;
  readonly until: number;
}

/** Object on the platform that an action may have created. */
export interface Candidate {
  /** Id of the message event or the post, or of the liked post or the followed person. */
  readonly platformId: string;
  /** Creation time, in milliseconds since the epoch; the end of the window if the platform doesn't show it. */
  readonly at: number;
  /** Result of the action as the platform shows it, if it differs from the usual one. */
  readonly result?: ActionResult;
}

export const QUARTER_HOUR_MS = 15 * 60_000;
export const DAY_MS = 24 * 60 * 60_000;
