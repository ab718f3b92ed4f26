import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { promisify } from "node:util";

const execute = promisify(execFile);

/**
 * Installs Debian's package of PostgreSQL, without the server that it would start.
 *
 * @throws {Error} for a user who may not, and where it fails.
 */
export async function installPostgres(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error("only root can install packages");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", UCF_FORCE_CONFFOLD: "1" };
  await withoutCluster();
  await execute("apt-get", ["update"], { env });
  await execute("apt-get", ["install", "-y", "--no-install-recommends", "postgresql"], { env });
}

/** The package makes a cluster and starts it unless this says otherwise. */
async function withoutCluster(): Promise<void> {
  const folder = "/etc/postgresql-common";
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(`${folder}/createcluster.conf`, "create_main_cluster = false\n", {
      flag: "wx",
    });
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isThere) throw error;
  }
}
