import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { html, Html } from "../../system/page/html.ts";
import { replaceFile } from "../../system/own-file.ts";

const NAME = /^sign-in-[0-9a-f]{24}\.html$/;
/** Script of the page, on a single line: the content security policy contains its hash. */
const SUBMIT = "document.forms[0].submit()";

/** A page in `folder` that signs in the browser that opens it. Its name is no secret; its owner alone can read it. */
export function signInFile(folder: string) {
  const path = join(folder, `sign-in-${randomBytes(12).toString("hex")}.html`);
  return {
    url: pathToFileURL(path).href,
    write: (form: SignInForm): Promise<void> => replaceFile(path, pageOf(form)),
    remove: (): void => rmSync(path, { force: true }),
  };
}

/** Removes sign-in files that an earlier process left. */
export async function removeSignInFiles(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
}

interface SignInForm {
  /** Address of the console, without a slash at the end. */
  readonly console: string;
  readonly token: string;
  /** Path of the page to open. */
  readonly to: string;
}

/** The token goes in the body of a form: an address is visible in process lists and in the history. */
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
