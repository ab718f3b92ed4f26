import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Listen } from "../../src/config/settings.ts";
import type { Answers } from "../../src/runtime/control/contract.ts";
import { openLog } from "../../src/runtime/log.ts";
import { openRuntime } from "../../src/host/open-runtime.ts";
import type { Runtime } from "../../src/host/open.ts";
import { readSandboxFile } from "../../src/runtime/platform/sandbox-file.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { type BotCalls, botCalls } from "../support/bot-calls.ts";
import { ownAddress } from "../support/own-address.ts";
import { UNLIMITED } from "../support/unlimited.ts";

const RULES = `version: 1
rules:
  - id: echo
    triggers: [dm.received]
    max_age: 48h
    actions: [{reply_dm: {text: "re \${{ message.text }}"}}]
`;

/** Handles of the bot's two accounts. */
export const BOTS = ["hello_bot", "second_bot"] as const;

/** Values of the bot's setting `source`: the account activity webhook, the activity interface, or both. */
export const SOURCES = ["webhook", "both", "activity"] as const;
export type OutageSource = (typeof SOURCES)[number];

const HOST = "bot.example";
const NOBODY = "http://127.0.0.1:9";

/** A bot with two accounts on a sandbox, in this process, with all faults that a trial can cause. */
export class OutageWorld {
  readonly folder: string;
  /** User ids of {@link BOTS}. */
  readonly bots: string[] = [];
  readonly #source: OutageSource;
  readonly #port: number;
  readonly #listen: Listen;
  #sandbox: RunningSandbox;
  #runtime: Runtime | undefined;
  readonly #calls: BotCalls;

  private constructor(parts: {
    readonly folder: string;
    readonly source: OutageSource;
    readonly port: number;
    readonly listen: Listen;
    readonly sandbox: RunningSandbox;
  }) {
    this.folder = parts.folder;
    this.#calls = botCalls(join(parts.folder, "data"));
    this.#source = parts.source;
    this.#port = parts.port;
    this.#listen = parts.listen;
    this.#sandbox = parts.sandbox;
  }

  static async open(source: OutageSource): Promise<OutageWorld> {
    const folder = await mkdtemp(join(tmpdir(), "outages-"));
    const { port } = await ownAddress();
    const sandbox = await sandboxAt(folder, port);
    const world = new OutageWorld({ folder, source, port, listen: await ownAddress(), sandbox });
    await world.startBot();
    for (const name of BOTS) world.bots.push((await sandbox.control.users(name))[0]?.id ?? "");
    return world;
  }

  get control(): RunningSandbox["control"] {
    return this.#sandbox.control;
  }

  get isUp(): boolean {
    return this.#runtime !== undefined;
  }

  async now(): Promise<number> {
    return Date.parse((await this.control.clock()).now);
  }

  async startBot(): Promise<void> {
    if (this.#runtime !== undefined) return;
    const { host, port } = this.#listen;
    this.#runtime = await openRuntime({
      data: join(this.folder, "data"),
      settings: {
        accounts: [...BOTS],
        source: this.#source,
        webhook: { listen: `${host}:${port}` },
      },
      rules: [{ text: RULES }],
      environment: {},
      // Only the first start creates the accounts and sets the webhook's route in the sandbox.
      ...(this.bots.length === 0 && { sandbox: this.#sandbox }),
      log: openLog({ level: "silent" }),
    });
  }

  async stopBot(): Promise<void> {
    this.#calls.hangUp();
    await this.#runtime?.stop();
    this.#runtime = undefined;
  }

  /** Makes the platform's deliveries fail: the webhook's host leads to an address without a listener. */
  cut(): Promise<unknown> {
    return this.control.host(HOST, NOBODY);
  }

  mend(): Promise<unknown> {
    return this.control.host(HOST, `http://${this.#listen.host}:${this.#listen.port}`);
  }

  /** Stops the platform and starts it again, with its data. */
  async restartPlatform(): Promise<void> {
    await this.#sandbox.close();
    this.#sandbox = await sandboxAt(this.folder, this.#port);
  }

  async setBack(ms: number): Promise<void> {
    await this.control.setClock(new Date((await this.now()) - ms).toISOString());
  }

  async removeWebhooks(): Promise<void> {
    for (const { id } of await this.control.webhooks()) await this.control.removeWebhook(id);
  }

  async unsubscribe(account: string): Promise<void> {
    for (const { id } of await this.control.webhooks()) {
      // For an account without a subscription the request fails, which changes nothing.
      await this.control.unsubscribe(id, account).catch(() => undefined);
    }
  }

  /** Revokes the authorization of an account, by its position in {@link BOTS}. */
  async revoke(place: number): Promise<void> {
    await this.control.revoke(this.bots[place] ?? "", await this.#app());
  }

  async relink(place: number): Promise<void> {
    const id = this.bots[place] ?? "";
    const tokens = await this.control.tokens(id, await this.#app());
    await this.#runtime?.linkAccount({
      id,
      username: BOTS[place] ?? "",
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    });
  }

  status(): ReturnType<Runtime["status"]> {
    if (this.#runtime === undefined) throw new Error("the bot does not run");
    return this.#runtime.status();
  }

  async coverage(): Promise<Answers["coverage"]> {
    const answer = await this.#calls.call("coverage", { hours: 24 });
    if (answer === undefined) throw new Error("the bot does not run");
    return answer;
  }

  /** All received events, newest first. */
  async journal(): Promise<Answers["journal"]> {
    const rows: Answers["journal"][number][] = [];
    for (;;) {
      const before = rows.at(-1)?.seq;
      const query = { limit: 1_000, ...(before !== undefined && { before }) };
      const page = (await this.#runtime?.journal(query)) ?? [];
      rows.push(...page);
      if (page.length < 1_000) return rows;
    }
  }

  async close(): Promise<void> {
    await this.stopBot();
    await this.#sandbox.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #app(): Promise<string> {
    return (await readSandboxFile(join(this.folder, "data")))?.app.id ?? "";
  }
}

function sandboxAt(folder: string, port: number): Promise<RunningSandbox> {
  const state = join(folder, "world.json");
  return startSandbox({ port, state, settings: { limits: UNLIMITED } });
}
