import type { Dialect } from "../../protocol/dialects.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";

/** Viewer and dialect: what rendering depends on besides the world. */
export interface RenderContext {
  readonly world: SandboxWorld;
  readonly baseUrl: string;
  readonly dialect: Dialect;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Id of the user on whose behalf the request is made; absent for an app alone. */
  readonly viewer: string | undefined;
  /** Whether the app and the token let the viewer's own email address be read. */
  readonly email: boolean;
}
