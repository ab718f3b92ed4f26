import type { Dialect } from "../../interface/dialects.ts";
import type { Call } from "../kernel/route.ts";
import type { World } from "../kernel/world.ts";

/** Who reads, and in which words: what rendering depends on besides the world. */
export interface Reader {
  readonly world: World;
  readonly baseUrl: string;
  readonly dialect: Dialect;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Id of the user the request speaks for; absent for an app alone. */
  readonly viewer: string | undefined;
  /** Whether the app and the token let the viewer's own email address be read. */
  readonly email: boolean;
}

export function readerOf({ sandbox, caller, dialect }: Call): Reader {
  return {
    world: sandbox.world,
    baseUrl: sandbox.baseUrl,
    dialect,
    now: sandbox.time.now(),
    viewer: "user" in caller ? caller.user.id : undefined,
    email:
      (caller.kind === "oauth1" && caller.app.email) ||
      (caller.kind === "oauth2" && caller.scopes.includes("users.email")),
  };
}
