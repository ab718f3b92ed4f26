import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { openAccounts } from "../../src/runtime/accounts/registry.ts";
import { openLog } from "../../src/runtime/log.ts";
import type { Runtime } from "../../src/host/open.ts";
import { openRuntime } from "../../src/host/open-runtime.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { ownAddress } from "../support/own-address.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: echo
    triggers: [dm.received]
    max_age: 1h
    actions: [{reply_dm: {text: "re \${{ message.text }}"}}]
  - id: welcome
    triggers: [user.followed]
    max_age: 1h
    actions: [{reply_dm: {text: "welcome"}}]
`;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const TIMEOUT = 90_000;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

/**
 * Starts a bot on a sandbox that the bot treats as the live platform. The sandbox's clock differs from this machine's.
 */
async function skewedBot(aheadMs: number) {
  const folder = await mkdtemp(join(tmpdir(), "skewed-"));
  cleanups.push(() => rm(folder, { recursive: true }));
  const sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
  cleanups.push(() => sandbox.close());
  const { control } = sandbox;
  await control.setClock(new Date(Date.now() + aheadMs).toISOString());
  const app = await control.app();
  const listen = await ownAddress();
  const at = `${listen.host}:${listen.port}`;
  await control.host("bot.example", `http://${at}`);
  const id = await control.user("hello_bot");
  const ana = await control.user("ana");
  const tokens = await control.tokens(id, app.app_id);
  const keys = { consumerKey: app.consumer_key, consumerSecret: app.consumer_secret };
  const own = { accessToken: tokens.access_token, accessTokenSecret: tokens.access_token_secret };
  const accounts = await openAccounts(folder);
  const linkedAt = Date.parse((await control.clock()).now);
  await accounts.put({ id, username: "hello_bot", ...own, linkedAt });
  const start = async (): Promise<Runtime> => {
    const runtime = await openRuntime({
      data: folder,
      settings: {
        target: "live",
        platform: { baseUrl: sandbox.url },
        app: { ...keys, bearerToken: app.bearer_token },
        webhook: { url: "https://bot.example/webhook", listen: at },
      },
      rules: [{ text: RULES }],
      environment: {},
      log: openLog({ level: "silent" }),
    });
    cleanups.push(() => runtime.stop());
    return runtime;
  };
  const client = createClient({
    baseUrl: sandbox.url,
    credentials: { type: "oauth1", ...keys, ...own },
  });
  cleanups.push(() => client.close());
  return {
    control,
    start,
    say: (text: string) => control.act(ana, { type: "dm", to: id, text }),
    follow: () => control.act(ana, { type: "follow", user_id: id }),
    /** Makes the platform report that today's quota of messages is used up; it resets after `ms` milliseconds. */
    useUp: (ms: number) =>
      control.post(`/apps/${app.app_id}/usage`, { used: "all", user_id: id, resets_in_ms: ms }),
    /** Returns the bot's messages, oldest first. */
    async written(): Promise<readonly string[]> {
      const page = await client.dms.eventsWith(ana, { dmEventFields: ["sender_id"] });
      return page.data
        .flatMap(({ sender_id, text = "" }) => (sender_id === id ? text : []))
        .toReversed();
    },
  };
}

const sent = (runtime: Runtime, count: number) =>
  when(async () => {
    const items = await runtime.outbox({ status: "sent" });
    return items.length >= count ? items : undefined;
  });

describe.each([
  { skew: "10 s ahead", aheadMs: 10 * SECOND },
  { skew: "10 s behind", aheadMs: -10 * SECOND },
  { skew: "120 s ahead", aheadMs: 120 * SECOND },
  { skew: "120 s behind", aheadMs: -120 * SECOND },
  { skew: "a day ahead", aheadMs: DAY },
  { skew: "a day behind", aheadMs: -DAY },
])("a bot of a platform whose clock is $skew", ({ aheadMs }) => {
  it(
    "answers once what comes now, and what came while it was down",
    async () => {
      const bot = await skewedBot(aheadMs);
      const first = await bot.start();
      await bot.say("before");
      await sent(first, 1);
      await first.stop();
      // A young subscription may not deliver yet, so its first minute does not count as covered.
      await bot.control.advance(MINUTE);
      await bot.follow();
      await bot.say("meanwhile");
      // Only the platform's clock advances, so at the next start its difference from the bot's clock has changed.
      await bot.control.advance(20 * MINUTE);
      const second = await bot.start();
      await sent(second, 2);
      await second.stop();
      // A replay of the downtime may be requested once the platform has archived all of it.
      await bot.control.advance(20 * MINUTE);
      const third = await bot.start();
      await sent(third, 3);
      await bot.say("after");
      await sent(third, 4);
      await third.stop();

      expect(await bot.written()).toEqual(["re before", "re meanwhile", "welcome", "re after"]);
    },
    TIMEOUT,
  );

  it(
    "sends after the reset of a limit, at the second try",
    async () => {
      const bot = await skewedBot(aheadMs);
      const runtime = await bot.start();
      await bot.useUp(3 * SECOND);
      await bot.say("hello");
      const [item] = await sent(runtime, 1);

      expect(item?.attempts).toBeLessThanOrEqual(2);
    },
    TIMEOUT,
  );
});
