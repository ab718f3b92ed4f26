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

/** A new developer app; a project is made with it unless one is named. */
export type AppSpec = Partial<z.input<typeof appInput>>;

/** What may be changed of a developer app; `project_id: null` takes it out of its project. */
export type AppChange = z.input<typeof appPatch>;

/** All of what may be left out when it is given. */
type Whole<T> = { readonly [Key in keyof T]-?: Exclude<T[Key], undefined> };

/** A developer app without its secrets. */
export type App = Whole<Omit<AppChange, "owner_id">> & {
  readonly app_id: string;
  readonly owner_id?: string;
  readonly client_id: string;
  /** The last characters of each credential that it has, by its name. */
  readonly key_hints: Readonly<Record<string, string>>;
};

/** A developer app's credentials; they are shown once. */
export interface AppCredentials {
  readonly app_id: string;
  readonly consumer_key: string;
  readonly consumer_secret: string;
  readonly bearer_token: string;
  readonly client_id: string;
  /** Web apps and bots have one. */
  readonly client_secret?: string;
}

/** Which credential of an app is made anew or revoked. */
export type CredentialChange = z.input<typeof credentialInput>;

/** Uses up an app's daily limits for writing, or gives them back; a person's of it, too, where one is named. */
export type UsageChange = z.input<typeof usageInput>;

/** A user's OAuth 1.0a token for one app. */
export interface UserTokens {
  readonly access_token: string;
  readonly access_token_secret: string;
}

/** A person who uses the platform, with every field of the user object that is known of them. */
export interface SandboxUser extends Readonly<Record<string, unknown>> {
  readonly id: string;
  /** Without @. */
  readonly username: string;
  readonly name: string;
}

/** What a new person may have besides their handle; the name is the handle unless given. */
export type UserSpec = Partial<Omit<z.input<typeof userInput>, "username">>;

/** What may be changed of a person: any field of the user object, `email` and `password`. */
export type UserChange = z.input<typeof userPatch>;

export type { LedgerRow } from "../kernel/ledger.ts";
/** Cost of the last hour on the live platform. */
export interface LiveCost {
  /** Tells whether the sandbox enforces the limits. */
  readonly enabled: boolean;
  /** A row for each limit that requests count against, the fullest first. */
  readonly requests: readonly {
    /** Method and path. */
    readonly endpoint: string;
    readonly by: "app" | "user";
    /** Id of the app or person. */
    readonly who: string;
    /** Milliseconds. */
    readonly window_ms: number;
    /** Limit of the live platform. */
    readonly limit: number;
    /** Most requests in any window of the last hour; of a longer window, in the one up to now. */
    readonly most: number;
    /** Requests above the limit. */
    readonly over: number;
  }[];
}

export type { DeliveryRecord } from "../kernel/delivery/delivery-log.ts";
export type { PendingDelivery } from "../activity/pending-routes.ts";
export type { PortalSubscriptions } from "../activity/portal-routes.ts";
export type { PortalGrant, PortalUsage } from "../apps/portal-routes.ts";
export type { PortalWebhook } from "../webhooks/portal-routes.ts";
export type { SandboxActivity } from "../activity/activities-routes.ts";

/** Something that a person does. */
export type Act = z.input<typeof actInput>;

/** What was made of it: a post, a message or an event. */
export interface Acted {
  readonly id: string;
  /** Of posts and messages. */
  readonly text?: string;
}

/** The sandbox's clock. */
export interface ClockReading {
  /** ISO 8601. */
  readonly now: string;
  /** It stands still. */
  readonly frozen: boolean;
  /** By how much it is ahead of the machine's; milliseconds. */
  readonly offset_ms: number;
  /** When the sandbox itself has something to do next, where it has. ISO 8601; told where the clock is read. */
  readonly next_due_at?: string;
  /** When it was set back lately, oldest first: it showed `from`, and shows the time from `to` on once more. ISO 8601. */
  readonly set_backs: readonly {
    /** Counts from 1, over all of the world's. */
    readonly n: number;
    readonly from: string;
    readonly to: string;
  }[];
}

/** What a sandbox says of itself. */
export interface SandboxHealth {
  readonly status: "ok";
  /** Of this package. */
  readonly version: string;
  /** ISO 8601 by the sandbox's clock. */
  readonly now: string;
  readonly seed: string;
  /** Ids of one world mean nothing in another. */
  readonly world_id: string;
}

/** A fault to be added: what it matches, what happens instead, and when; the next time unless said. */
export type FaultSpec = z.input<typeof faultRequest>;

/** A fault that is active. */
export interface ActiveFault extends Whole<FaultSpec> {
  readonly id: string;
  /** How often something matched. */
  readonly seen: number;
  /** How often it happened. */
  readonly hits: number;
}

/** A stream that somebody reads. */
export interface OpenStreamState {
  readonly id: string;
  /** Such as `filtered`. */
  readonly kind: string;
  readonly path: string;
  readonly app_id: string;
  /** ISO 8601. */
  readonly opened_at: string;
  /** Lines that were sent, empty ones included. */
  readonly lines: number;
}

/**
 * What happens to open streams: `end` ends the response, `cut` breaks the connection, `disconnect` says in the stream why it
 * ends, `stall` keeps it open and sends nothing more, for `ms` or for good. All of them, unless it says which.
 */
export type StreamStrike = z.input<typeof streamsInput>;

/** A webhook's host, and the server on this machine that stands behind it. */
export interface HostTarget {
  readonly host: string;
  /** URL. */
  readonly target: string;
}

/** Somebody who saw or clicked an advertisement. */
export type EngagementSpec = z.input<typeof engagementInput>;

/** A place that posts can name. */
export type PlaceSpec = z.input<typeof placeInput>;

/** A space that somebody opens. */
export type SpaceSpec = z.input<typeof spaceInput>;

/** What may be changed of a space, such as its state. */
export type SpaceChange = z.input<typeof spacePatch>;

/** Something that happened in the sandbox. */
export interface SandboxEvent {
  /** 1 for the first, then one more each. */
  readonly seq: number;
  /** ISO 8601 by the sandbox's clock. */
  readonly at: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Subject of an exchange, as far as it is known. */
export interface ExchangeSubject {
  readonly app_id?: string;
  readonly user_id?: string;
  readonly webhook_id?: string;
  readonly event?: string;
  readonly for_user_id?: string | null;
  readonly attempt?: number;
  readonly outcome?: string;
  /** What a delivery told of, the same in each attempt. */
  readonly activity_id?: string | null;
  /** The fault that met it, by its id, and what that does. */
  readonly fault?: string;
  readonly fault_type?: ActiveFault["fault"]["type"];
}

/** A request that the platform got, its own attempt to reach a webhook, or a line of a stream that a fault met. */
export interface ExchangeHead extends ExchangeSubject {
  readonly seq: number;
  /** ISO 8601 by the sandbox's clock. */
  readonly at: string;
  readonly direction: "request" | "delivery" | "challenge" | "stream";
  readonly method: string;
  /** Path and query of requests and streams, else the webhook's URL. */
  readonly url: string;
  /** 0 where no response came or was sent. */
  readonly status: number;
  readonly ms: number;
}

/** One side of an exchange. Secrets are shown as their last four characters. */
export interface ExchangePart {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes of the whole body. */
  readonly length: number;
  /** Where the body is not shown, or not all of it. */
  readonly note?: string;
}

/** How an exchange was signed. */
export interface ExchangeSignature {
  /** `oauth1` of requests, `webhook` of deliveries and challenges. */
  readonly kind: "oauth1" | "webhook";
  /** What was signed: the signature base string, or the text. */
  readonly base?: string;
  /** The shape of the key, without secrets. */
  readonly key: string;
  /** The header that has it, of deliveries and challenges. */
  readonly header?: string;
  readonly given: string;
  /** As the sandbox makes it. */
  readonly wanted?: string;
  readonly matches?: boolean;
  /** Why something of it is not known. */
  readonly note?: string;
}

/** An exchange with what was sent both ways. */
export interface ShownExchange extends ExchangeHead {
  readonly request: ExchangePart;
  readonly response: ExchangePart;
  readonly signature?: ExchangeSignature;
}

/** Which exchanges are asked for. */
export interface ExchangeQuery {
  /** Sequence number of the last one that is known. */
  readonly after?: number;
  /** A text that path, query or a body holds, such as the id of a message. */
  readonly about?: string;
  /** Id of a fault that met them, or `any`. */
  readonly fault?: string;
  /** What the request's body has: a path, as `for_user_id`, or one with a value, as `*.favorited_status.id = 1`. */
  readonly where?: string;
  /** The newest so many; 100 unless given, 1,000 at most. */
  readonly limit?: number;
}

/** A row of advertising measurement, as the sandbox keeps it. */
export type AdsRecord = Readonly<Record<string, unknown>> & { readonly id: string };

/** What there is in advertising measurement, oldest first. */
export interface AdsRecords {
  readonly accounts: readonly AdsRecord[];
  readonly engagements: readonly AdsRecord[];
  readonly conversions: readonly AdsRecord[];
  readonly event_tags: readonly AdsRecord[];
  readonly app_lists: readonly AdsRecord[];
}

/** A conversion as attribution sees it. Windows are in days; 0 turns a kind off. */
export interface ConversionToWeigh {
  readonly hashed_device_id: string;
  readonly app_store_identifier: string;
  /** ISO 8601 with its zone. */
  readonly time: string;
  readonly click_window: number;
  readonly view_through_window: number;
}

/** An engagement that was looked at for a conversion. Times are milliseconds since the epoch. */
export interface ShownEngagement {
  readonly id: string;
  readonly type: "CLICK" | "VIEW";
  readonly at: number;
  readonly campaignName: string | null;
  /** Null where its kind does not count. */
  readonly counts_until: number | null;
  readonly wins: boolean;
  /** Why it won or lost, in a sentence. */
  readonly why: string;
}
