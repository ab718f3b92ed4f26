import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { html, Html } from "../../system/page/html.ts";
import { replaceFile } from "../../system/files/own-file.ts";

const NAME = /^sign-in-[0-9a-f]{24}\.html$/;
/** Script of the sign-in file. It stays on one line, so that its hash in the content security policy matches. */
const SUBMIT = "document.forms[0].submit()";

/**
 * Manages a file in `folder` that signs in the browser that opens it. Its name is not secret, but only its owner can
 * read it.
 */
export function signInFile(folder: string) {
  const path = join(folder, `sign-in-${randomBytes(12).toString("hex")}.html`);
  return {
    url: pathToFileURL(path).href,
    write: (form: SignInForm): Promise<void> => replaceFile(path, pageOf(form)),
    remove: (): void => rmSync(path, { force: true }),
  };
}

/** Removes sign-in files that an earlier process has left behind. */
export async function removeSignInFiles(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
}

interface SignInForm {
  /** Address of the console, without a trailing slash. */
  readonly console: string;
  readonly token: string;
  /** Path of the page to open after the sign-in. */
  readonly to: string;
}

/**
 * Returns the HTML of the file. The token is sent in the body of a form, because addresses are visible in process lists
 * and in the browser's history.
 */
function pageOf({ console, token, to }: SignInForm): string {
  const policy = `default-src 'none'; script-src 'sha256-${createHash("sha256").update(SUBMIT).digest("base64")}'; form-action ${console}`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="content-security-policy" content="${policy}" />
        <meta name="color-scheme" content="light dark" />
        <title>Sign in · Answerback console</title>
      </head>
      <body>
        <form method="post" action="${console}/sign-in">
          <input type="hidden" name="token" value="${token}" />
          <input type="hidden" name="to" value="${to}" />
          <button type="submit">Open the console</button>
        </form>
        ${new Html(`<script>${SUBMIT}</script>`)}
      </body>
    </html> `.text;
}
