import { createHmac, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { refuseUnsafe, replaceFile } from "../../system/own-file.ts";
import { constantTimeEqual } from "../../system/constant-time-equal.ts";
import { isMissingFile } from "../../system/missing-file.ts";

/** What the console signs with, and which of its links were used. */
export interface ConsoleKeys {
  /** A text with its seal: `open` gives the text back, and refuses one that was made up or changed. */
  seal(text: string): string;
  open(sealed: string): string | undefined;
  /** Notes that a link was used. @param until When it would have ended, in milliseconds since the epoch. @returns `false`: it was used before. */
  use(link: string, until: number): Promise<boolean>;
}

const kept = z.object({
  secret: z.string().min(32),
  used: z.array(z.object({ link: z.string(), until: z.number() })),
});
type Kept = z.infer<typeof kept>;

/**
 * The keys in `console.json` of a folder, its owner's only, so that who is signed in stays so over a restart; without
 * a folder they live as long as this.
 */
export async function openConsoleKeys(
  folder: string | undefined,
  now: () => number,
): Promise<ConsoleKeys> {
  const file = folder === undefined ? undefined : join(folder, "console.json");
  const known = file === undefined ? undefined : await readKept(file);
  let { secret, used } = known ?? { secret: randomBytes(32).toString("base64url"), used: [] };
  const write = async (): Promise<void> => {
    if (file !== undefined) await replaceFile(file, `${JSON.stringify({ secret, used })}\n`);
  };
  if (known === undefined) await write();
  let turn: Promise<void> = Promise.resolve();
  const sealOf = (text: string): string =>
    createHmac("sha256", secret).update(text).digest("base64url");
  return {
    seal: (text) => `${text}.${sealOf(text)}`,
    open(sealed) {
      const end = sealed.lastIndexOf(".");
      if (end < 0) return undefined;
      const text = sealed.slice(0, end);
      return constantTimeEqual(sealed.slice(end + 1), sealOf(text)) ? text : undefined;
    },
    async use(link, until) {
      if (used.some((one) => one.link === link)) return false;
      used = [...used.filter((one) => one.until > now()), { link, until }];
      turn = turn.then(write, write);
      await turn;
      return true;
    },
  };
}

/** A file that can't be read as such is made anew: everybody signs in again. */
async function readKept(file: string): Promise<Kept | undefined> {
  refuseUnsafe(file);
  try {
    return kept.safeParse(JSON.parse(await readFile(file, "utf8"))).data;
  } catch (error) {
    if (isMissingFile(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
