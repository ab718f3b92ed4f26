import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLog } from "../../src/runtime/log.ts";
import { openRuntime, type RuntimeOptions } from "../../src/host/open-runtime.ts";
import { writeSandboxFile } from "../../src/runtime/platform/sandbox-file.ts";
import { claimStore } from "../../src/runtime/store/world-claim.ts";
import { openStore } from "../../src/runtime/store/open.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/index.ts";
import { listen } from "../../src/system/listen.ts";

const GREET = `version: 1
rules:
  - id: greet
    triggers: [dm.received]
    actions:
      - reply_dm: { text: "Hello, \${{ sender.name }}!" }
`;

let folder: string;
let sandbox: RunningSandbox;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "open-"));
  sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
});
afterEach(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

const opening = (options: RuntimeOptions) =>
  openRuntime({
    environment: {},
    log: openLog({ level: "silent" }),
    cwd: folder,
    ...options,
  });

describe("openRuntime", () => {
  it("answers by rules from files and texts, stops, and releases the folder", async () => {
    await writeFile(join(folder, "greet.yaml"), GREET);
    const text = GREET.replace("greet", "later").replace("dm.received", "post.mentioned");
    const runtime = await opening({ sandbox, rules: ["*.yaml", { text }] });
    const { accounts, rules, missing } = await runtime.status();
    const [bot] = accounts;
    const ana = await sandbox.control.user("ana", { name: "Ana" });
    const settled = new Promise((resolve) => runtime.events.on("item-settled", resolve));
    await sandbox.control.act(ana, { type: "dm", to: bot?.id ?? "", text: "hi" });
    await settled;

    expect({ rules: rules.count, missing }).toEqual({ rules: 2, missing: [] });
    expect(await runtime.outbox({ limit: 1 })).toMatchObject([
      { status: "sent", action: { type: "reply_dm", to: ana, text: "Hello, Ana!" } },
    ]);
    expect((await runtime.journal()).at(-1)).toMatchObject({ kind: "message", state: "done" });
    await expect(runtime.outbox({ limit: 0 })).rejects.toMatchObject({ code: "usage" });
    await runtime.stop();
    await runtime.stop();
    await (await opening({ sandbox })).stop();
  });

  it("listens on a free port with a sandbox, unless the settings file or the environment names a port", async () => {
    const busyServer = createServer();
    const port = await listen(busyServer, 0, "127.0.0.1");
    const file = (webhook: string) =>
      writeFile(join(folder, "bot.yaml"), `version: 1\nstore: file:data\n${webhook}`);
    await file("");
    const runtime = await opening({ sandbox, settings: "bot.yaml" });
    const { webhook } = await runtime.status();
    await runtime.stop();
    const listening = { ANSWERBACK_WEBHOOK_LISTEN: `127.0.0.1:${port}` };
    const busy = { message: `port ${port} on 127.0.0.1 is busy` };

    expect(webhook.listen).not.toMatch(/:(?:0|8080)$/);
    await expect(
      opening({ sandbox, settings: "bot.yaml", environment: listening }),
    ).rejects.toMatchObject(busy);
    await file(`webhook: { listen: "127.0.0.1:${port}" }\n`);
    await expect(opening({ sandbox, settings: "bot.yaml" })).rejects.toMatchObject(busy);
    busyServer.close();
  });

  it("refuses rules that are no list, as untyped callers pass them", async () => {
    const options: RuntimeOptions = Object.assign({ sandbox }, JSON.parse('{"rules": "*.yaml"}'));

    await expect(opening(options)).rejects.toMatchObject({
      code: "usage",
      message: 'rules is no list: "*.yaml"',
    });
  });

  it("passes secrets to rules, and reports missing secrets with their places", async () => {
    await writeFile(
      join(folder, "crm.ts"),
      "export const find = ({ key }: { key: string }): string => `found by ${key.length}`;\n",
    );
    const text = `version: 1
rules:
  - id: find
    triggers: [dm.received]
    actions:
      - call: ./crm.ts#find
        id: found
        with: { key: "\${{ secrets.CRM_KEY }}" }
      - reply_dm: { text: "\${{ steps.found.result }}" }
  - id: other
    triggers: [post.mentioned]
    actions:
      - call: ./crm.ts#find
        with: { key: "\${{ secrets.OTHER_KEY }}" }
`;
    const runtime = await opening({ sandbox, rules: [{ text }], secrets: { CRM_KEY: "12345" } });
    const { rules, accounts } = await runtime.status();
    const ana = await sandbox.control.user("ana");
    const settled = new Promise((resolve) => runtime.events.on("item-settled", resolve));
    await sandbox.control.act(ana, { type: "dm", to: accounts[0]?.id ?? "", text: "hi" });
    await settled;
    const items = await runtime.outbox();
    await runtime.stop();

    expect(rules.problems).toEqual([expect.stringMatching(/^rules-1\.yaml:14:\d+: .*OTHER_KEY/)]);
    expect(items).toMatchObject([{ action: { text: "found by 5" } }]);
  });

  it("reports the first fifty of many mistakes, in its log and in its status", async () => {
    const rules = Array.from({ length: 70 }, (_, number) => `  - { id: r${number}, on: [x] }`);
    const text = `version: 1\nrules:\n${rules.join("\n")}\n`;
    const logged: string[] = [];
    const log = openLog({
      level: "warn",
      destination: { write: (line) => void logged.push(line) },
    });
    const runtime = await opening({ sandbox, rules: [{ text }], log });
    const { problems } = (await runtime.status()).rules;
    await runtime.stop();

    const lines = logged.filter((line) => line.includes("rules-1.yaml"));
    expect(lines).toHaveLength(50);
    expect(lines[0]).toContain('"help":"add  actions:');
    expect(logged).toContainEqual(expect.stringMatching(/… and \d+ more, not shown/));
    expect(problems).toHaveLength(51);
    expect(problems[50]).toMatch(/^… and \d+ more, not shown$/);
  });

  it("puts the store where the settings say, and everything else in the data folder", async () => {
    const runtime = await opening({ sandbox, settings: { store: "file:elsewhere" } });
    await runtime.stop();

    await expect(access(join(folder, "elsewhere", "store.db"))).resolves.toBeUndefined();
    await expect(access(join(folder, "data", "accounts.json"))).resolves.toBeUndefined();
    await expect(access(join(folder, "data", "store.db"))).rejects.toThrow("ENOENT");
  });

  it("reads a settings file", async () => {
    await writeFile(
      join(folder, "answerback.yaml"),
      "version: 1\naccounts: [shop]\nwebhook: { listen: '127.0.0.1:0' }\nstore: file:./kept\n",
    );
    const runtime = await opening({ sandbox, settings: "answerback.yaml" });
    const { accounts } = await runtime.status();
    await runtime.stop();

    expect(accounts).toMatchObject([{ username: "shop", subscribed: true }]);
    await expect(access(join(folder, "kept", "store.db"))).resolves.toBeUndefined();
  });

  it("reads a .env only if it is named, and the environment takes precedence", async () => {
    const settings = "answerback.yaml";
    await writeFile(join(folder, ".env"), "HANDLE=shop\nLISTEN=not this\n");
    await writeFile(
      join(folder, settings),
      "version: 1\naccounts: ['${{ env.HANDLE }}']\nwebhook: { listen: '${{ env.LISTEN }}' }\nstore: file:./kept\n",
    );
    const environment = { LISTEN: "127.0.0.1:0" };
    const unread = opening({ sandbox, settings, environment });
    await expect(unread).rejects.toThrow("the environment has no HANDLE");
    const runtime = await opening({ sandbox, settings, environment, envFile: ".env" });
    const { accounts } = await runtime.status();
    await runtime.stop();

    expect(accounts).toMatchObject([{ username: "shop" }]);
    expect(process.env["HANDLE"]).toBeUndefined();
    await expect(opening({ sandbox, envFile: "gone.env" })).rejects.toThrow("there is no file");
  });

  it.each<{ options: RuntimeOptions; fault: object; why: string }>([
    {
      options: { settings: { store: "postgres://db" } },
      fault: { code: "config", message: expect.stringContaining("names no database") },
      why: "a database that is not named",
    },
    {
      options: { settings: { webhook: { url: "http://bot.example/" } } },
      fault: { code: "config", message: expect.stringContaining("not a public https URL") },
      why: "a setting that can't be",
    },
    {
      options: { data: "~/bot" },
      fault: { code: "usage", message: expect.stringContaining('a folder called "~"') },
      why: "a data folder that only a shell would find",
    },
    {
      options: { data: "" },
      fault: { code: "usage", message: expect.stringContaining("empty path") },
      why: "an empty data folder, which would be the current folder",
    },
    {
      options: { settings: { target: "live" } },
      fault: { code: "config", message: expect.stringContaining("platform.base_url") },
      why: "a live platform that nothing is said of",
    },
  ])("refuses $why", async ({ options, fault }) => {
    await expect(opening({ sandbox, ...options })).rejects.toMatchObject(fault);
  });

  it("leaves nothing open if it fails between opening the store and starting", async () => {
    const control = createServer((request, response) => {
      const clock = { now: "2026-01-01T00:00:00.000Z", frozen: false };
      const isClock = request.url?.endsWith("/clock") === true;
      response.end(JSON.stringify(isClock ? clock : { world_id: "another" }));
    });
    const controlUrl = `http://127.0.0.1:${await listen(control, 0)}/_sandbox`;
    const data = join(folder, "data");
    await writeSandboxFile(data, {
      pid: process.pid,
      baseUrl: "http://127.0.0.1:9",
      adsBaseUrl: "http://127.0.0.1:9",
      controlUrl,
      controlToken: "token",
      webhookUrl: "https://bot.example/webhook",
      app: { id: "1", consumerKey: "key", consumerSecret: "secret", bearerToken: "bearer" },
      bot: { id: "1", username: "hello_bot" },
      people: [],
    });

    const store = await openStore(`file:${data}`);
    await claimStore(store, { target: "sandbox", worldId: "one" });
    await store.close();

    await expect(opening({})).rejects.toMatchObject({ code: "usage" });
    await (await openStore(`file:${data}`)).close();
    control.closeAllConnections();
    control.close();
  });
});
