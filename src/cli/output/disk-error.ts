import { UsageError } from "../../errors.ts";

/** Explanation and hint for each error code of the system. */
const FAULTS: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  ENOSPC: ["the disk is full", "free some space; nothing that was acknowledged is lost"],
  EDQUOT: ["this user's share of the disk is used up", "free some space, or have it raised"],
  EROFS: ["the disk is read-only", "mount it for writing, or choose another folder with --data"],
  EACCES: ["this user may not do that", "let this user read and write the folder and all in it"],
  EPERM: ["this user may not do that", "let this user read and write the folder and all in it"],
  EIO: ["the disk failed", "look at the machine's log, and bring back a backup on another disk"],
  ENOTDIR: ["a part of the path is a file, and should be a folder", "name another folder"],
  ENAMETOOLONG: ["the name is too long", "choose a shorter name"],
  EMFILE: ["too many files are open", "raise the limit of open files: ulimit -n"],
};

const NO_FOLDER = ["no folder can be created here", "name another folder"] as const;

/** Converts Node's error about a file to an error with an explanation; undefined for any other error. */
export function diskError(error: unknown): UsageError | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined;
  const makesFolder = error.syscall === "mkdir" || error.syscall === "mkdtemp";
  const [what, hint] = FAULTS[String(error.code)] ?? (makesFolder ? NO_FOLDER : []);
  if (what === undefined || "address" in error) return undefined;
  const where = "path" in error ? `${String(error.path)}: ` : "";
  return new UsageError(`${where}${what}`, { cause: error, hint });
}
