import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** A Chromium browser installed on this machine. */
export interface ChromiumProgram {
  readonly path: string;
  /** Environment variables that the program needs in addition to those of this process. */
  readonly env: Readonly<Record<string, string>>;
}

const ANSWERS_WITHIN_MS = 60_000;

/**
 * Returns whether a program starts. On some systems, an existing file does not start: Ubuntu's `chromium-browser` only
 * names another package.
 */
export async function starts({ path, env }: ChromiumProgram): Promise<boolean> {
  const options = { env: { ...process.env, ...env }, timeout: ANSWERS_WITHIN_MS };
  return execute(path, ["--version"], options).then(
    ({ stdout }) => /\d+\.\d+/u.test(stdout),
    () => false,
  );
}
