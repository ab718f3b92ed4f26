import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { openLog } from "../../src/runtime/log.ts";
import type { Runtime } from "../../src/host/open.ts";
import { openRuntime } from "../../src/host/open-runtime.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/index.ts";
import { allDelivered } from "../support/all-delivered.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: welcome
    triggers: [user.followed]
    actions: [{reply_dm: Welcome!}]
  - id: hello
    triggers: [dm.received]
    actions: [{reply_dm: Hello!}]
`;

const HOUR = 60 * 60_000;

interface State {
  readonly tables: {
    readonly messages: readonly {
      readonly senderId: string;
      readonly recipientId?: string;
      readonly text: string;
    }[];
  };
}

let folder: string;
let sandbox: RunningSandbox;
let runtime: Runtime;

afterEach(async () => {
  await runtime.stop();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

it("quiet hours and who has opted out are obeyed on the whole way", async () => {
  folder = await mkdtemp(join(tmpdir(), "restraints-"));
  sandbox = await startSandbox();
  const { control } = sandbox;
  const { now } = await control.get<{ readonly now: string }>("/clock");
  const hour = new Date(now).getUTCHours();
  const inHours = (n: number) => `${String((hour + n) % 24).padStart(2, "0")}:00`;
  runtime = await openRuntime({
    sandbox,
    data: folder,
    rules: [{ text: RULES }],
    settings: {
      optOut: { words: ["stop"], text: "You won't hear from us again." },
      quietHours: { zone: "UTC", times: [`${inHours(2)}-${inHours(5)}`] },
    },
    environment: {},
    log: openLog({ level: "silent" }),
  });
  const bot = (await runtime.status()).accounts[0]?.id ?? "";
  const [ana, ben] = [await control.user("ana"), await control.user("ben")];
  const says = (by: string, text: string) => control.act(by, { type: "dm", to: bot, text });
  const got = (by: string, count: number) =>
    when(async () => {
      const { tables } = await control.get<State>("/state");
      const theirs = tables.messages.filter(
        ({ senderId, recipientId }) => senderId === bot && recipientId === by,
      );
      const texts = theirs.map(({ text }) => text);
      return texts.length >= count ? texts : undefined;
    });

  await says(ana, "stop");
  expect(await got(ana, 1)).toEqual(["You won't hear from us again."]);
  await control.advance(3 * HOUR);
  await control.act(ana, { type: "follow", user_id: bot });
  await control.act(ben, { type: "follow", user_id: bot });
  await when(async () => (await runtime.status()).store.items.held === 1 || undefined);
  await says(ben, "hi");
  expect(await got(ben, 1)).toEqual(["Hello!"]);

  await control.advance(3 * HOUR);
  expect(await got(ben, 2)).toEqual(["Hello!", "Welcome!"]);
  await says(ana, "hello?");
  await allDelivered(sandbox);
  await when(async () => (await runtime.status()).store.inbox === 0 || undefined);
  expect(await got(ana, 1)).toEqual(["You won't hear from us again."]);
});
