import * as z from "zod";
import type { AccountEvent } from "../events/event.ts";
import type { Trigger } from "../events/triggers.ts";
import type { AccessLevel, OAuthScope } from "../protocol/access.ts";

/**
 * What there is to know of one verb before anything is sent. Pure: how it is performed stands in the
 * outbox's `effects/`.
 */
export interface ActionKind<A> {
  /** The action as data; the type `A` is inferred from it. */
  readonly schema: z.ZodType<A>;
  readonly needs: ActionNeeds;
  /** Doing it twice is the same as doing it once. */
  readonly repeatable: boolean;
  /** People notice it: it waits in quiet hours, and is not done to who has opted out. */
  readonly noticed: boolean;
  readonly echo: ActionEcho<A>;
  /** The action in one line, for logs and lists. */
  describe(action: A): string;
}

/** What the platform asks of whoever performs an action. */
export interface ActionNeeds {
  /** Lowest permission level of the app, for tokens of OAuth 1.0a. */
  readonly access: AccessLevel;
  /** All of these, for tokens of OAuth 2.0. */
  readonly scopes: readonly OAuthScope[];
}

/** How an action comes back as an event of the account that performed it. */
export interface ActionEcho<A> {
  /** Triggers that the event can have: a rule that listens to one of them can start itself. */
  readonly triggers: readonly Trigger[];
  /**
   * Is `event` the echo of `action`? Time is not compared, so two equal actions have two equal echoes.
   *
   * @returns What the platform made; `undefined` when the event is about something else.
   */
  recognise(event: AccountEvent, action: A, sender: ActionSender): Echoed | undefined;
}

/** Who performed an action. */
export interface ActionSender {
  /** User id of the account. */
  readonly account: string;
  /** Id of the app that the account's tokens belong to, where it is known. */
  readonly appId?: string;
}

/** An action that came back. */
export interface Echoed {
  /** The platform's id of what was made: a message event or a post. Absent where nothing was made. */
  readonly platformId?: string;
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly at: number;
}

/** A text that can be sent. */
export const sentText = z.string().min(1).describe("1 character or more.");

/** An id of the platform's. */
export const platformId = z.string().min(1);
