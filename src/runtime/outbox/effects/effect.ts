import type { ActionResult } from "../../../actions/action-result.ts";
import type { CallOptions, Client, EndpointName } from "../../../client/client.ts";

/** Client that sends requests with one account's tokens. */
export type ActingClient = Client<"oauth1">;

/** Options of the request that performs an action. */
export interface SendOptions extends CallOptions {
  /** Maximum wait for the platform's processing of an attached video or GIF, in milliseconds; default the client's. */
  readonly processingMs?: number | undefined;
}

/** Request that performs one verb, such as `like`. `actions/` contains the definition of the verb. */
interface Performed<A> {
  /** Endpoint that {@link perform} calls. A request needs quota in each of the limits in `budget`. */
  readonly endpoint: EndpointName;
  readonly budget: readonly SendLimit[];
  /** Performs the action with one request. */
  perform(
    client: ActingClient,
    account: string,
    action: A,
    options: SendOptions,
  ): Promise<AcceptedRequest>;
}

/** Platform's response to an action that it accepted. */
export interface AcceptedRequest {
  /** Platform id of what the action created, if anything. */
  readonly platformId?: string;
  /** Values of the response, under the names by which YAML rules read them. */
  readonly result: ActionResult;
}

/**
 * Verb whose result can't be read from the platform. If the outcome of its request is unknown, a repeatable action is
 * sent again; any other action stays unknown.
 */
export interface UnshownEffect<A> extends Performed<A> {
  readonly find?: undefined;
}

/** Verb whose result can be read from the platform. */
export interface Effect<A> extends Performed<A> {
  /** Endpoint that {@link find} reads, and its limits. */
  readonly reads: { readonly endpoint: EndpointName; readonly budget: readonly SendLimit[] };
  /**
   * Finds the result of an action when the outcome of its request is unknown.
   *
   * @param since Earliest date that the result can have, in milliseconds since the epoch, by the platform's clock.
   * @returns Everything on the platform that this action may have created, oldest first: two equal actions have two
   *   candidates. Empty if the platform shows no result of the action now.
   * @throws the client's error when the platform can't be read. The outcome then stays unknown.
   */
  find(
    client: ActingClient,
    account: string,
    action: A,
    since: number,
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

/** Object on the platform that an action may have created. */
export interface Candidate {
  /** Id of the message event or the post, or of the liked post or the followed person. */
  readonly platformId: string;
  /** Result of the action, if it differs from the result that follows from the action itself (`knownResult`). */
  readonly result?: ActionResult;
}

export const QUARTER_HOUR_MS = 15 * 60_000;
export const DAY_MS = 24 * 60 * 60_000;
