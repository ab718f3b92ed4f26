/**
 * Returns the code of a system error, such as `ENOENT`; undefined for other values.
 *
 * The class is not checked: in test runners such as jest, tests have another class `Error` than Node's own modules.
 */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
