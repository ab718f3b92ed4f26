import * as z from "zod";
import { PLAN_LIMITS } from "../../interface/limits.ts";
import { users } from "../accounts/entities.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type App, apps, type Project, projects } from "./entities.ts";
import { voidTokens } from "./grants.ts";
import { freshBearer, freshKey, freshSecret } from "./secrets.ts";
import {
  type AppInput,
  type AppPatch,
  checkSettings,
  isConfidential,
  patched,
} from "./settings.ts";

export const projectInput = z.strictObject({
  name: z.string().min(1),
  plan: z.enum(["free", "basic", "pro", "enterprise"]),
});

export function createProject(sandbox: Sandbox, input: z.infer<typeof projectInput>): Project {
  return projects.in(sandbox.world).put({ id: sandbox.world.ids.next(), ...input });
}

/**
 * A new app with its first credentials. An enterprise project is made with it unless one is named;
 * `project_id: null` leaves it outside.
 *
 * @throws {Refusal} 400 when the project is full or unknown, or a setting is not allowed.
 */
export function createApp(sandbox: Sandbox, input: AppInput): App {
  const { world } = sandbox;
  const wished = patched(bareApp(sandbox, input.name), input);
  const app = isConfidential(wished) ? { ...wished, clientSecret: freshSecret(world) } : wished;
  checkSettings(app);
  checkOwner(sandbox, app);
  if (typeof input.project_id === "string") checkRoom(sandbox, input.project_id);
  const projectId =
    input.project_id === undefined
      ? createProject(sandbox, { name: `${input.name} project`, plan: "enterprise" }).id
      : (input.project_id ?? "");
  return apps.in(world).put({ ...app, projectId });
}

/**
 * Changes an app. A new permission level discards the OAuth 1.0a tokens issued before.
 *
 * @throws {Refusal} 400 when the changed app would break a rule; then nothing changed.
 */
export function changeApp(sandbox: Sandbox, app: App, patch: AppPatch): App {
  const wished = patched(app, patch);
  checkSettings(wished);
  checkOwner(sandbox, wished);
  const projectId = patch.project_id === undefined ? app.projectId : (patch.project_id ?? "");
  if (projectId !== "" && projectId !== app.projectId) checkRoom(sandbox, projectId);
  if (wished.level !== app.level) voidTokens(sandbox, app.id);
  const clientSecret = isConfidential(wished)
    ? (app.clientSecret ?? freshSecret(sandbox.world))
    : undefined;
  return apps.in(sandbox.world).put({ ...wished, projectId, clientSecret });
}

function bareApp({ world, time }: Sandbox, name: string): App {
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

function checkOwner({ world }: Sandbox, { ownerId }: App): void {
  if (ownerId === undefined || users.in(world).get(ownerId) !== undefined) return;
  throw Refusal.control(400, "unknown_user", `owner_id: there is no user ${ownerId}.`);
}

function checkRoom({ world }: Sandbox, projectId: string): void {
  const project = projects.in(world).get(projectId);
  if (project === undefined) {
    throw Refusal.control(400, "unknown_project", `There is no project ${projectId}.`);
  }
  const most = PLAN_LIMITS[project.plan].apps;
  if (apps.in(world).count("project", projectId) < most) return;
  throw Refusal.control(
    400,
    "project_full",
    `A ${project.plan} project holds at most ${most} app${most === 1 ? "" : "s"}.`,
  );
}
