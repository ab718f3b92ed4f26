import { dirname, resolve } from "node:path";
import { listFiles } from "../../config/find-files.ts";
import { DEFAULT_GLOBS, INIT_GLOBS } from "../../config/schema/settings-schema.ts";
import type { Settings } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
import type { RuntimeStatus } from "../../runtime/vocabulary.ts";

/** Maximum loading time of a bot in milliseconds for a caller that needs all bots. A busy machine takes a while. */
export const ALL_BOTS_PATIENCE_MS = 60_000;

/**
 * Refuses globs that match no file. The globs of a settings file that are the default, or that `init` writes, may match
 * nothing, if there are other rules or bots.
 *
 * @param rules Absolute globs of rule files, and rules that are no files.
 * @throws {UsageError} if a glob matches no file.
 */
export async function refuseUnmatched(
  rules: { readonly globs: readonly string[]; readonly texts: readonly unknown[] },
  { bots, file }: Pick<Settings, "bots" | "file">,
): Promise<void> {
  const globs = [...rules.globs, ...bots];
  const files = await Promise.all(globs.map((glob) => listFiles([glob])));
  const unmatched = globs.filter((_, index) => files[index]?.length === 0);
  const usual = [...DEFAULT_GLOBS, ...Object.values(INIT_GLOBS)];
  const defaults = file === undefined ? [] : usual.map((glob) => resolve(dirname(file), glob));
  const isEmpty = rules.texts.length === 0 && unmatched.length === globs.length;
  const missing = isEmpty ? unmatched : unmatched.filter((glob) => !defaults.includes(glob));
  if (missing.length === 0) return;
  throw new UsageError(`no file matches ${missing.join(", ")}`, {
    hint: "globs of a settings file start from its folder, other globs from the option cwd or the current folder",
  });
}

/**
 * Refuses rules with errors, and bots that are not loaded.
 *
 * @throws {UsageError} with one line for each fault.
 */
export function refuseFaulty({
  rules,
  botFaults,
  loadingBots = [],
}: Pick<RuntimeStatus, "rules" | "botFaults" | "loadingBots">): void {
  const late = loadingBots.filter(({ failed }) => failed === undefined);
  const seconds = ALL_BOTS_PATIENCE_MS / 1_000;
  const faults = [
    ...rules.problems.filter((problem) => /^.*?:\d+:\d+: error: /.test(problem)),
    ...botFaults,
    ...late.map(({ file }) => `${file}: not loaded within ${seconds} s`),
  ];
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
}
