import { spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import type { Io } from "../io.ts";

const FAILS_WITHIN_MS = 300;

/**
 * Opens `url` in the person's browser if there is one. Failures are ignored, since
 * the address is also printed in the terminal.
 */
export async function openBrowser(url: string, env: Io["env"], signal: AbortSignal): Promise<void> {
  const [program, ...args] = commandFor(url, env) ?? [];
  if (program === undefined) return;
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  child.unref();
  const failed = new Promise((resolve) => child.once("error", resolve));
  await Promise.race([failed, wait(FAILS_WITHIN_MS, undefined, { signal }).catch(() => undefined)]);
}

/** Command that opens a browser; undefined over SSH, in CI or without a display, where no person would see it. */
function commandFor(url: string, env: Io["env"]): readonly string[] | undefined {
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  if (isSet("CI") || isSet("SSH_CONNECTION")) return undefined;
  if (process.platform === "darwin") return ["open", url];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") ? ["xdg-open", url] : undefined;
}
