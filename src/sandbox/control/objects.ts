import type * as z from "zod";
import type { userInput, userPatch } from "../accounts/users.ts";
import type { engagementInput } from "../ads/control-routes.ts";
import type { credentialInput } from "../apps/credentials.ts";
import type { usageInput } from "../apps/usage.ts";
import type { projectInput } from "../apps/portal.ts";
import type { appInput, appPatch } from "../apps/settings.ts";
import type { faultRequest } from "../kernel/delivery/faults.ts";
import type { placeInput } from "../places/rules.ts";
import type { spaceInput, spacePatch } from "../spaces/rules.ts";
import type { actInput } from "./act.ts";
import type { streamsInput } from "./stream-routes.ts";

/** A new project of the developer portal: its name and plan. */
export type ProjectSpec = z.input<typeof projectInput>;

/** A project of the developer portal. */
export interface Project extends ProjectSpec {
  readonly project_id: string;
}

/** Settings of a new developer app; a project is created for it unless the settings name one. */
export type AppSpec = Partial<z.input<typeof appInput>>;

/** Settings of a developer app that can be changed; `project_id: null` removes it from its project. */
export type AppChange = z.input<typeof appPatch>;

/** `T` with all properties required. */
type Whole<T> = { readonly [Key in keyof T]-?: Exclude<T[Key], undefined> };

/** A developer app without its secrets. */
export type App = Whole<Omit<AppChange, "owner_id">> & {
  readonly app_id: string;
  readonly owner_id?: string;
  readonly client_id: string;
  /** Last characters of each credential that the app has, by the credential's name. */
  readonly key_hints: Readonly<Record<string, string>>;
};

/** A developer app's credentials; they are shown once. */
export interface AppCredentials {
  readonly app_id: string;
  readonly consumer_key: string;
  readonly consumer_secret: string;
  readonly bearer_token: string;
  readonly client_id: string;
  /** Client secret; present for web apps and bots. */
  readonly client_secret?: string;
}

/** Credential of an app to regenerate or revoke. */
export type CredentialChange = z.input<typeof credentialInput>;

/** Uses up or resets the daily limits of an app's write requests, and of a user's if `user_id` is set. */
export type UsageChange = z.input<typeof usageInput>;

/** A user's OAuth 1.0a token for one app. */
export interface UserTokens {
  readonly access_token: string;
  readonly access_token_secret: string;
}

/** A user of the simulated platform, with all fields of the platform's user object that have a value. */
export interface SandboxUser extends Readonly<Record<string, unknown>> {
  readonly id: string;
  /** Handle without `@`. */
  readonly username: string;
  readonly name: string;
}

/** Optional properties of a new person; the name defaults to the handle. */
export type UserSpec = Partial<Omit<z.input<typeof userInput>, "username">>;

/** Fields of a person that can be changed: any field of the user object, `email` and `password`. */
export type UserChange = z.input<typeof userPatch>;

export type { LedgerRow } from "../kernel/ledger.ts";
/** Highest request rates of the last hour, compared with the rate limits of the live platform. */
export interface LiveCost {
  /** Whether the sandbox enforces the limits. */
  readonly enabled: boolean;
  /** Rate limits that had requests, the most used (in proportion to the limit) first. */
  readonly requests: readonly {
    /** Endpoint as method and path, such as `POST /2/tweets`. */
    readonly endpoint: string;
    readonly by: "app" | "user";
    /** Id of the app or user whose requests are counted. */
    readonly who: string;
    /** Length of the window in milliseconds. */
    readonly window_ms: number;
    /** Number of requests per window that the live platform allows. */
    readonly limit: number;
    /** Highest number of requests in a window of the last hour; for windows of over an hour, in the current one. */
    readonly most: number;
    /** Number of requests by which `most` exceeds `limit`. */
    readonly over: number;
  }[];
}

export type { DeliveryRecord } from "../kernel/delivery/delivery-log.ts";
export type { PendingDelivery } from "../activity/pending-routes.ts";
export type { PortalSubscriptions } from "../activity/portal-routes.ts";
export type { PortalGrant, PortalUsage } from "../apps/portal-routes.ts";
export type { PortalWebhook } from "../webhooks/portal-routes.ts";
export type { SandboxActivity } from "../activity/activities-routes.ts";

/** An action that the sandbox performs as one of its users, such as posting, following or sending a message. */
export type Act = z.input<typeof actInput>;

/** Id of the object that the action created (post, message or like), or of the activity event that it caused. */
export interface Acted {
  readonly id: string;
  /** Text of the post or message; absent for other actions. */
  readonly text?: string;
  /** Set if a follow waits until the other person, whose posts are protected, accepts it. */
  readonly pending_follow?: true;
}

/** The sandbox's clock. */
export interface ClockReading {
  /** Current time of the sandbox's clock, in ISO 8601. */
  readonly now: string;
  /** Whether the clock is stopped. */
  readonly frozen: boolean;
  /** Milliseconds by which the sandbox's clock is ahead of the machine's. */
  readonly offset_ms: number;
  /** Time of the sandbox's next timer, such as a delivery retry. ISO 8601; only in responses that read the clock. */
  readonly next_due_at?: string;
  /** Recent occasions on which the clock was set back from `from` to `to`, oldest first. Times in ISO 8601. */
  readonly set_backs: readonly {
    /** Consecutive number of the set-back, from 1. */
    readonly n: number;
    readonly from: string;
    readonly to: string;
  }[];
}

/** Version of the package, and time, seed and world (data set) of a sandbox. */
export interface SandboxHealth {
  readonly status: "ok";
  /** Version of this package. */
  readonly version: string;
  /** Current time of the sandbox's clock, in ISO 8601. */
  readonly now: string;
  readonly seed: string;
  /** Id of the current data set (world). A reset creates a new world; ids of objects are valid in one world only. */
  readonly world_id: string;
}

/** Fault to inject: matched requests, effect, and when it applies (by default the next time). */
export type FaultSpec = z.input<typeof faultRequest>;

/** A fault that is active. */
export interface ActiveFault extends Whole<FaultSpec> {
  readonly id: string;
  /** Number of requests, deliveries or stream lines that matched the fault's conditions. */
  readonly seen: number;
  /** Number of times that the fault was applied. */
  readonly hits: number;
}

/** A stream that a caller has open. */
export interface OpenStreamState {
  readonly id: string;
  /** Kind of stream, for example `filtered`. */
  readonly kind: string;
  readonly path: string;
  readonly app_id: string;
  /** Time at which the stream was opened, in ISO 8601. */
  readonly opened_at: string;
  /** Number of sent lines, including empty lines. */
  readonly lines: number;
}

/**
 * Fault for open streams: `end` ends the response, `cut` breaks the connection, `disconnect` sends the reason and ends
 * the response, `stall` keeps the connection open but sends nothing, for `ms` or until the stream ends. A stream that
 * ends during a stall never sends the lines that the stall held back. Without a filter, the fault applies to all
 * streams.
 */
export type StreamStrike = z.input<typeof streamsInput>;

/** A public host of webhook URLs, and the server on this machine that receives the requests to the host. */
export interface HostTarget {
  readonly host: string;
  /** URL of the server on this machine. */
  readonly target: string;
}

/** An engagement of a person with an advertisement: a view or a click. */
export type EngagementSpec = z.input<typeof engagementInput>;

/** A new geographic place that posts can be tagged with. */
export type PlaceSpec = z.input<typeof placeInput>;

/** A new space (live audio conversation). */
export type SpaceSpec = z.input<typeof spaceInput>;

/** Fields of a space that can be changed, such as its state. */
export type SpaceChange = z.input<typeof spacePatch>;

/** An entry of the sandbox's event feed, such as a received request, a delivery or a change of the clock. */
export interface SandboxEvent {
  /** Sequence number, from 1. */
  readonly seq: number;
  /** Time of the event in ISO 8601, by the sandbox's clock. */
  readonly at: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** App, user, webhook and event that an exchange (request and response) belongs to. Unknown fields are absent. */
export interface ExchangeSubject {
  readonly app_id?: string;
  readonly user_id?: string;
  readonly webhook_id?: string;
  readonly event?: string;
  readonly for_user_id?: string | null;
  readonly attempt?: number;
  readonly outcome?: string;
  /** Id of the delivered activity. All attempts of a delivery have the same id. */
  readonly activity_id?: string | null;
  /** Id of the fault that was applied, if any. */
  readonly fault?: string;
  readonly fault_type?: ActiveFault["fault"]["type"];
}

/** Exchange without its bodies: a request, an attempt to reach a webhook, or a stream line that a fault applied to. */
export interface ExchangeHead extends ExchangeSubject {
  readonly seq: number;
  /** Time at which the exchange ended, in ISO 8601 by the sandbox's clock. */
  readonly at: string;
  readonly direction: "request" | "delivery" | "challenge" | "stream";
  readonly method: string;
  /** Path and query for requests and streams, the webhook's URL for deliveries and challenges. */
  readonly url: string;
  /** HTTP status; 0 if no response came or was sent. */
  readonly status: number;
  readonly ms: number;
}

/** Request or response of an exchange. Secrets are shown as their last four characters. */
export interface ExchangePart {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Size of the whole body, in bytes. */
  readonly length: number;
  /** Reason why the body is missing or incomplete. */
  readonly note?: string;
}

/** Signature of an exchange, with the parts that it is computed from. */
export interface ExchangeSignature {
  /** `oauth1` for requests, `webhook` for deliveries and challenges. */
  readonly kind: "oauth1" | "webhook";
  /** For `oauth1` the signature base string; for `webhook` the text that is signed, a body or a query. */
  readonly base?: string;
  /** Signing key with each secret masked, such as `••••&••••`. */
  readonly key: string;
  /** Name of the header with the signature, for deliveries and challenges. */
  readonly header?: string;
  readonly given: string;
  /** Signature that the sandbox expects. */
  readonly wanted?: string;
  readonly matches?: boolean;
  /** Reason why the base string or the expected signature is missing. */
  readonly note?: string;
}

/** An exchange with its request, its response and the signature. */
export interface ShownExchange extends ExchangeHead {
  readonly request: ExchangePart;
  readonly response: ExchangePart;
  readonly signature?: ExchangeSignature;
}

/** Filters of a request for exchanges. */
export interface ExchangeQuery {
  /** Sequence number of the last exchange already read. */
  readonly after?: number;
  /** Text that path, query or a body contains, such as the id of a message. */
  readonly about?: string;
  /** Id of a fault that was applied to the exchange, or `any`. */
  readonly fault?: string;
  /**
   * Condition on the request's body: a path, as `for_user_id`, or a path with a value, as `*.favorited_status.id = 1`.
   */
  readonly where?: string;
  /** Number of the newest exchanges to return; by default 100, 1,000 at most. */
  readonly limit?: number;
}

/** Stored row of advertising data, such as an engagement or a conversion. */
export type AdsRecord = Readonly<Record<string, unknown>> & { readonly id: string };

/** Stored advertising data by kind of row, oldest row first. */
export interface AdsRecords {
  readonly accounts: readonly AdsRecord[];
  readonly engagements: readonly AdsRecord[];
  readonly conversions: readonly AdsRecord[];
  readonly event_tags: readonly AdsRecord[];
  readonly app_lists: readonly AdsRecord[];
}

/** Conversion to attribute to a click or view. Windows are in days; 0 excludes clicks, or views. */
export interface ConversionToWeigh {
  readonly hashed_device_id: string;
  readonly app_store_identifier: string;
  /** Time of the conversion in ISO 8601, with a time zone. */
  readonly time: string;
  readonly click_window: number;
  readonly view_through_window: number;
}

/** Click or view that a conversion might be attributed to. Times are milliseconds since the Unix epoch. */
export interface ShownEngagement {
  readonly id: string;
  readonly type: "CLICK" | "VIEW";
  readonly at: number;
  readonly campaignName: string | null;
  /** End of the engagement's attribution window; null if the window for its type (click or view) is 0 days. */
  readonly counts_until: number | null;
  readonly wins: boolean;
  /** Reason, in a sentence, why the conversion is or is not attributed to this engagement. */
  readonly why: string;
}
