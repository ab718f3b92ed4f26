/** Instructions for signing in to the console: an address without a secret, and a code to type there. */
export function consoleLines({ page = "", code = "" }: { page?: string; code?: string }): string {
  return `${page}\ncode ${code}\n`;
}
