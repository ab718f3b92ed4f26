import { ACCESS_LEVELS } from "../../interface/access.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Route } from "../kernel/route.ts";
import type { Caller } from "./caller.ts";

/**
 * Lets a proven caller through when its level or scopes reach what the route needs.
 *
 * @throws {Refusal} 403.
 */
export function permit(caller: Caller, route: Pick<Route, "level" | "scopes">): void {
  if (caller.kind === "oauth1" && route.level !== undefined) {
    if (ACCESS_LEVELS.indexOf(caller.level) >= ACCESS_LEVELS.indexOf(route.level)) return;
    throw Refusal.forbidden(
      "Your client app is not configured with the appropriate oauth1 app permissions for this endpoint.",
      {
        problem: "oauth1-permissions",
        v1: route.level === "read-write" ? 261 : 93,
        ads: "READONLY_CLIENT_APPLICATION",
      },
    );
  }
  if (caller.kind !== "oauth2") return;
  if ((route.scopes ?? []).every((scope) => caller.scopes.includes(scope))) return;
  throw Refusal.forbidden("Forbidden");
}
