import * as z from "zod";
import type { AccountEvent } from "../events/event.ts";
import type { Trigger } from "../events/triggers.ts";
import type { AccessLevel, OAuthScope } from "../protocol/access.ts";
import type { ResultKind } from "./action-result.ts";

/** Properties of a verb (the type of an action, such as `like`). Sending is in `runtime/outbox/effects/`. */
export interface ActionKind<A> {
  /** Schema of the action as data. The TypeScript type `A` is inferred from it. */
  readonly schema: z.ZodType<A>;
  readonly needs: ActionNeeds;
  /** Whether the action is idempotent. */
  readonly repeatable: boolean;
  /**
   * Whether people notice the action. If so, it waits in quiet hours, and is not performed towards people who have
   * opted out.
   */
  readonly noticed: boolean;
  readonly echo: ActionEcho<A>;
  readonly result: ResultKind<A>;
  /**
   * Describes the action in one line, for logs and lists.
   *
   * @param to The handle or id of the receiver.
   */
  describe(action: A, to: string): string;
}

/** Permissions that the platform requires for an action. */
export interface ActionNeeds {
  /** Lowest permission level of the app, for tokens of OAuth 1.0a. */
  readonly access: AccessLevel;
  /** Scopes for tokens of OAuth 2.0, all required. */
  readonly scopes: readonly OAuthScope[];
}

/** Echo of an action: the event by which the platform reports the action to the account. */
export interface ActionEcho<A> {
  /**
   * Possible triggers of the echo. A rule that has one of these triggers and performs the action can trigger itself.
   */
  readonly triggers: readonly Trigger[];
  /**
   * Checks whether `event` is the echo of `action`. Compares contents only, so the echo of an equal action matches.
   *
   * @returns The created object; `undefined` if the event is not the echo.
   */
  recognise(event: AccountEvent, action: A, sender: ActionSender): Echoed | undefined;
}

/** Account and app that performed an action. */
export interface ActionSender {
  /** User id of the account. */
  readonly account: string;
  /** Id of the app that owns the account's tokens, if known. */
  readonly appId?: string;
}

/** Facts about a performed action that its echo contains. */
export interface Echoed {
  /** Id of the created message event or post. Absent if the action creates nothing. */
  readonly platformId?: string;
  /** Time of the echo in milliseconds since the epoch, by the platform's clock. */
  readonly at: number;
}

/** Schema of the text of a message or post: not empty. */
export const sentText = z.string().min(1).describe("1 character or more.");

/** Schema of an id of the platform. */
export const platformId = z.string().min(1);
