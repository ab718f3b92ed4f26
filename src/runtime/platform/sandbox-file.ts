import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { UsageError } from "../../errors.ts";
import { replaceFile } from "../../system/atomic-file.ts";
import { isMissingFile } from "../../system/missing-file.ts";

const person = z.object({ id: z.string(), username: z.string() });

const sandboxFile = z.object({
  pid: z.number(),
  baseUrl: z.string(),
  adsBaseUrl: z.string(),
  controlUrl: z.string(),
  controlToken: z.string(),
  webhookUrl: z.string(),
  app: z.object({
    id: z.string(),
    consumerKey: z.string(),
    consumerSecret: z.string(),
    bearerToken: z.string(),
  }),
  /** The account that answers. */
  bot: person,
  people: z.array(person),
});

/** How to reach the sandbox that `dev` runs: `sandbox.json` in the data folder, its owner's only. */
export type SandboxFile = z.infer<typeof sandboxFile>;

/** Writes `sandbox.json`. It stays when the sandbox ends: the app's secrets are shown only once. */
export async function writeSandboxFile(folder: string, content: SandboxFile): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await replaceFile(join(folder, "sandbox.json"), `${JSON.stringify(content, null, 2)}\n`);
}

/**
 * The content of `sandbox.json`; undefined when it is missing.
 *
 * @throws {UsageError} when it holds something else.
 */
export async function readSandboxFile(folder: string): Promise<SandboxFile | undefined> {
  const file = join(folder, "sandbox.json");
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (isMissingFile(error)) return undefined;
    throw error;
  });
  return text === undefined ? undefined : sandboxFileOf(text, file);
}

function sandboxFileOf(text: string, file: string): SandboxFile {
  try {
    return sandboxFile.parse(JSON.parse(text));
  } catch (cause) {
    const what = text.trim() === "" ? "is empty" : "is damaged";
    throw new UsageError(`${file} ${what}: it does not say how to reach the sandbox`, {
      cause,
      hint: "bring back a backup with: answerback restore FILE   or move it away: the next answerback dev makes a new app in the same world",
    });
  }
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const ANSWERS_WITHIN_MS = 2_000;

/** Whether the sandbox of the file answers: its process id may belong to another program by now. */
export async function isAnswering({
  pid,
  controlUrl,
  controlToken,
}: SandboxFile): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const { fetch } = await import("undici");
  return fetch(`${controlUrl}/health`, {
    headers: { authorization: `Bearer ${controlToken}` },
    signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
  }).then(
    (answer) => answer.ok,
    () => false,
  );
}

/** Keeps the new credentials of the app that the file is about, as the portal issued them. */
export async function saveCredentials(
  folder: string,
  file: SandboxFile,
  issued: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { consumer_key: key, consumer_secret: secret, bearer_token: bearer } = issued;
  const app = {
    ...file.app,
    ...(typeof key === "string" ? { consumerKey: key } : {}),
    ...(typeof secret === "string" ? { consumerSecret: secret } : {}),
    ...(typeof bearer === "string" ? { bearerToken: bearer } : {}),
  };
  await writeSandboxFile(folder, { ...file, app });
}
