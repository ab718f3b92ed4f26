import * as z from "zod";
import { assumed, documented } from "../kernel/ledger.ts";
import { PORTAL, controlInput } from "../server/control-input.ts";
import { findUser } from "../model/accounts.ts";
import type { Route } from "../server/route.ts";
import { findApp, apps, projects } from "../model/apps.ts";
import { issueAccessToken } from "./grants.ts";
import { changeCredential, credentialInput } from "./credentials.ts";
import { changeApp, createApp, createProject, projectInput } from "./portal.ts";
import { renderApp, renderCredentials, renderProject } from "./render.ts";
import { portalRoutes } from "./portal-routes.ts";
import { appInput, appPatch } from "./settings.ts";
import { usageRoutes } from "./usage-routes.ts";

/** Section of the platform's documentation that describes an app's settings. */
export const SECTION = "Developer app settings";

/** Routes of the developer portal in the control interface. */
export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/_sandbox/projects",
    ...PORTAL,
    handle: (call) => ({
      body: { project_id: createProject(call.sandbox, controlInput(call, projectInput)).id },
    }),
  },
  {
    method: "GET",
    path: "/_sandbox/projects",
    ...PORTAL,
    handle: ({ sandbox: { world } }) => ({
      body: { projects: [...projects.in(world).all()].map(renderProject) },
    }),
  },
  {
    method: "POST",
    path: "/_sandbox/apps",
    ...PORTAL,
    handle: (call) => ({
      body: renderCredentials(createApp(call.sandbox, controlInput(call, appInput))),
    }),
  },
  {
    method: "GET",
    path: "/_sandbox/apps",
    ...PORTAL,
    handle: ({ sandbox }) => ({
      body: { apps: [...apps.in(sandbox.world).all()].map((app) => renderApp(sandbox, app)) },
    }),
  },
  {
    method: "GET",
    path: "/_sandbox/apps/:id",
    ledger: documented(SECTION, "Shows the last characters of keys, never a secret."),
    auth: ["control"],
    handle: ({ sandbox, params }) => ({
      body: renderApp(sandbox, findApp(sandbox, params["id"] ?? "")),
    }),
  },
  {
    method: "PATCH",
    path: "/_sandbox/apps/:id",
    ...PORTAL,
    handle: (call) => {
      const app = findApp(call.sandbox, call.params["id"] ?? "");
      const changed = changeApp(call.sandbox, app, controlInput(call, appPatch));
      return { body: renderApp(call.sandbox, changed) };
    },
  },
  {
    method: "POST",
    path: "/_sandbox/apps/:id/credentials",
    ledger: documented(
      SECTION,
      "Regenerate or revoke; a new secret is shown once. Regenerating the API key keeps the users' tokens (assumed).",
    ),
    auth: ["control"],
    handle: (call) => {
      const app = findApp(call.sandbox, call.params["id"] ?? "");
      return { body: changeCredential(call.sandbox, app, controlInput(call, credentialInput)) };
    },
  },
  {
    method: "POST",
    path: "/_sandbox/users/:id/tokens",
    ledger: assumed("Gives the result of the log-in without its pages."),
    auth: ["control"],
    handle: (call) => {
      const { app_id: appId } = controlInput(call, z.strictObject({ app_id: z.string() }));
      const user = findUser(call.sandbox, call.params["id"] ?? "");
      const { token, secret } = issueAccessToken(call.sandbox, findApp(call.sandbox, appId), user);
      return { body: { access_token: token, access_token_secret: secret } };
    },
  },
  ...portalRoutes,
  ...usageRoutes,
];
