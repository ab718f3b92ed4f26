import * as z from "zod";
import { PLAN_LIMITS } from "../../protocol/limits.ts";
import { users } from "../model/accounts.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type AppRow, apps, type ProjectRow, projects } from "../model/apps.ts";
import { voidTokens } from "./grants.ts";
import { freshBearer, freshKey, freshSecret } from "./secrets.ts";
import {
  type AppInput,
  type AppPatch,
  checkSettings,
  isConfidential,
  applyAppPatch,
} from "./settings.ts";

export const projectInput = z.strictObject({
  name: z.string().min(1),
  plan: z.enum(["free", "basic", "pro", "pay-per-use", "enterprise"]),
});

export function createProject(sandbox: Sandbox, input: z.infer<typeof projectInput>): ProjectRow {
  return projects.in(sandbox.world).put({ id: sandbox.world.ids.next(), ...input });
}

/**
 * Creates an app with its first credentials. Without `project_id` it also creates an enterprise project; with
 * `project_id: null` the app has no project.
 *
 * @throws {ApiError} 400 when the project is full or unknown, or a setting is not allowed.
 */
export function createApp(sandbox: Sandbox, input: AppInput): AppRow {
  const { world } = sandbox;
  const changed = applyAppPatch(newApp(sandbox, input.name), input);
  const app = isConfidential(changed) ? { ...changed, clientSecret: freshSecret(world) } : changed;
  checkSettings(app);
  checkOwner(sandbox, app);
  if (typeof input.project_id === "string") checkProjectRoom(sandbox, input.project_id);
  const projectId =
    input.project_id === undefined
      ? createProject(sandbox, { name: `${input.name} project`, plan: "enterprise" }).id
      : (input.project_id ?? "");
  return apps.in(world).put({ ...app, projectId });
}

/**
 * Changes an app. A new permission level voids the OAuth 1.0a tokens issued before.
 *
 * @throws {ApiError} 400 if the changed app would break a rule of the platform; nothing has changed then.
 */
export function changeApp(sandbox: Sandbox, app: AppRow, patch: AppPatch): AppRow {
  const changed = applyAppPatch(app, patch);
  checkSettings(changed);
  checkOwner(sandbox, changed);
  const projectId = patch.project_id === undefined ? app.projectId : (patch.project_id ?? "");
  if (projectId !== "" && projectId !== app.projectId) checkProjectRoom(sandbox, projectId);
  if (changed.level !== app.level) voidTokens(sandbox, app.id);
  const clientSecret = isConfidential(changed)
    ? (app.clientSecret ?? freshSecret(sandbox.world))
    : undefined;
  return apps.in(sandbox.world).put({ ...changed, projectId, clientSecret });
}

function newApp({ world, time }: Sandbox, name: string): AppRow {
  return {
    id: world.ids.next(),
    projectId: "",
    name,
    iconUrl: "",
    description: "",
    organizationName: "",
    organizationUrl: "",
    purpose: "",
    level: "read",
    callbackUrls: [],
    websiteUrl: "",
    termsUrl: "",
    privacyUrl: "",
    email: false,
    signIn: true,
    oauth1: true,
    oauth2: true,
    oauth2Type: "web",
    dialect: "post",
    suspended: false,
    consumerKey: freshKey(world),
    consumerSecret: freshSecret(world),
    bearerToken: freshBearer(world),
    clientId: freshKey(world),
    clientSecret: undefined,
    createdAt: time.now(),
  };
}

function checkOwner({ world }: Sandbox, { ownerId }: AppRow): void {
  if (ownerId === undefined || users.in(world).get(ownerId) !== undefined) return;
  throw ApiError.control(400, "unknown_user", `owner_id: there is no user ${ownerId}.`);
}

function checkProjectRoom({ world }: Sandbox, projectId: string): void {
  const project = projects.in(world).get(projectId);
  if (project === undefined) {
    throw ApiError.control(400, "unknown_project", `There is no project ${projectId}.`);
  }
  const max = PLAN_LIMITS[project.plan].apps;
  if (apps.in(world).count("project", projectId) < max) return;
  throw ApiError.control(
    400,
    "project_full",
    `A ${project.plan} project holds at most ${max} app${max === 1 ? "" : "s"}.`,
  );
}
