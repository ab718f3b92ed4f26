import { execFile, spawn } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startSandbox } from "../../src/sandbox/index.ts";
import { PNG } from "../sandbox/media/media-uploader.ts";
import { userToken } from "../sandbox/support/user-token.ts";

/**
 * Runs two unmodified Python clients against the sandbox: tweepy (both interfaces) and python-twitter (version 1.1), as
 * installed on this machine or from Debian's packages. Ends with `N passed, N failed`. If the clients can't be
 * installed, it reports that as a test run reports a missing requirement, and exits with 0.
 */

const execute = promisify(execFile);
const HERE = fileURLToPath(new URL(".", import.meta.url));
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/python-clients/", import.meta.url));
const PACKAGES = [
  "tweepy",
  "twitter",
  "requests",
  "requests-oauthlib",
  "oauthlib",
  "urllib3",
].concat(["certifi", "chardet", "charset-normalizer", "idna", "six", "future"]);

const CLIENTS = [
  { module: "tweepy", script: "tweepy_calls.py" },
  { module: "twitter", script: "python_twitter_calls.py" },
];

/** Folder in which Python finds the modules; undefined if its default folders have them. */
async function placeOf(modules: readonly string[]): Promise<string | undefined> {
  if (await imports(modules)) return undefined;
  const place = join(CACHE, "usr/lib/python3/dist-packages");
  if (await imports(modules, place)) return place;
  await mkdir(CACHE, { recursive: true });
  await execute("apt-get", ["download", ...PACKAGES.map((name) => `python3-${name}`)], {
    cwd: CACHE,
  });
  for (const name of await readdir(CACHE)) {
    if (name.endsWith(".deb")) await execute("dpkg", ["-x", join(CACHE, name), CACHE]);
  }
  await execute("python3", ["-c", `import ${modules.join()}`], { env: pathTo(place) });
  return place;
}

async function imports(modules: readonly string[], place?: string): Promise<boolean> {
  const options = place === undefined ? {} : { env: pathTo(place) };
  return execute("python3", ["-c", `import ${modules.join()}`], options).then(
    () => true,
    () => false,
  );
}

function pathTo(place: string | undefined): NodeJS.ProcessEnv {
  return place === undefined ? process.env : { ...process.env, PYTHONPATH: place };
}

/** Beginning of an MP4 file, padded so that it is sent in several parts. */
const VIDEO = Buffer.concat([
  Buffer.from("000000186674797069736f6d0000000069736f6d6d703432", "hex"),
  Buffer.alloc(40_000),
]);

interface Line {
  readonly client: string;
  readonly call: string;
  readonly failed?: string;
}

async function* linesOf(script: string, stage: string, place?: string): AsyncGenerator<Line> {
  const child = spawn("python3", [join(HERE, script), stage], {
    env: { ...pathTo(place), PYTHONDONTWRITEBYTECODE: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  for await (const line of createInterface(child.stdout)) yield JSON.parse(line);
  const code = await ended;
  if (code !== 0) yield { client: script, call: "all", failed: `ended with ${String(code)}` };
}

/** Creates an app, accounts and tokens in the sandbox for one client, with the values that the client needs. */
async function setStage() {
  const sandbox = await startSandbox();
  const { control } = sandbox;
  const app = await control.app({
    dialect: "tweet",
    callback_urls: ["https://bot.example/callback"],
  });
  const user = async (username: string) => {
    const id = await control.user(username);
    return { id, ...(await control.tokens(id, app.app_id)) };
  };
  const stage = { bot: await user("hello_bot"), person: await user("alice") };
  const userBearer = await userToken({ sandbox, app }, stage.bot.id);
  const media = { picture: PNG.toString("hex"), video: VIDEO.toString("hex") };
  const input = { url: sandbox.url, ...app, ...stage, ...media, user_bearer: userBearer };
  return { sandbox, stage: JSON.stringify(input) };
}

const place = await placeOf(CLIENTS.map(({ module }) => module)).catch((error: unknown) => {
  process.stderr.write(`Debian's packages could not be installed: ${String(error)}\n`);
  process.stdout.write(
    `not run: ${CLIENTS.length} Python clients need tweepy and python-twitter (apt-get install python3-tweepy python3-twitter)
0 passed, 0 failed\n`,
  );
  process.exit(0);
});
let [passed, failed] = [0, 0];
for (const { script } of CLIENTS) {
  const { sandbox, stage } = await setStage();
  for await (const line of linesOf(script, stage, place)) {
    const isFailure = line.failed !== undefined;
    if (isFailure) failed += 1;
    else passed += 1;
    process.stdout.write(
      `${isFailure ? "✗" : "✓"} ${line.client}  ${line.call}${isFailure ? `: ${line.failed}` : ""}\n`,
    );
  }
  await sandbox.close();
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
