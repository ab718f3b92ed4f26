import type { CallOptions, Client, EndpointName } from "../../../client/client.ts";

/** The client that acts for an account. */
export type ActingClient = Client<"oauth1">;

/** What the outbox can do with one verb, besides what `actions/` knows of it. */
interface Performed<A> {
  /** The endpoint that {@link perform} calls, and the platform's limits that count for it; all hold at once. */
  readonly endpoint: EndpointName;
  readonly budget: readonly SendLimit[];
  /**
   * Does it, with one request.
   *
   * @returns The platform's id of what was made, where something was.
   */
  perform(
    client: ActingClient,
    account: string,
    action: A,
    options: CallOptions,
  ): Promise<string | undefined>;
}

/** A verb of which nothing shows on the platform whether it was done: what is unknown stays so. */
export interface UnshownEffect<A> extends Performed<A> {
  readonly find?: undefined;
}

/** A verb that shows on the platform. */
export interface Effect<A> extends Performed<A> {
  /** The endpoint that {@link find} reads, and its limits. */
  readonly reads: { readonly endpoint: EndpointName; readonly budget: readonly SendLimit[] };
  /**
   * Finds it again, when nobody knows whether the request got through.
   *
   * @returns Everything on the platform that this action may have made, oldest first: two equal actions
   *   have two candidates. Empty: it was not done, as far as the platform shows by now.
   * @throws what the client throws when the platform can't be read: then nothing is known.
   */
  find(
    client: ActingClient,
    account: string,
    action: A,
    window: SearchWindow,
    options?: CallOptions,
  ): Promise<readonly Candidate[]>;
}

/** A limit of the platform. */
export interface SendLimit {
  /** Requests that are allowed in one window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Whose requests are counted together. */
  readonly per: "account" | "app";
}

/** When it may have been done, by the platform's clock: both ends count. Milliseconds since the epoch. */
export interface SearchWindow {
  readonly since: number;
  readonly until: number;
}

/** Something on the platform that an action may have made. */
export interface Candidate {
  /** Its id: of the message event, the post, or of what is liked or followed. */
  readonly platformId: string;
  /** When it was made, in milliseconds since the epoch; the end of the window where the platform doesn't show it. */
  readonly at: number;
}

export const QUARTER_HOUR_MS = 15 * 60_000;
export const DAY_MS = 24 * 60 * 60_000;
