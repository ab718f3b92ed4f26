import { dirname, join, relative, resolve } from "node:path";
import { readEnvFile } from "../config/environment/env-file.ts";
import { DEFAULT_SETTINGS_FILE, LIVE_SETTINGS_FILE } from "../config/file-names.ts";
import type { EnvFile, Io } from "./io.ts";

/**
 * Reads the `.env` files of a command line: the one beside the settings file, then the one in the current folder. For a
 * name with a value in both, the first file counts.
 *
 * @throws {UsageError} if a file can't be read.
 */
export function envFilesFor(
  args: readonly string[],
  { cwd, env }: Pick<Io, "cwd" | "env">,
): readonly EnvFile[] {
  const settings = resolve(cwd, configIn(args) ?? DEFAULT_SETTINGS_FILE);
  const files: EnvFile[] = [];
  let earlier = env;
  for (const folder of new Set([dirname(settings), cwd])) {
    const path = join(folder, ".env");
    const values = readEnvFile(path, earlier);
    if (values === undefined) continue;
    files.push({ path, values });
    earlier = { ...earlier, ...values };
  }
  return files;
}

/** Adds variables of `.env` files to the environment of an Io. */
export function withEnvFiles(io: Io, envFiles: readonly EnvFile[]): Io {
  let { env } = io;
  for (const { values } of envFiles) env = { ...env, ...values };
  return { ...io, env, envFiles };
}

/** Returns the environment without the variables that were added from `.env` files. */
export function withoutEnvFiles({ env, envFiles = [] }: Io): Io["env"] {
  const added = new Set(envFiles.flatMap(({ values }) => Object.keys(values)));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !added.has(name)));
}

/** Returns the `.env` file for a missing variable, relative to the current folder: the first that was read, if any. */
export function envFileToFill({ cwd, envFiles = [] }: Pick<Io, "cwd" | "envFiles">): string {
  return relative(cwd, envFiles[0]?.path ?? join(cwd, ".env"));
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
