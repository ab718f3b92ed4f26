import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Operating system user that the PostgreSQL server runs as. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const UNPRIVILEGED = ["postgres", "nobody"];

/**
 * Returns the user for PostgreSQL if this process runs as root, because PostgreSQL refuses to run as root. Returns
 * undefined if this process runs as another user, which then runs PostgreSQL itself.
 *
 * @throws {Error} if this process runs as root and the system has no suitable user.
 */
export async function serverOwner(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of UNPRIVILEGED) {
    const ids = await Promise.all([idOf("-u", name), idOf("-g", name)]);
    const [uid, gid] = ids;
    if (uid !== undefined && gid !== undefined && uid > 0) return { uid, gid };
  }
  throw new Error(
    `PostgreSQL does not run as root, and there is no user ${UNPRIVILEGED.join(" or ")}: add one, or run the tests as another user`,
  );
}

async function idOf(flag: "-u" | "-g", name: string): Promise<number | undefined> {
  return execute("id", [flag, name]).then(
    ({ stdout }) => Number(stdout),
    () => undefined,
  );
}
