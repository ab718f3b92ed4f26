import { dirname, join, resolve } from "node:path";
import { readEnvFile } from "../config/environment/env-file.ts";
import { DEFAULT_SETTINGS_FILE, LIVE_SETTINGS_FILE } from "../config/file-names.ts";
import type { Io } from "./io.ts";

/** A file with environment variables. */
export interface EnvFile {
  /** Absolute path of the environment file. */
  readonly path: string;
  /** Variables of the file, except those that the process's environment already has. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * The `.env` file beside the settings file of a command line, else the one in the current folder; undefined if
 * neither exists.
 *
 * @throws {UsageError} if the file can't be read.
 */
export function envFileFor(
  args: readonly string[],
  { cwd, env }: Pick<Io, "cwd" | "env">,
): EnvFile | undefined {
  const settings = resolve(cwd, configIn(args) ?? DEFAULT_SETTINGS_FILE);
  for (const folder of new Set([dirname(settings), cwd])) {
    const path = join(folder, ".env");
    const values = readEnvFile(path, env);
    if (values !== undefined) return { path, values };
  }
  return undefined;
}

/** Returns the settings file that `--config` (the last one) or `--live` gives. */
function configIn(args: readonly string[]): string | undefined {
  const named = args.flatMap((arg, at) =>
    arg === "--config" || arg === "-c"
      ? (args[at + 1] ?? [])
      : (/^(?:--config=|-c=?)(.+)$/s.exec(arg)?.[1] ?? []),
  );
  return named.at(-1) ?? (args.includes("--live") ? LIVE_SETTINGS_FILE : undefined);
}
