import type { AccessLevel, Scope } from "../../interface/access.ts";
import type { User } from "../accounts/entities.ts";
import type { App } from "../apps/entities.ts";
import { Refusal } from "../kernel/refusal.ts";

/** Who sent a request, proven. */
export type Caller =
  | { readonly kind: "nobody" }
  | { readonly kind: "control" }
  | { readonly kind: "bearer"; readonly app: App }
  | { readonly kind: "basic"; readonly app: App }
  | {
      readonly kind: "oauth1";
      readonly app: App;
      readonly user: User;
      readonly level: AccessLevel;
      readonly token: string;
    }
  | {
      readonly kind: "oauth2";
      readonly app: App;
      readonly user: User;
      readonly scopes: readonly Scope[];
      readonly token: string;
    }
  | {
      readonly kind: "signed";
      readonly app: App;
      /** OAuth parameters of the header, query and form together. */
      readonly oauth: ReadonlyMap<string, string>;
      /**
       * Whether the signature fits with this token secret. Ask once: it uses up the nonce.
       *
       * @throws {Refusal} 401 where it fits but is stale or was sent before.
       */
      readonly prove: (tokenSecret: string) => boolean;
    };

/** The app behind a request. @throws {Refusal} 401 when there is none. */
export function appOf(caller: Caller): App {
  if (caller.kind === "nobody" || caller.kind === "control") throw Refusal.unauthorized();
  return caller.app;
}

/** The user a request speaks for. @throws {Refusal} 401 when there is none. */
export function userOf(caller: Caller): User {
  if (caller.kind !== "oauth1" && caller.kind !== "oauth2") throw Refusal.unauthorized();
  return caller.user;
}

/** The header value `x-access-level` of a caller, where it has one. */
export function levelOf(caller: Caller): AccessLevel | undefined {
  if (caller.kind === "oauth1") return caller.level;
  if (caller.kind === "bearer") return "read";
  if (caller.kind === "signed") return caller.app.level;
  if (caller.kind !== "oauth2") return undefined;
  if (caller.scopes.includes("dm.write")) return "read-write-directmessages";
  return caller.scopes.some((scope) => scope.endsWith(".write")) ? "read-write" : "read";
}
