import { readFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { Command, Option } from "commander";
import { UsageError } from "../../../errors.ts";
import { withExamples } from "../../help/examples.ts";
import { DEFAULT_SETTINGS_FILE } from "../../../config/file-names.ts";
import type { LiveAnswers } from "../../live/ask-live.ts";
import { APP_KEY_NAMES } from "../../live/portal.ts";
import { PROXIES, type Proxy } from "../../live/public-address.ts";
import { TEMPLATE_LIST, TEMPLATE_NAMES, type TemplateName } from "../../init/project-template.ts";
import type { Io } from "../../io.ts";
import { printList } from "../../output/print.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { exists, wholePath } from "../../arguments/settings-flags.ts";
import { operand, shell } from "../../../text/shell.ts";
import { packageManifest } from "../../../system/package-version.ts";

interface InitFlags {
  readonly template?: TemplateName;
  readonly list?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly live?: boolean;
  readonly baseUrl?: string;
  readonly webhookUrl?: string;
  readonly proxy?: Proxy;
  readonly keys?: string;
}

const OF_LIVE = ["baseUrl", "webhookUrl", "proxy", "keys"] as const;

/** `init`: creates a small working project. */
export function init(io: Io): Command {
  const command = new Command("init")
    .description("create a small working project: settings, rules and a TypeScript bot")
    .argument("[folder]", "folder of the project; created if it does not exist", wholePath, ".")
    .addOption(
      oneOf(
        new Option("-t, --template <name>", "template of the bot; --list describes each"),
        TEMPLATE_NAMES,
      ),
    )
    .option("--list", "list the templates and create nothing")
    .option("--json", "with --list: print one JSON object for each template")
    .option("-y, --yes", "do not ask, use the defaults")
    .option("--force", "write into a folder that is not empty; existing files are kept")
    .option(
      "--live",
      "also write settings for the live platform; in an existing project, write only these",
    )
    .option("--base-url <url>", "live: base URL of the platform's API")
    .option("--webhook-url <url>", "live: public https address of the bot")
    .addOption(
      oneOf(
        new Option("--proxy <name>", "live: proxy that forwards the webhook to the bot"),
        PROXIES,
      ),
    )
    .option(
      "--keys <file>",
      "live: file with the app's keys, one NAME=value per line; - for stdin",
      wholePath,
    );
  const examples = [
    "answerback init --list",
    "answerback init hello-bot --yes",
    "answerback init faq-bot --template faq",
    "answerback init live-bot --live --webhook-url https://bot.example/webhook --proxy caddy",
  ];
  const after = `With --live the keys go into .env: ${APP_KEY_NAMES.join(", ")}.
On a terminal init prompts for them. No flag takes a key, because other users of the machine can read flags.`;
  return withExamples(command, examples, after).action((folder: string, flags: InitFlags) =>
    flags.list === true ? listTemplates(io, flags) : createProject(io, folder, flags),
  );
}

function listTemplates(io: Io, { json }: InitFlags): void {
  const columns = [
    { title: "TEMPLATE", of: ({ name }: (typeof TEMPLATE_LIST)[number]) => name },
    {
      title: "WHAT THE BOT DOES",
      of: ({ description }: (typeof TEMPLATE_LIST)[number]) => description,
    },
  ];
  printList(io, json, TEMPLATE_LIST, columns, "there are no templates");
}

async function createProject(io: Io, folder: string, flags: InitFlags): Promise<void> {
  const misplaced = OF_LIVE.find((name) => flags.live !== true && flags[name] !== undefined);
  if (misplaced !== undefined) {
    throw new UsageError("this option is only for the live platform", { hint: "add --live" });
  }
  const { isEmpty, writeProject } = await import("../../init/write-project.ts");
  const { projectFiles } = await import("../../init/project-files.ts");
  const { schemaTexts } = await import("../../schema/schema-files.ts");
  const { packageVersion } = await import("../../../system/package-version.ts");
  const target = resolve(io.cwd, folder);
  const liveAnswers = flags.live === true ? await givenFor(io, flags) : undefined;
  if (liveAnswers !== undefined && (await exists(target, DEFAULT_SETTINGS_FILE))) {
    return addLive(io, target, flags, liveAnswers);
  }
  if (flags.force !== true && !(await isEmpty(target))) {
    throw new UsageError(`${folder === "." ? "this folder" : folder} is not empty`, {
      hint: "name another folder, or add --force: existing files are kept",
    });
  }
  const template = flags.template ?? (await chosen(io, flags));
  const files = projectFiles({
    name: basename(target),
    template,
    version: packageVersion(),
    live: flags.live === true,
    tools: toolRanges(),
    schemas: schemaTexts(),
  });
  const { written, keptFiles } = await writeProject(target, files);
  const shown = relative(io.cwd, target) || ".";
  for (const file of written) io.out(`${shown === "." ? "" : `${shown}/`}${file}\n`);
  if (keptFiles.length > 0) io.err(`Kept existing files: ${keptFiles.join(", ")}\n`);
  for (const path of keptFiles) io.err(await lackOf(path, target));
  if (flags.template === undefined && !asks(io, flags)) io.err(`\n${defaultTaken(template)}`);
  if (liveAnswers !== undefined) return addLive(io, target, flags, liveAnswers);
  io.err(`\nNext: ${shown === "." ? "" : shell`cd ${operand(shown)} && `}npx answerback dev\n`);
}

/** Returns what a kept file lacks for the project, as text for people; empty if it lacks nothing. */
async function lackOf(path: string, folder: string): Promise<string> {
  if (path !== "package.json" && path !== ".gitignore") return "";
  const text = await readFile(join(folder, path), "utf8");
  if (path === ".gitignore") {
    return /^\/?data\b/m.test(text)
      ? ""
      : "Add to .gitignore: data/, data.*/, .env, *.env and *.backup\n";
  }
  if (text.includes('"answerback"')) return "";
  const tools = Object.entries(toolRanges()).map(([name, range]) => `${name}@${range}`);
  const { version } = packageManifest();
  return `Add to package.json: answerback@^${version}; for development: ${tools.join(", ")}\n`;
}

/** Reports that the default template was used, and lists the other templates. */
function defaultTaken(template: TemplateName): string {
  const others = TEMPLATE_NAMES.filter((name) => name !== template).join(", ");
  return `Template: ${template}. Others: ${others} (see init --list).\n`;
}

/** Reads the addresses and keys of the live platform from the flags. Addresses may also come from the environment. */
async function givenFor(io: Io, flags: InitFlags): Promise<LiveAnswers> {
  const { proxy, keys } = flags;
  const { baseUrl = saidBy(io, "ANSWERBACK_PLATFORM_BASE_URL") } = flags;
  const { webhookUrl = saidBy(io, "ANSWERBACK_WEBHOOK_URL") } = flags;
  const { platformAddress, webhookAddress } = await import("../../live/ask-live.ts");
  const { readKeys } = await import("../../live/key-file.ts");
  const { readInput } = await import("../../arguments/read-input.ts");
  return {
    baseUrl: baseUrl === undefined ? undefined : platformAddress(baseUrl),
    webhookUrl: webhookUrl === undefined ? undefined : webhookAddress(webhookUrl),
    proxy,
    keys: keys === undefined ? {} : readKeys(await readInput(io, keys)),
  };
}

function saidBy({ env }: Io, variable: string): string | undefined {
  return env[variable] === "" ? undefined : env[variable];
}

/** Adds settings and keys of the live platform, and prints the remaining steps. */
async function addLive(
  io: Io,
  target: string,
  flags: InitFlags,
  liveAnswers: LiveAnswers,
): Promise<void> {
  const { goLive } = await import("../../live/go-live.ts");
  const { written, walk } = await goLive(io, target, liveAnswers, asks(io, flags));
  const shown = relative(io.cwd, target);
  for (const file of written) io.out(`${shown === "" ? "" : `${shown}/`}${file}\n`);
  io.err(`\n${walk}`);
}

/** Whether a person can be prompted. */
function asks(io: Io, { yes }: InitFlags): boolean {
  return yes !== true && io.interactive && io.input.isTerminal;
}

/** Prompts for the template; returns the default template if no person can be prompted. */
async function chosen(io: Io, flags: InitFlags): Promise<TemplateName> {
  if (!asks(io, flags)) return "echo";
  const { isCancel, select } = await import("@clack/prompts");
  const answer = await select<TemplateName>({
    message: "What should the bot do?",
    options: TEMPLATE_LIST.map(({ name, description }) => ({
      value: name,
      label: name,
      hint: description,
    })),
  });
  if (isCancel(answer)) throw new UsageError("cancelled: no project was created");
  return answer;
}

/** Packages that run and check a project's TypeScript. */
const TOOLS = ["tsx", "typescript", "@types/node"];

/**
 * Version ranges of the packages in {@link TOOLS}, by name. They are the ranges of this package's own `package.json`.
 */
function toolRanges(): Readonly<Record<string, string>> {
  const { dependencies, devDependencies } = packageManifest();
  const all = { ...devDependencies, ...dependencies };
  return Object.fromEntries(TOOLS.flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
}
