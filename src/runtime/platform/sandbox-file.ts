import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../system/files/created-folder.ts";
import { UsageError } from "../../errors.ts";
import { endingWith } from "../../system/ending.ts";
import { isAlive } from "../../system/is-alive.ts";
import { bodyText, localRequest } from "../../system/local-request.ts";
import { isMissingFile } from "../../system/files/missing-file.ts";

interface Person {
  readonly id: string;
  readonly username: string;
}

/** Access to the sandbox that `dev` runs: `sandbox.json` in the data folder, readable by its owner only. */
export interface SandboxFile {
  readonly pid: number;
  readonly baseUrl: string;
  readonly adsBaseUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly webhookUrl: string;
  readonly app: {
    readonly id: string;
    readonly consumerKey: string;
    readonly consumerSecret: string;
    readonly bearerToken: string;
  };
  /** Account of the bot. */
  readonly bot: Person;
  readonly people: readonly Person[];
}

const ADDRESSES = ["baseUrl", "adsBaseUrl", "controlUrl", "controlToken", "webhookUrl"] as const;
const OF_APP = ["id", "consumerKey", "consumerSecret", "bearerToken"] as const;
const OF_PERSON = ["id", "username"] as const;

function isSandboxFile(content: unknown): content is SandboxFile {
  const { pid, app, bot, people }: { [Key in keyof SandboxFile]?: unknown } = Object(content);
  return (
    typeof pid === "number" &&
    hasTexts(content, ADDRESSES) &&
    hasTexts(app, OF_APP) &&
    hasTexts(bot, OF_PERSON) &&
    Array.isArray(people) &&
    people.every((one) => hasTexts(one, OF_PERSON))
  );
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  const fields: Readonly<Record<string, unknown>> = Object(value);
  return names.every((name) => typeof fields[name] === "string");
}

/** Writes `sandbox.json`. The file stays when the sandbox ends, because the app's secrets are shown only once. */
export async function writeSandboxFile(folder: string, content: SandboxFile): Promise<void> {
  makeFolder(folder, 0o700);
  const { replaceFile } = await import("../../system/files/own-file.ts");
  await replaceFile(join(folder, "sandbox.json"), `${JSON.stringify(content, null, 2)}\n`);
}

/**
 * Reads `sandbox.json`; undefined if it is missing.
 *
 * @throws {UsageError} if the file is empty or damaged.
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
  let cause: unknown;
  try {
    const content: unknown = JSON.parse(text);
    if (isSandboxFile(content)) return content;
  } catch (error) {
    cause = error;
  }
  const what = text.trim() === "" ? "is empty" : "is damaged";
  throw new UsageError(`${file} ${what}: it does not say how to reach the sandbox`, {
    cause,
    hint: "bring back a backup with: answerback restore FILE   or move it away: the next answerback dev makes a new app in the same world",
  });
}

const ANSWERS_WITHIN_MS = 2_000;

/** Whether the file's sandbox answers. Its process id alone proves nothing: it may belong to another program now. */
export async function isAnswering({
  pid,
  controlUrl,
  controlToken,
}: SandboxFile): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const end = endingWith([], ANSWERS_WITHIN_MS);
  try {
    const answer = await localRequest(`${controlUrl}/health`, {
      headers: { authorization: `Bearer ${controlToken}` },
      signal: end.signal,
    });
    await bodyText(answer);
    return answer.statusCode === 200;
  } catch {
    return false;
  } finally {
    end.release();
  }
}

/** Stores new credentials of the app in `sandbox.json`. @param issued Response of the portal that issued them. */
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
