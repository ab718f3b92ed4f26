import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveControl, type Control } from "../../../src/runtime/control/server.ts";
import { openLog } from "../../../src/runtime/log.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { openStore } from "../../../src/runtime/store/open.ts";

let folder: string;
let store: Store;
let control: Control;
let token: string;
const kept: object[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "control-"));
  store = await openStore(`file:${folder}`);
  control = await serveControl({
    folder,
    store,
    log: openLog({ level: "silent" }),
    status: () => ({
      target: "sandbox",
      startedAt: "2026-01-01T00:00:00.000Z",
      now: "2026-01-01T00:00:00.000Z",
      webhook: { listen: "127.0.0.1:1", url: "https://bot.example/webhook" },
      accounts: [],
      rules: { count: 0, revision: "r", problems: [] },
      bots: [],
      botFaults: [],
    }),
    accounts: { put: async (account) => void kept.push(account), remove: async () => false },
  });
  token = JSON.parse(await readFile(join(folder, "run.json"), "utf8")).token;
});
afterEach(async () => {
  await control.close();
  await store.close();
  await rm(folder, { recursive: true });
});

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Asks with the token unless `headers` says otherwise. fetch would not let a test choose the host. */
function ask({ path, method = "GET", headers = {}, body }: Asked) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const asking = request(
      control.url + path,
      { method, headers: { authorization: `Bearer ${token}`, ...headers } },
      (answer) => {
        let text = "";
        answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    asking.on("error", reject);
    asking.end(body);
  });
}

const JSON_BODY = { "content-type": "application/json" };

describe("the control server", () => {
  it("is found by run.json, which only its owner may read, and which goes with it", async () => {
    const file = join(folder, "run.json");
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
    await control.close();

    await expect(stat(file)).rejects.toThrow("ENOENT");
  });

  it.each<Asked & { status: number; why: string }>([
    { path: "/status", headers: { authorization: "" }, status: 401, why: "no token" },
    { path: "/status", headers: { authorization: "Bearer x" }, status: 401, why: "a wrong one" },
    { path: "/status", headers: { host: "evil.example" }, status: 403, why: "a name turned here" },
    { path: "/nothing", status: 404, why: "there is none" },
    { path: "/journal?limit=0", status: 400, why: "no such limit" },
    { path: "/journal?limit=1&limit=2", status: 400, why: "two limits" },
    { path: "/journal?wat=1", status: 400, why: "an unknown parameter" },
    { path: "/outbox?status=odd", status: 400, why: "no such status" },
    {
      path: "/accounts",
      method: "PUT",
      body: "{",
      headers: JSON_BODY,
      status: 400,
      why: "no JSON",
    },
    { path: "/accounts", method: "PUT", body: "{}", headers: JSON_BODY, status: 400, why: "empty" },
    { path: "/accounts/%ff", method: "DELETE", status: 400, why: "no such character" },
  ])("refuses $path with $status and a JSON error: $why", async ({ status, ...asked }) => {
    const answer = await ask(asked);

    expect(answer.status).toBe(status);
    const { error } = JSON.parse(answer.text);
    expect(error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    expect(answer.text).not.toContain("node_modules");
    expect(answer.text).not.toContain(token);
  });

  it("tells its state without any secret", async () => {
    const { status, text } = await ask({ path: "/status" });

    expect(status).toBe(200);
    expect(text).not.toMatch(/token|secret/i);
  });
});
