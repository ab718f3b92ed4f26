import { ACCESS_LEVELS } from "../../protocol/access.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RequestCaller, RouteAccess } from "./caller.ts";

/**
 * Checks that the level or scopes of an authenticated caller suffice for the route.
 *
 * @throws {ApiError} 403.
 */
export function checkPermission(caller: RequestCaller, route: Omit<RouteAccess, "auth">): void {
  if ("app" in caller && caller.app.projectId === "" && route.path.startsWith("/2/")) {
    throw outsideProject(caller.app.id);
  }
  if (caller.kind === "oauth1" && route.level !== undefined) {
    if (ACCESS_LEVELS.indexOf(caller.level) >= ACCESS_LEVELS.indexOf(route.level)) return;
    throw ApiError.forbidden(
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
  throw ApiError.forbidden("Forbidden");
}

/** Error for keys of an app without a project. Source: the live service's response. */
function outsideProject(appId: string): ApiError {
  return ApiError.forbidden(
    "When authenticating requests to the v2 endpoints, you must use keys and tokens from a developer app that is attached to a project. You can create a project via the developer portal.",
    {
      title: "Client Forbidden",
      problem: "client-forbidden",
      extra: {
        client_id: appId,
        registration_url: "https://platform.example/docs/projects",
        required_enrollment: "Appropriate Level of API Access",
        reason: "client-not-enrolled",
      },
    },
  );
}
