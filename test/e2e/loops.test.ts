import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Runtime } from "../../src/host/open.ts";
import { openRuntime, type RuntimeOptions } from "../../src/host/open-runtime.ts";
import { openLog } from "../../src/runtime/log.ts";
import type { RuntimeEventOf } from "../../src/runtime/runtime-events.ts";
import { readSandboxFile } from "../../src/runtime/platform/sandbox-file.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/index.ts";
import { allDelivered } from "../support/all-delivered.ts";
import { when } from "../support/when.ts";

const RING = fileURLToPath(new URL("../fixtures/bots/ring.ts", import.meta.url));
const EVERYTHING = `version: 1
rules:
  - id: everything
    triggers: [dm.received]
    actions: [{reply_dm: {text: "you wrote message \${{ message.id }}"}}]
  - id: in-public
    triggers: [post.mentioned, post.replied]
    actions: [{reply_post: {text: "you wrote post \${{ post.id }}"}}]
`;
const MINUTE = 60_000;

// Hundreds of messages go back and forth, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;
let sandbox: RunningSandbox;
let runtime: Runtime;
let held: RuntimeEventOf<"answers-held">["data"][];

afterEach(async () => {
  await runtime.stop();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

/** Starts a runtime on a new sandbox. */
async function started(options: Partial<RuntimeOptions> = {}): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "loops-"));
  sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
  runtime = await openRuntime({
    sandbox,
    data: folder,
    rules: [{ text: EVERYTHING }],
    environment: {},
    log: openLog({ level: "silent" }),
    ...options,
  });
  held = [];
  runtime.events.on("answers-held", ({ data }) => held.push(data));
}

/** Creates an account that this runtime answers for. Returns its id. */
async function account(username: string): Promise<string> {
  const appId = (await readSandboxFile(folder))?.app.id ?? "";
  const id = await sandbox.control.user(username, { name: username });
  const tokens = await sandbox.control.tokens(id, appId);
  await runtime.linkAccount({
    id,
    username,
    accessToken: tokens.access_token,
    accessTokenSecret: tokens.access_token_secret,
  });
  return id;
}

const person = (username: string) => sandbox.control.user(username, { name: username });
const says = (by: string, to: string, text: string) =>
  sandbox.control.act(by, { type: "dm", to, text });

const sentCount = async (): Promise<number> => (await runtime.status()).store.items.sent;

/** Waits until no decision and no outbox item is pending. */
const quiet = () =>
  when(async () => {
    await allDelivered(sandbox);
    const { store, work, webhook } = await runtime.status();
    const open = store.inbox + store.items.pending + store.items.sending + work.effects;
    if (open + work.inputs + work.sending > 0) return undefined;
    // The platform reports each sent message as an event, to both accounts.
    const { store: later, webhook: hook } = await runtime.status();
    return later.journal === store.journal && hook.deliveries === webhook.deliveries
      ? later
      : undefined;
  });

/** Waits until `count` events have reported that answers to a person are held back. */
const heldItems = (count: number) => when(() => (held.length >= count ? held : undefined));

describe("an endless conversation", () => {
  it("of two accounts of one bot ends within the limit, is reported once and continues when it is resumed", async () => {
    await started();
    const ann = await account("ann_bot");
    const bob = await account("bob_bot");

    await says(ann, bob, "hello");
    await heldItems(1);
    await quiet();

    const first = await sentCount();
    expect(first).toBeGreaterThanOrEqual(19);
    expect(first).toBeLessThanOrEqual(20);
    const { held: lanes, store } = await runtime.status();
    expect(lanes).toMatchObject([{ items: 1, reason: expect.stringContaining("limits.loop") }]);
    expect(store.items.held).toBe(1);
    expect(held).toHaveLength(1);
    expect(held[0]?.fix).toMatch(/^answerback resume --person (ann|bob)_bot$/);

    const whom = lanes[0]?.username ?? "";
    expect(await runtime.resume({ person: whom })).toMatchObject({ done: true, items: 1 });
    await heldItems(2);
    await quiet();
    expect(await sentCount()).toBeGreaterThan(first);
    expect(await sentCount()).toBeLessThanOrEqual(first + 21);
  });

  it("of two accounts in public ends, too", async () => {
    await started();
    const ann = await account("ann_bot");
    await account("bob_bot");

    await sandbox.control.act(ann, { type: "post", text: "@bob_bot hello" });
    await heldItems(1);
    await quiet();

    expect(await sentCount()).toBeLessThanOrEqual(20);
    expect((await runtime.outbox({ status: "held" }))[0]?.action.type).toBe("reply_post");
  });

  it("of three accounts in a ring ends", async () => {
    await started({ rules: [], settings: { bots: [RING] } });
    const ring = [await account("one_bot"), await account("two_bot"), await account("tri_bot")];

    await says(await person("ana"), ring[0] ?? "", `${ring.join(",")} hop 1`);
    await heldItems(1);
    await quiet();

    expect(await sentCount()).toBe(30);
    expect(held).toHaveLength(1);
  });

  it("of a bot and an auto-responder ends after 30 answers, and again after it is resumed", async () => {
    await started();
    const bot = (await runtime.status()).accounts[0]?.id ?? "";
    const robot = await person("robot");
    let answered = 0;
    /** Writes a message after each answer, until no answer comes. */
    const chatter = async (until: () => Promise<boolean>) => {
      while (!(await until())) {
        const { sent } = (await runtime.status()).store.items;
        if (sent > answered) {
          answered = sent;
          await says(robot, bot, `automatic answer ${sent}`);
        }
      }
    };

    await says(robot, bot, "hello");
    await chatter(async () => held.length === 1);
    await quiet();
    expect(await sentCount()).toBe(30);
    expect((await runtime.status()).held).toMatchObject([
      { person: robot, username: "robot", items: 1, reason: expect.stringContaining("30 in 10m") },
    ]);

    await runtime.resume({ person: "@robot" });
    await chatter(async () => held.length === 2);
    await quiet();
    expect(await sentCount()).toBe(61);
  });
});

describe("one person's messages", () => {
  const write = async (by: string, to: string, count: number) => {
    for (let n = 1; n <= count; n += 1) await says(by, to, `message ${n}`);
  };

  it("are answered, 25 of 25 in ten minutes, and those of other people, too", async () => {
    await started();
    const bot = (await runtime.status()).accounts[0]?.id ?? "";
    const [ana, ben] = [await person("ana"), await person("ben")];

    await write(ana, bot, 25);
    await write(ben, bot, 25);
    await quiet();

    expect(await sentCount()).toBe(50);
    expect((await runtime.status()).held).toEqual([]);
  });

  it("get 30 answers of 200, and further answers after a pause of ten minutes", async () => {
    await started();
    const bot = (await runtime.status()).accounts[0]?.id ?? "";
    const ana = await person("ana");

    await write(ana, bot, 200);
    await quiet();
    await heldItems(1);

    expect((await runtime.status()).store.items).toMatchObject({ sent: 30, held: 170 });
    expect(held).toHaveLength(1);
    await sandbox.control.advance(11 * MINUTE);
    await says(ana, bot, "sorry");
    await quiet();
    expect((await runtime.status()).store.items).toMatchObject({ sent: 31, held: 170 });
    expect(await runtime.resume({ person: "ana", drop: true })).toMatchObject({ items: 170 });
    expect((await runtime.status()).store.items).toMatchObject({
      sent: 31,
      held: 0,
      failed: 0,
      dropped: 170,
    });
  });

  it("are answered without a limit if the settings say so", async () => {
    await started({ settings: { limits: { replies: "none" } } });
    const bot = (await runtime.status()).accounts[0]?.id ?? "";
    await write(await person("ana"), bot, 40);
    await quiet();

    expect(await sentCount()).toBe(40);
  });
});
