import type { RenderContext } from "../rendering/render-context.ts";
import type { RouteCall } from "../server/route.ts";

/** Viewer and dialect of a request, for rendering its response. */
export function renderContext({ sandbox, caller, dialect }: RouteCall): RenderContext {
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
