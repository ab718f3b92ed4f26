/** For `catch`: a file that is not there is nothing; every other fault is thrown on. */
export function absent(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
