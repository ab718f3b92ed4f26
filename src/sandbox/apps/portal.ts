import * as z from "zod";
import { ACCESS_LEVELS } from "../../interface/access.ts";
import { DIALECTS } from "../../interface/dialects.ts";
import { CALLBACK_URLS_PER_APP, PLAN_LIMITS } from "../../interface/limits.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { callbackFault } from "./callback.ts";
import { type App, apps, type Project, projects } from "./entities.ts";

export const projectInput = z.strictObject({
  name: z.string().min(1),
  plan: z.enum(["free", "basic", "pro", "enterprise"]),
});

const settings = {
  name: z.string().min(1),
  permission_level: z.enum(ACCESS_LEVELS),
  callback_urls: z.array(z.string()),
  website_url: z.string(),
  email: z.boolean(),
  terms_url: z.string(),
  privacy_url: z.string(),
  sign_in: z.boolean(),
  oauth1: z.boolean(),
  oauth2: z.boolean(),
  oauth2_type: z.enum(["native", "spa", "web", "bot"]),
  dialect: z.enum(DIALECTS),
};

/** A new app. Only the name must be given. */
export const appInput = z
  .strictObject(settings)
  .partial()
  .extend({ name: z.string().min(1), project_id: z.string().optional() });

/** A change of an app. */
export const appPatch = z
  .strictObject(settings)
  .partial()
  .extend({ suspended: z.boolean().optional() });

type AppPatch = z.infer<typeof appPatch>;

export function createProject(sandbox: Sandbox, input: z.infer<typeof projectInput>): Project {
  return projects.in(sandbox.world).put({ id: sandbox.world.ids.next(), ...input });
}

/** @throws {Refusal} 400 when the project is full or unknown, or a setting is not allowed. */
export function createApp(sandbox: Sandbox, input: z.infer<typeof appInput>): App {
  const { world } = sandbox;
  const project =
    input.project_id === undefined ? undefined : projects.in(world).get(input.project_id);
  if (input.project_id !== undefined && project === undefined) {
    throw Refusal.control(400, "unknown_project", `There is no project ${input.project_id}.`);
  }
  const bare: App = {
    id: world.ids.next(),
    projectId: project?.id ?? "",
    name: input.name,
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
    consumerKey: world.random.letters(25),
    consumerSecret: world.random.letters(50),
    bearerToken: `AAAAAAAAAAAAAAAAAAAAA${world.random.letters(60)}`,
    clientId: world.random.letters(34),
    clientSecret: undefined,
    createdAt: sandbox.time.now(),
  };
  const app = checked(patched(bare, input, world.random.letters(50)));
  if (project === undefined) {
    const made = createProject(sandbox, { name: `${input.name} project`, plan: "enterprise" });
    return apps.in(world).put({ ...app, projectId: made.id });
  }
  const most = PLAN_LIMITS[project.plan].apps;
  if (apps.in(world).count("project", project.id) >= most) {
    throw Refusal.control(
      400,
      "project_full",
      `A ${project.plan} project holds at most ${most} apps.`,
    );
  }
  return apps.in(world).put(app);
}

/** @throws {Refusal} 400 when the changed app would break a rule; then nothing changed. */
export function changeApp(sandbox: Sandbox, app: App, patch: AppPatch): App {
  return apps.in(sandbox.world).put(checked(patched(app, patch, sandbox.world.random.letters(50))));
}

function patched(app: App, patch: AppPatch, freshSecret: string): App {
  const oauth2Type = patch.oauth2_type ?? app.oauth2Type;
  const confidential = oauth2Type === "web" || oauth2Type === "bot";
  return {
    ...app,
    name: patch.name ?? app.name,
    level: patch.permission_level ?? app.level,
    callbackUrls: patch.callback_urls ?? app.callbackUrls,
    websiteUrl: patch.website_url ?? app.websiteUrl,
    termsUrl: patch.terms_url ?? app.termsUrl,
    privacyUrl: patch.privacy_url ?? app.privacyUrl,
    email: patch.email ?? app.email,
    signIn: patch.sign_in ?? app.signIn,
    oauth1: patch.oauth1 ?? app.oauth1,
    oauth2: patch.oauth2 ?? app.oauth2,
    oauth2Type,
    dialect: patch.dialect ?? app.dialect,
    suspended: patch.suspended ?? app.suspended,
    clientSecret: confidential ? (app.clientSecret ?? freshSecret) : undefined,
  };
}

function checked(app: App): App {
  const refuse = (message: string): never => {
    throw Refusal.control(400, "invalid_app", message);
  };
  if (!app.oauth1 && !app.oauth2) refuse("An app needs OAuth 1.0a, OAuth 2.0 or both.");
  if (app.email && (app.termsUrl === "" || app.privacyUrl === "")) {
    refuse("The email permission needs terms_url and privacy_url.");
  }
  if (app.callbackUrls.length > CALLBACK_URLS_PER_APP) {
    refuse(
      `callback_urls holds at most ${CALLBACK_URLS_PER_APP} entries, got ${app.callbackUrls.length}.`,
    );
  }
  for (const url of app.callbackUrls) {
    const fault = callbackFault(url);
    if (fault !== undefined) refuse(`callback_urls: ${fault}`);
  }
  return app;
}
