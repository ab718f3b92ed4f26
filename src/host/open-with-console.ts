import { openFromSettings, type Runtime, type SettledOptions } from "./open-from-settings.ts";

/**
 * Opens a runtime from settings that are read already, with the console if the settings name a place for it.
 *
 * @throws {UsageError} when something that the target needs is not set.
 * @throws {StoreError} when the store can't be opened.
 */
export function openWithConsole(options: Omit<SettledOptions, "serveConsole">): Promise<Runtime> {
  return openFromSettings({ ...options, serveConsole });
}

const serveConsole: SettledOptions["serveConsole"] = async ({
  at,
  settings,
  sandbox,
  mask,
  ...parts
}) => {
  // who has no console need not load it
  const console = await import("../console/serve-console.ts");
  const { target } = settings;
  const { adminToken } = settings.console;
  const log = parts.log.child({ stage: "console" });
  if (adminToken !== undefined) mask.hide(adminToken);
  return console.serveConsole({
    at,
    folder: parts.folder,
    log,
    mask,
    adminToken,
    linkRole: target === "sandbox" ? "operator" : "reader",
    runtime: { ...parts, target, now: () => parts.clock.now() },
    ...(sandbox && {
      sandbox: {
        baseUrl: sandbox.baseUrl,
        adsUrl: sandbox.adsBaseUrl,
        control: { url: sandbox.controlUrl, token: sandbox.controlToken },
        app: sandbox.app,
        bot: sandbox.bot,
      },
    }),
  });
};
