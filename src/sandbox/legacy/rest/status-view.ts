import type { RouteCall } from "../../server/route.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import type { LegacyParameters } from "./parameters.ts";

/** Viewer and options for rendering statuses. */
export interface StatusView {
  readonly world: SandboxWorld;
  /** Id of the viewer; absent for an app without a user. */
  readonly viewer: string | undefined;
  /** Whether the whole text is rendered, as `full_text`. */
  readonly extended: boolean;
  readonly trimUser: boolean;
  readonly entities: boolean;
}

/** Reads `tweet_mode`, `trim_user` and `include_entities`. */
export function viewOf({ sandbox, caller }: RouteCall, params: LegacyParameters): StatusView {
  return {
    world: sandbox.world,
    viewer: "user" in caller ? caller.user.id : undefined,
    extended: params.text("tweet_mode") === "extended",
    trimUser: params.flag("trim_user"),
    entities: params.flag("include_entities", true),
  };
}
