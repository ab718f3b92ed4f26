import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { inject } from "vitest";
import { programOfProxy, type ReverseProxy } from "../support/reverse-proxies.ts";
import { askDoor, NothingThere } from "./door.ts";
import type { NEEDED } from "./needed.ts";

const execute = promisify(execFile);

/**
 * Requirements that a machine may lack, by the tag of the tests that need them: `// @module-tag browser` in a file, or
 * `{ tags: ["linux"] }` at a test. Such tests are skipped on such a machine, and the end of the run reports them.
 */
export const NEEDS = {
  browser: { what: "a browser", missing: missingBrowser },
  registry: { what: "the npm registry", missing: missingRegistry },
  linux: { what: "Linux", missing: missingLinux },
  "file-limit": { what: "a limit on the size of files", missing: missingFileLimit },
  "small-volume": { what: "a small volume", missing: missingVolume },
  "read-only-folder": { what: "a folder that is read-only", missing: missingReadOnly },
  "second-user": { what: "a second user", missing: missingSecondUser },
  nginx: { what: "nginx", missing: () => missingProxy("nginx") },
  caddy: { what: "Caddy", missing: () => missingProxy("caddy") },
} satisfies Record<(typeof NEEDED)[number], Need>;

export interface Need {
  readonly what: string;
  /** Returns how to get the requirement; undefined if this machine has it. */
  readonly missing: () => Promise<string | undefined>;
}

async function missingBrowser(): Promise<string | undefined> {
  try {
    await askDoor(inject("browser"));
    return undefined;
  } catch (error) {
    if (error instanceof NothingThere) return error.message;
    throw error;
  }
}

async function missingRegistry(): Promise<string | undefined> {
  const flags = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--prefer-online"];
  return execute("npm", ["view", "tsx", "version", ...flags]).then(
    () => undefined,
    () => "connect to it",
  );
}

async function missingLinux(): Promise<string | undefined> {
  return process.platform === "linux" ? undefined : "run them there";
}

async function missingFileLimit(): Promise<string | undefined> {
  const limits = spawnSync("prlimit", ["--pid", String(process.pid), "--fsize"]).status === 0;
  return limits ? undefined : "install prlimit";
}

async function missingVolume(): Promise<string | undefined> {
  return mayMount() ? undefined : "run them as one who may mount";
}

/**
 * Checks whether this user may change the owner of files, as only root may, and whether other users may execute Node,
 * which root may have in a private folder.
 */
async function missingSecondUser(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return "run them as root";
  const { status } = spawnSync(process.execPath, ["--version"], { uid: NOBODY, cwd: "/" });
  return status === 0 ? undefined : "run them with a Node outside root's own folder";
}

/** User id of `nobody`. */
const NOBODY = 65_534;

/** Checks whether a folder can be made read-only for this user. Root may write in spite of a folder's mode. */
async function missingReadOnly(): Promise<string | undefined> {
  return process.getuid?.() !== 0 || mayMount()
    ? undefined
    : "run them as a user other than root, or as one who may mount";
}

async function missingProxy(name: ReverseProxy): Promise<string | undefined> {
  return (await programOfProxy(name)) === undefined ? `apt-get install ${name}` : undefined;
}

/**
 * Returns whether this user may mount a volume. It is tried in a separate namespace, so that nothing changes for other
 * processes.
 */
function mayMount(): boolean {
  const mount = ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"];
  return spawnSync("unshare", mount).status === 0;
}
