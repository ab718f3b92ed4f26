import { execFile } from "node:child_process";
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { EXIT } from "../../src/cli/exit-codes.ts";
import { processIo } from "../../src/cli/io.ts";
import { PROXIES, proxyRecipe } from "../../src/cli/live/public-address.ts";
import { programOf } from "../../src/cli/program.ts";
import { loadSettings } from "../../src/config/load-settings.ts";
import { toListen } from "../../src/config/settings.ts";
import { stateFolder } from "../../src/system/files/state-folder.ts";

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string): Promise<string> =>
  readFile(join(ROOT, "examples/deploy", name), "utf8");

const WAY = { url: "https://bot.example/webhook", listen: toListen("127.0.0.1:8080") };
/** Maximum seconds that the command `answerback run` takes to stop a bot. */
const STOPS_WITHIN = 10;

/** Returns the parts of a start command that the package does not have: its program, or a flag of its command. */
async function unknownIn([program, name, ...flags]: readonly string[]): Promise<string[]> {
  const { bin } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const command = (await programOf(processIo(), "0", [name ?? ""])).commands.find(
    (one) => one.name() === name,
  );
  const knownWords = [
    join("node_modules/answerback", bin.answerback),
    ...(command?.options ?? []).map(({ long }) => long),
  ];
  return [program ?? "", ...flags].filter((word) => !knownWords.includes(word));
}

/** Reads the settings of an environment. @throws {ConfigError} for an invalid name or value. */
async function settingsOf(environment: Readonly<Record<string, string>>) {
  return loadSettings({ cwd: join(ROOT, "examples/deploy"), environment });
}

describe("the recipes for a public address", () => {
  it.each(PROXIES)("are in the document as the command prints them: %s", async (proxy) => {
    expect(await read("README.md")).toContain(`\n${proxyRecipe(proxy, WAY)}\`\`\`\n`);
  });

  it("are in the files as the command prints them, for Caddy also with the container's address", async () => {
    const caddyfile = await read("Caddyfile");

    expect(caddyfile.replace("{$BOT:127.0.0.1:8080}", "127.0.0.1:8080")).toBe(
      proxyRecipe("caddy", WAY),
    );
    expect(await read("nginx.conf")).toBe(proxyRecipe("nginx", WAY));
  });
});

describe("the systemd unit", () => {
  let values: ReadonlyMap<string, string>;
  beforeAll(async () => {
    const lines = (await read("answerback.service")).split("\n");
    values = new Map(lines.flatMap((line) => (/^[A-Z]/.test(line) ? [pairOf(line)] : [])));
  });

  it("starts the package's own program, with flags that it has", async () => {
    const [node, ...start] = (values.get("ExecStart") ?? "").split(" ");

    expect(node).toBe("/usr/bin/node");
    expect(start).toContain("run");
    expect(await unknownIn(start)).toEqual([]);
  });

  it("restarts a bot unless a restart does not help", () => {
    const not = values.get("RestartPreventExitStatus")?.split(" ").map(Number);

    expect(values.get("Restart")).toBe("on-failure");
    expect(not).toEqual([EXIT.usage, EXIT.problems, EXIT.store]);
    expect(Number(values.get("TimeoutStopSec"))).toBeGreaterThan(STOPS_WITHIN);
  });

  it("has a writable folder for this machine's record of the store, outside the store's folder", () => {
    const folders = values
      .get("StateDirectory")
      ?.split(" ")
      .map((name) => `/var/lib/${name}`);
    const variables = new Map(values.get("Environment")?.split(" ").map(pairOf));
    const record = stateFolder(Object.fromEntries(variables));

    expect(record).toBe(`${folders?.[1]}/answerback`);
    expect(record?.startsWith(`${folders?.[0]}/`)).toBe(false);
  });

  it("is valid for systemd if it is installed, and restricts the bot's rights", async () => {
    const folder = await mkdtemp(join(tmpdir(), "unit-"));
    const file = join(folder, "answerback.service");
    await writeFile(
      file,
      (await read("answerback.service")).replace("/usr/bin/node", process.execPath),
    );
    const verified = await systemdAnalyze("verify", file);
    const secured = await systemdAnalyze("security", "--offline=true", "--threshold=20", file);
    await rm(folder, { recursive: true });

    expect({ verified, secured }).toEqual({ verified: "", secured: "" });
  });
});

/** Returns the faults that systemd-analyze finds; empty if it finds none, or if systemd is missing. */
async function systemdAnalyze(...args: readonly string[]): Promise<string> {
  const isThere = await access("/usr/bin/systemd-analyze").then(
    () => true,
    () => false,
  );
  if (!isThere) return "";
  return execute("/usr/bin/systemd-analyze", args).then(
    ({ stderr }) => stderr,
    (error: unknown) => String(error),
  );
}

function pairOf(line: string): readonly [string, string] {
  const [name = "", value = ""] = line.split(/=(.*)/s);
  return [name, value];
}

interface Compose {
  readonly services: Readonly<
    Record<
      "bot" | "caddy",
      {
        readonly environment: Readonly<Record<string, string>>;
        readonly stop_grace_period?: string;
        readonly expose?: readonly string[];
        readonly volumes: readonly string[];
        readonly env_file?: string;
        readonly restart: string;
      }
    >
  >;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/**
 * Whether a pattern of `.dockerignore` without `!` matches a file or one of its folders. As Docker documents, a pattern is
 * relative to the root of the context, and only `**` matches several folders.
 */
function dockerIgnores(pattern: string, file: string): boolean {
  const parts = pattern.split(/(\*\*\/|\*)/).map((part) => {
    if (part === "**/") return "(?:.*/)?";
    return part === "*" ? "[^/]*" : part.replaceAll(".", "\\.");
  });
  return new RegExp(`^${parts.join("")}(?:/|$)`).test(file);
}

describe("the container", () => {
  let lines: readonly string[];
  let compose: Compose;
  beforeAll(async () => {
    lines = (await read("Dockerfile")).replaceAll(/\\\n\s*/g, "").split("\n");
    compose = parse(await read("compose.yaml"));
  });

  const after = (instruction: string): string[] =>
    lines.flatMap((line) =>
      line.startsWith(`${instruction} `) ? [line.slice(instruction.length + 1)] : [],
    );
  const imageEnv = (): Record<string, string> =>
    Object.fromEntries(
      after("ENV")
        .map(pairOf)
        .filter(([name]) => name.startsWith("ANSWERBACK_")),
    );

  it("starts the package's own program, with flags that it has", async () => {
    const [node, ...start]: string[] = JSON.parse(after("CMD")[0] ?? "[]");

    expect(node).toBe("node");
    expect(start).toContain("run");
    expect(await unknownIn(start)).toEqual([]);
  });

  it("has valid settings, and keeps the bot's data in the volume", async () => {
    const { store, webhook } = await settingsOf(imageEnv());

    expect(after("VOLUME")).toEqual([store.folder]);
    expect(after("EXPOSE")).toEqual([String(webhook.listen.port)]);
    expect(after("HEALTHCHECK")[0]).toContain(`127.0.0.1:${webhook.listen.port}/healthz`);
    expect(after("USER")).toEqual(["node"]);
  });

  it.each([
    { file: ".env", isCopied: false, why: "the app's keys" },
    { file: "config/.env", isCopied: false, why: "read beside the settings" },
    { file: "config/bot.env", isCopied: false, why: "the app's keys for compose" },
    { file: "key.env", isCopied: false, why: "the key of the tokens" },
    { file: "data.live/store.db", isCopied: false, why: "a store" },
    { file: "backups/2026/bot.backup", isCopied: false, why: "a store and perhaps its key" },
    { file: "config/live.yaml", isCopied: true, why: "the settings" },
    { file: "rules/environment.yaml", isCopied: true, why: "a rule file" },
    { file: "bots/data.ts", isCopied: true, why: "a bot module" },
  ])("gets $file when it is built: $isCopied ($why)", async ({ file, isCopied }) => {
    const ignored = (await read(".dockerignore")).split("\n").filter((line) => line !== "");

    expect(ignored.some((pattern) => dockerIgnores(pattern, file))).toBe(!isCopied);
    expect(lines.join("\n")).not.toMatch(/CONSUMER|TOKEN|SECRET/);
  });

  it("is run by compose with the same settings, time to stop, and Caddy in front of it", async () => {
    const { bot, caddy } = compose.services;
    const { webhook, store } = await settingsOf(bot.environment);

    expect(bot.environment).toEqual(imageEnv());
    expect(bot.volumes).toEqual([`data:${store.folder}`]);
    expect(Object.keys(compose.volumes)).toEqual(["data", "certificates"]);
    expect(bot.env_file).toBe(".env");
    // With "on-failure", Docker does not start the bot again after a restart of the machine.
    expect(bot.restart).toBe("unless-stopped");
    expect(bot.expose).toEqual([String(webhook.listen.port)]);
    expect(Number.parseInt(bot.stop_grace_period ?? "", 10)).toBeGreaterThan(STOPS_WITHIN);
    expect(caddy.environment).toEqual({ BOT: `bot:${webhook.listen.port}` });
    expect(caddy.volumes).toContain("./Caddyfile:/etc/caddy/Caddyfile:ro");
  });
});
