import type { SecretMask } from "../../system/secrets/secret-mask.ts";
import type { OpenedParts, SettledOptions } from "./settled-options.ts";
import type { ServeConsole } from "../operate.ts";

/** Returns the function that serves the console; undefined if the settings name no address for it. */
export function consoleOf(
  { settings, base, readRules }: SettledOptions,
  { sandbox, recent, process, rules, clock, events, log }: OpenedParts,
  mask: SecretMask,
): ServeConsole | undefined {
  const { target } = settings;
  const { listen: at, adminToken } = settings.console;
  if (at === undefined || recent === undefined) return undefined;
  const { folder } = process;
  return async (handlers) => {
    // the console's modules load only if it is served
    const console = await import("../../console/serve-console.ts");
    if (adminToken !== undefined) mask.hide(adminToken);
    return console.serveConsole({
      at,
      folder,
      log: log.child({ stage: "console" }),
      mask,
      adminToken,
      linkRole: target === "sandbox" ? "operator" : "reader",
      runtime: {
        handlers,
        folder,
        base,
        rules,
        events,
        recent,
        readRules,
        target,
        now: () => clock.now(),
      },
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
}
