import { ControlConnection } from "../../sandbox/control/connection.ts";
import type { App, AppCredentials } from "../../sandbox/control/objects.ts";
import type { ShownSandbox } from "../console-needs.ts";

type AppKeys = NonNullable<ShownSandbox["app"]>;

const NAME = "Console";
const DESCRIPTION = "The console calls the platform with it, since no bot's app is known here.";

/** App that this process uses or creates, by the URL of the sandbox's control interface. */
const ownApps = new Map<string, Promise<AppKeys>>();

/**
 * Returns the app for requests to the platform: the bot's app, or in a sandbox without a bot, an app that the console
 * creates.
 */
export async function appOf({ app, control }: ShownSandbox): Promise<AppKeys> {
  if (app !== undefined) return app;
  const connection = new ControlConnection(control.url, control.token);
  const before = ownApps.get(control.url);
  const current = existingApp(connection, before).then(
    (existing) => existing ?? makeApp(connection),
  );
  ownApps.set(control.url, current);
  return current;
}

/**
 * Waits for the app of the previous request. Returns `undefined` if that request failed, or if the app no longer
 * exists, because the sandbox's data was emptied or replaced by a snapshot.
 */
async function existingApp(
  connection: ControlConnection,
  before: Promise<AppKeys> | undefined,
): Promise<AppKeys | undefined> {
  const app = await before?.catch(() => undefined);
  if (app === undefined) return undefined;
  return (await appsIn(connection)).some(({ app_id: id }) => id === app.id) ? app : undefined;
}

/**
 * Creates the console's app. If an earlier console process created it, regenerates its keys: only consoles use them.
 */
async function makeApp(control: ControlConnection): Promise<AppKeys> {
  const earlier = (await appsIn(control)).find(({ name }) => name === NAME);
  if (earlier !== undefined) {
    const path = `/apps/${encodeURIComponent(earlier.app_id)}/credentials`;
    const anew = (kind: string) => control.post<AppCredentials>(path, { kind, do: "regenerate" });
    return keysIn({
      ...(await anew("api_key")),
      ...(await anew("bearer")),
      app_id: earlier.app_id,
    });
  }
  const spec = {
    name: NAME,
    description: DESCRIPTION,
    permission_level: "read-write-directmessages",
    callback_urls: [],
  };
  return keysIn(await control.post<AppCredentials>("/apps", spec));
}

async function appsIn(control: ControlConnection): Promise<readonly App[]> {
  return (await control.get<{ apps: readonly App[] }>("/apps")).apps;
}

function keysIn(appCredentials: Omit<AppCredentials, "client_id" | "client_secret">): AppKeys {
  return {
    id: appCredentials.app_id,
    consumerKey: appCredentials.consumer_key,
    consumerSecret: appCredentials.consumer_secret,
    bearerToken: appCredentials.bearer_token,
  };
}
