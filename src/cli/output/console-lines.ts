/** Lines that tell a person how to sign in to the console: the address has no secret, the code is typed there. */
export function consoleLines({ page = "", code = "" }: { page?: string; code?: string }): string {
  return `${page}\ncode ${code}\n`;
}
