import { basename, dirname, join, relative } from "node:path";
import { DEFAULT_SETTINGS_FILE, LIVE_SETTINGS_FILE } from "../../config/file-names.ts";
import { makeFolder } from "../../system/files/created-folder.ts";
import { replaceFile } from "../../system/files/own-file.ts";
import { operand, shell } from "../../text/shell.ts";
import { envFilesFor, withoutEnvFiles } from "../env-file.ts";
import type { EnvFile, Io } from "../io.ts";
import { askLive, type LiveAnswers } from "./ask-live.ts";
import { ignoreSecrets, textOf, writeKeys } from "./key-file.ts";
import { liveSettings, placesIn, withPlaces } from "./live-settings.ts";
import { APP_KEY_NAMES, type AppKey, portalText } from "./portal.ts";
import { PROXIES, type Proxy, proxyRecipe } from "./public-address.ts";

/** Changed files of the project, and the operator's remaining steps. */
export interface WentLive {
  /** Paths of changed files, relative to the project's folder. */
  readonly written: readonly string[];
  /** Remaining steps, as text for people. */
  readonly walk: string;
}

/**
 * Adds settings for the live platform and a file for the app's keys to a project. Keeps existing values unless new
 * ones are given.
 *
 * @param folder Folder of a project with settings.
 * @param ask Whether a person can be prompted for missing values.
 */
export async function goLive(
  io: Io,
  folder: string,
  liveAnswers: LiveAnswers,
  ask: boolean,
): Promise<WentLive> {
  const file = join(folder, LIVE_SETTINGS_FILE);
  const there = await textOf(file);
  const own = (await textOf(join(folder, DEFAULT_SETTINGS_FILE))) ?? "version: 1\n";
  const knownPlaces = placesIn(there ?? own);
  const env = withoutEnvFiles(io);
  const envFiles = (): readonly EnvFile[] => envFilesFor(["--live"], { cwd: folder, env: {} });
  const before = envFiles();
  const lacking = lackedKeys(before, { ...env, ...liveAnswers.keys });
  const first = {
    ...liveAnswers,
    baseUrl: liveAnswers.baseUrl ?? knownPlaces.baseUrl,
    webhookUrl: liveAnswers.webhookUrl ?? knownPlaces.webhookUrl,
  };
  let portal: string | undefined = portalStep(io, folder, first.webhookUrl);
  const showPortal = (webhookUrl: string | undefined): void => {
    io.err(`\n${portalStep(io, folder, webhookUrl)}\n`);
    portal = undefined;
  };
  const answers = ask ? await askLive(first, lacking, showPortal) : first;

  const text = there === undefined ? liveSettings(own, answers) : withPlaces(there, answers);
  // read before it is written: a file that is no YAML would be in the way of the next `init --live`
  const { listen } = placesIn(text, Object.assign({}, ...before.map(({ values }) => values), env));
  const written: string[] = [];
  if (text !== there) {
    makeFolder(dirname(file));
    await replaceFile(file, text, 0o644);
    written.push(LIVE_SETTINGS_FILE);
  }
  const keyFile = keyFileOf(before) ?? join(folder, ".env");
  const others = before.filter(({ path }) => path !== keyFile).map(({ values }) => values);
  await writeKeys(keyFile, answers.keys, Object.assign({}, ...others, env));
  written.push(relative(folder, keyFile), ...(await ignoreSecrets(folder)));
  const keys = keyStep(io, keyFile, envFiles(), env);
  return { written, walk: walk(io, folder, { ...answers, listen, portal }, keys) };
}

/**
 * Returns the `.env` file in which the app's keys are written: the first that names one of them, else the last file, else
 * undefined. A key that is written there counts, because earlier files have none.
 */
function keyFileOf(files: readonly EnvFile[]): string | undefined {
  const named = files.find(({ values }) =>
    APP_KEY_NAMES.some((name) => values[name] !== undefined),
  );
  return (named ?? files.at(-1))?.path;
}

/** Returns the app's keys that are set neither in a `.env` file nor in the environment. */
function lackedKeys(files: readonly EnvFile[], env: Io["env"]): readonly AppKey[] {
  return APP_KEY_NAMES.filter(
    (name) => ![env, ...files.map(({ values }) => values)].some((one) => (one[name] ?? "") !== ""),
  );
}

function keyStep(
  { cwd, colors: { bold } }: Io,
  keyFile: string,
  files: readonly EnvFile[],
  env: Io["env"],
): string {
  const own = "which only you can read";
  if (lackedKeys([], env).length === 0) {
    return `${bold("Its keys are in the environment")}, which comes before ${relative(cwd, keyFile)}.\n`;
  }
  const lacks = lackedKeys(files, env);
  if (lacks.length > 0) {
    return `${bold(`Put its keys into ${relative(cwd, keyFile)}`)}, ${own}:\n   ${lacks.join(", ")}\n`;
  }
  const holders = files.filter(({ values }) => APP_KEY_NAMES.some((name) => values[name]));
  const paths = holders.map(({ path }) => relative(cwd, path)).join(" and ");
  return `${bold(`Its keys are in ${paths}`)}, ${own}.\n`;
}

interface Settled extends LiveAnswers, Pick<ReturnType<typeof placesIn>, "listen"> {
  /** Text of the operator's step in the developer portal; undefined if it has already been printed. */
  readonly portal: string | undefined;
}

function portalStep({ colors }: Io, folder: string, webhookUrl: string | undefined): string {
  const what = colors.bold("In the developer portal, give the app:");
  return `${what}\n\n${portalText(basename(folder), webhookUrl)}`;
}

function walk(io: Io, folder: string, answers: Settled, keys: string): string {
  const { bold, dim } = io.colors;
  const { baseUrl, webhookUrl, listen, proxy, portal } = answers;
  const to = relative(io.cwd, folder);
  const steps = [...(portal === undefined ? [] : [portal]), keys];
  const file = relative(io.cwd, join(folder, LIVE_SETTINGS_FILE));
  if (baseUrl === undefined) {
    steps.push(
      `${bold(`Set platform.base_url in ${file}`)}, as the portal's documentation names it.\n`,
    );
  }
  if (webhookUrl === undefined) {
    steps.push(
      `${bold(`Set webhook.url in ${file}`)}, the public address of the bot. To set it\n` +
        `   and see how to lead it here, with your address:\n\n${proxyCommand(to, proxy, EXAMPLE_URL)}`,
    );
  } else {
    const way = { url: webhookUrl, listen };
    steps.push(
      bold(`Lead ${webhookUrl} to ${listen.host}:${listen.port}`) +
        (proxy === undefined
          ? `; to see how:\n\n${proxyCommand(to)}`
          : `, with ${proxy}:\n\n${indented(proxyRecipe(proxy, way))}`),
    );
  }
  const commands = [
    ["doctor --live", "what is still missing, and how to mend it"],
    ["login --live", "its account: the owner signs in and approves"],
    ["run --live", "the bot"],
  ] as const;
  const lines = commands.map(
    ([args, what]) => `   npx answerback ${args.padEnd(15)}${dim(what)}\n`,
  );
  steps.push(`${bold("Then")}${to === "" ? "" : `, in ${to}`}:\n\n${lines.join("")}`);
  return steps.map((step, at) => `${at + 1}. ${step}`).join("\n");
}

const EXAMPLE_URL = "https://bot.example/webhook";

/**
 * Returns the command that prints how to forward the public address, and the names of the other proxies.
 *
 * @param to Folder of the project, relative to the current folder.
 * @param webhookUrl Public address; undefined if the settings have it.
 */
function proxyCommand(to: string, chosen?: Proxy, webhookUrl?: string): string {
  const words = [
    to === "" ? "npx answerback init" : shell`npx answerback init ${operand(to)}`,
    "--live",
    ...(webhookUrl === undefined ? [] : [shell`--webhook-url ${webhookUrl}`]),
    shell`--proxy ${chosen ?? PROXIES[0]}`,
  ];
  const others = chosen === undefined ? `   Other proxies: ${PROXIES.slice(1).join(", ")}.\n` : "";
  return `   ${words.join(" ")}\n${others}`;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "   ");
}
