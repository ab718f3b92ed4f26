import * as z from "zod";
import { findUser } from "../accounts/find.ts";
import { controlInput } from "../control/input.ts";
import type { Route } from "../kernel/route.ts";
import { findApp } from "./find.ts";
import { issueAccessToken } from "./grants.ts";
import { appInput, appPatch, changeApp, createApp, createProject, projectInput } from "./portal.ts";
import { renderApp, renderCredentials } from "./render.ts";

/** What the developer portal does, through the control interface. */
export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/_sandbox/projects",
    auth: ["control"],
    handle: (call) => ({
      body: { project_id: createProject(call.sandbox, controlInput(call, projectInput)).id },
    }),
  },
  {
    method: "POST",
    path: "/_sandbox/apps",
    auth: ["control"],
    handle: (call) => ({
      body: renderCredentials(createApp(call.sandbox, controlInput(call, appInput))),
    }),
  },
  {
    method: "GET",
    path: "/_sandbox/apps/:id",
    auth: ["control"],
    handle: ({ sandbox, params }) => ({ body: renderApp(findApp(sandbox, params["id"] ?? "")) }),
  },
  {
    method: "PATCH",
    path: "/_sandbox/apps/:id",
    auth: ["control"],
    handle: (call) => {
      const app = findApp(call.sandbox, call.params["id"] ?? "");
      return { body: renderApp(changeApp(call.sandbox, app, controlInput(call, appPatch))) };
    },
  },
  {
    method: "POST",
    path: "/_sandbox/users/:id/tokens",
    auth: ["control"],
    handle: (call) => {
      const { app_id: appId } = controlInput(call, z.strictObject({ app_id: z.string() }));
      const user = findUser(call.sandbox, call.params["id"] ?? "");
      const { token, secret } = issueAccessToken(call.sandbox, findApp(call.sandbox, appId), user);
      return { body: { access_token: token, access_token_secret: secret } };
    },
  },
];
