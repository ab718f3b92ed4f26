import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestSandbox, type TestSandbox } from "../sandbox/support/test-sandbox.ts";
import { ownAddress } from "../support/own-address.ts";
import { programOfProxy, type ReverseProxy } from "../support/reverse-proxies.ts";
import { certificateFor } from "../support/tls-front.ts";
import { when } from "../support/when.ts";

/** Proxies with the shipped configurations. Each has another site first, so the bot's site is not the default one. */

let fixture: TestSandbox;
let folder: string;
let port: number;
let running: ChildProcess | undefined;
let printed: string;
beforeEach(async () => {
  fixture = await startTestSandbox();
  folder = await mkdtemp(join(tmpdir(), "answerback-proxy-"));
  ({ port } = await ownAddress());
  running = undefined;
  printed = "";
});
afterEach(async () => {
  const ended = new Promise<void>((resolve) => {
    if (running?.exitCode === null) running.once("exit", () => resolve());
    else resolve();
  });
  running?.kill();
  await ended;
  await fixture.close();
  await rm(folder, { recursive: true, force: true });
});

const shipped = (name: string): Promise<string> =>
  readFile(new URL(`../../examples/deploy/${name}`, import.meta.url), "utf8");
const receiver = (): string => new URL(fixture.target).host;

/** Starts a proxy, and waits until the bot's site responds. If the proxy ends, the test fails with its output. */
async function start(name: ReverseProxy, args: readonly string[], ca: () => Promise<string>) {
  const program = await programOfProxy(name);
  if (program === undefined) throw new Error(`no ${name}`);
  const child = spawn(program, args, {
    env: { ...process.env, HOME: folder, BOT: receiver() },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running = child;
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  return when(async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${printed}`);
    const certificate = await ca().catch(() => undefined);
    if (certificate === undefined) return undefined;
    const status = await statusOf("shop.example", certificate).catch(() => undefined);
    return status === undefined ? undefined : certificate;
  });
}

/** Returns the status with which a site of the proxy responds to `/webhook`. */
function statusOf(host: string, ca: string): Promise<number | undefined> {
  const options = { host: "127.0.0.1", port, servername: host, ca, headers: { host } };
  return new Promise((resolve, reject) => {
    request({ ...options, path: "/webhook", agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

const OTHER_SITE = "418";

async function startNginx(): Promise<string> {
  const sites = await Promise.all(
    ["shop.example", "bot.example"].map(async (name) => {
      const { key, cert } = await certificateFor(name);
      const live = join(folder, "live", name);
      await mkdir(live, { recursive: true });
      await writeFile(join(live, "fullchain.pem"), cert);
      await writeFile(join(live, "privkey.pem"), key);
      return { name, live, cert };
    }),
  );
  const own = (await shipped("nginx.conf"))
    .replace("listen 443", `listen 127.0.0.1:${port}`)
    .replaceAll("/etc/letsencrypt", folder)
    .replace("127.0.0.1:8080", receiver());
  await writeFile(join(folder, "bot.example.conf"), own);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const live = join(folder, "live/shop.example");
  const config = `
daemon off;
user ${process.getuid?.() === 0 ? "root" : "nobody"};
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n  ")}
  server {
    listen 127.0.0.1:${port} ssl;
    server_name shop.example;
    ssl_certificate ${live}/fullchain.pem;
    ssl_certificate_key ${live}/privkey.pem;
    return ${OTHER_SITE};
  }
  include ${folder}/bot.example.conf;
}
`;
  await writeFile(join(folder, "nginx.conf"), config);
  const ca = sites.map(({ cert }) => cert).join("\n");
  return start("nginx", ["-c", join(folder, "nginx.conf"), "-p", folder], async () => ca);
}

async function startCaddy(): Promise<string> {
  await writeFile(join(folder, "bot.example.caddy"), await shipped("Caddyfile"));
  const config = `{
	admin off
	auto_https disable_redirects
	http_port ${(await ownAddress()).port}
	https_port ${port}
	local_certs
	skip_install_trust
	storage file_system ${folder}/certificates
}
shop.example {
	respond ${OTHER_SITE}
}
import ${folder}/bot.example.caddy
`;
  await writeFile(join(folder, "Caddyfile"), config);
  const args = ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"];
  const root = join(folder, "certificates/pki/authorities/local/root.crt");
  return start("caddy", args, () => readFile(root, "utf8"));
}

describe("the shipped proxy configuration, beside another site", () => {
  const messageThrough = async (ca: string): Promise<readonly string[]> => {
    const { control } = fixture.sandbox;
    const target = `https://127.0.0.1:${port}`;
    await control.call("PUT", "/hosts/bot.example", { target, ca });
    await control.call("PUT", "/hosts/shop.example", { target, ca });
    const { body } = await fixture.asApp("POST", "/2/webhooks", {
      url: "https://bot.example/webhook",
    });
    expect(body, printed).toMatchObject({ data: { valid: true } });
    const { id } = body["data"] as { id: string };
    await fixture.asBot("POST", `/2/account_activity/webhooks/${id}/subscriptions/all`);
    await control.act(fixture.person, { type: "dm", to: fixture.bot, text: "hello" });
    await fixture.idle();
    const deliveredTo = fixture.received.map(({ url }) => url);

    const elsewhere = await fixture.asApp("POST", "/2/webhooks", {
      url: "https://shop.example/webhook",
    });
    expect(JSON.stringify(elsewhere.body)).toContain(`status ${OTHER_SITE}`);
    return deliveredTo;
  };

  it("routes the platform's requests to the bot with nginx", { tags: ["nginx"] }, async () => {
    expect(await messageThrough(await startNginx())).toEqual(["/webhook"]);
  });

  it("routes the platform's requests to the bot with Caddy", { tags: ["caddy"] }, async () => {
    expect(await messageThrough(await startCaddy())).toEqual(["/webhook"]);
  });
});
