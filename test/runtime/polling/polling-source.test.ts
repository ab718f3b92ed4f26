import { afterEach, beforeEach, expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import {
  type PolledAccount,
  type PollingNeeds,
  type PollingSource,
  pollingSource,
} from "../../../src/runtime/polling/polling-source.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { when } from "../../support/when.ts";
import { type Lists, openLists } from "../catchup/support/lists.ts";

type AccountChange = Parameters<Parameters<PollingNeeds["accounts"]["subscribe"]>[0]>[0];

let clock: HandClock;
let lists: Lists;
let source: PollingSource;
/** Stored values by name. */
let values: Map<string, string>;
/** Ids of the events that were appended. */
let appended: string[];
let append: () => Promise<void>;
let change: (change: AccountChange) => void;

beforeEach(() => {
  clock = handClock();
  lists = openLists();
  values = new Map();
  appended = [];
  append = async () => {};
  source = pollingSource({
    accounts: {
      list: () => [linked(1)],
      subscribe(listener) {
        change = listener;
        return () => {};
      },
    },
    clientOf: () => lists.client,
    lostPermission: () => undefined,
    memory: {
      getMeta: async (name) => values.get(name),
      setMeta: async (name, value) => void values.set(name, value),
    },
    clock,
    readiness: { ready: () => {}, notReady: () => {} },
    publish: () => {},
    log: openLog({ level: "silent" }),
    random: () => 0,
  });
});
afterEach(() => source.stop());

const linked = (linkedSince: number): PolledAccount => ({
  id: "100",
  username: "bot",
  linkedSince,
});
const cursor = () => JSON.parse(values.get("polling/messages/100") ?? "{}") as object;

async function start(): Promise<void> {
  await source.start(async (_delivery, raw) => {
    appended.push(/"id":"(\w+)"/u.exec(raw)?.[1] ?? raw);
    await append();
    return 1;
  });
  await source.settled();
}

it("an account that is unlinked and linked again is polled from then on, and the poll under way moves no cursor", async () => {
  await start();
  let onStored = (): void => {};
  append = () => new Promise((resolve) => (onStored = resolve));
  lists.messages = [{ id: "1", at: clock.now() + 1 }];
  clock.advance(2);
  await when(() => appended.length > 0 || undefined);
  change({ type: "removed", account: linked(1) });
  clock.advance(60_000);
  lists.messages = [{ id: "2", at: clock.now() - 1 }, ...lists.messages];
  change({ type: "linked", account: linked(2) });
  await source.settled();
  onStored();
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));

  expect(appended).toEqual(["1"]);
  expect(cursor()).toEqual({ from: clock.now(), at: clock.now(), link: 2 });
});

it("a stop waits for the poll under way, and moves its cursor", async () => {
  await start();
  let onStored = (): void => {};
  append = () => new Promise((resolve) => (onStored = resolve));
  const at = clock.now() + 1;
  lists.messages = [{ id: "1", at }];
  clock.advance(2);
  await when(() => appended.length > 0 || undefined);
  const stopped = source.stop();
  onStored();
  await stopped;

  expect(cursor()).toMatchObject({ at, link: 1 });
});
