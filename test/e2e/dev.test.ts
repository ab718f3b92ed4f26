import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, inject, it } from "vitest";
import { isAlive } from "../../src/system/is-alive.ts";
import { postToken, tokenOf } from "../console/signed-in.ts";
import { run } from "../support/command-line.ts";
import { withoutOurs } from "../support/without-ours.ts";
import { when } from "../support/when.ts";
import { FREE_PORTS } from "../support/own-address.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Command of `npm start`, which runs from source. */
const SOURCE = ["--conditions=answerback-source", "--import", "tsx", join(ROOT, "src/cli/bin.ts")];
/** Command of the package, which is bundled into few files. */
const bundled = (): readonly string[] => [join(inject("prebuilt"), "src/cli/bin.js")];

let data: string;
let dev: ChildProcess;
/** Text that the running process has printed on stderr. */
let said: string;
async function start(program: readonly string[], ...more: readonly string[]): Promise<string> {
  data = await mkdtemp(join(tmpdir(), "dev-"));
  dev = spawn(process.execPath, [...program, "dev", "--data", data, ...more], {
    cwd: ROOT,
    // Free ports, independent of other servers on this machine.
    env: {
      ...withoutOurs(process.env),
      ...FREE_PORTS,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let printed = "";
    said = "";
    dev.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    dev.once("exit", (code) => reject(new Error(`dev ended with ${code}: ${said}`)));
    dev.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes("Ctrl-C ends both")) resolve(printed);
    });
  });
}
afterEach(async () => {
  dev.kill("SIGKILL");
  await when(async () => ((await botPid()) === undefined ? true : undefined));
  // A process that is ending may still write a file.
  await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** Process id of the running bot; undefined if none is running. */
async function botPid(): Promise<number | undefined> {
  const text = await readFile(join(data, "run.json"), "utf8").catch(() => undefined);
  if (text === undefined || text === "") return undefined;
  const { pid }: { pid: number } = JSON.parse(text);
  return isAlive(pid) ? pid : undefined;
}

describe("sandbox and bot together", () => {
  it("run from source, start the bot again when its process is killed, and it answers", async () => {
    const printed = await start(SOURCE);
    expect(said).toBe("Starting the sandbox and the bot …\n");
    expect(printed).toMatch(/^ {2}ok {2}console {6}http:\/\/127\.0\.0\.1:\d+\/sign-in$/mu);
    expect(printed).toMatch(/^ {2}ok {2}code {9}[0-9A-Z]{4}-[0-9A-Z]{4}$/mu);
    const first = await when(botPid);
    process.kill(first, "SIGKILL");
    await when(async () => {
      const now = await botPid();
      return now !== undefined && now !== first ? now : undefined;
    });

    // The sandbox retries a message half a minute later if the bot was not listening yet.
    const asking = ["send", "@ana", "what are your hours?", "--wait", "90"];
    const { out } = await run(ROOT, ...asking, "--data", data);

    expect(out).toContain("We're open");

    const status = await run(ROOT, "status", "--json", "--data", data);
    const { consoleUrl }: { consoleUrl: string } = JSON.parse(status.out);
    expect(tokenOf(await postToken(consoleUrl))).toBeDefined();
    const opened = await run(ROOT, "open", "traces", "--json", "--data", data);
    const { url }: { url: string } = JSON.parse(opened.out);
    expect(new URL(url).searchParams.get("to")).toBe("/traces");
    const sessions = await run(ROOT, "open", "--sessions", "--data", data);
    expect(sessions.out).toMatch(/^[0-9a-f]{12} {2}operator {2}127\.0\.0\.1:\d+ .* until /u);
    const revoked = await run(ROOT, "open", "--revoke", "--data", data);
    expect(revoked.out).toBe("signed out 1 browser\n");
  });

  it.each([
    { flags: [], screen: /^ {2}ok {2}limits {7}off; live, an account sends 15 /mu, enabled: false },
    {
      flags: ["--limits"],
      screen: /^ {2}ok {2}limits {7}as on the live platform$/mu,
      enabled: true,
    },
  ])(
    "say on the first screen whether limits are enforced: $flags",
    async ({ flags, screen, enabled }) => {
      const printed = await start(bundled(), ...flags);

      expect(printed).toMatch(screen);
      const status = await run(ROOT, "status", "--json", "--data", data);
      expect(JSON.parse(status.out)).toMatchObject({ liveCost: { enabled } });
      const table = await run(ROOT, "status", "--data", data);
      expect(/^limits +off in this sandbox; /m.test(table.out)).toBe(!enabled);
    },
  );

  it.each([
    { signal: "SIGKILL", why: "the process was killed" },
    { signal: "SIGHUP", why: "the terminal was closed" },
  ] as const)("end together on $signal: $why", async ({ signal }) => {
    await start(bundled());
    const bot = await when(botPid);
    dev.kill(signal);
    await when(() => (isAlive(bot) ? undefined : true));

    expect(isAlive(bot)).toBe(false);
  });
});
