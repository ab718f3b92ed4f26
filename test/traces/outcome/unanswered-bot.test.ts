import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import type { Answers } from "../../../src/runtime/control/contract.ts";
import type { ControlClient } from "../../../src/sandbox/control/client.ts";
import { botOnSandbox, type BotOnSandbox } from "../../support/bot-on-sandbox.ts";
import { run } from "../../support/command-line.ts";
import { fileLimit, type FullDisk } from "../../support/full-disk.ts";
import { when } from "../../support/when.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const MINUTE = 60_000;

const RULES = {
  "greetings.yaml": `version: 1
rules:
  - id: hello
    triggers: [dm.received, post.mentioned]
    conditions: [{ text: { contains_word: hello } }]
    max_age: 1h
    actions: [{ reply: Hello there. }]
  - id: slow
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: slow } }]
    actions: [{ delay: 10m }, { reply_dm: Done. }]
`,
};
const SENDING = { direction: "request", method: "POST", path: "/2/dm_conversations/*" } as const;

let bot: BotOnSandbox;
let disk: FullDisk | undefined;
afterEach(async () => {
  await bot.close();
  disk?.close();
  disk = undefined;
});

const sandbox = (): ControlClient => bot.sandbox.control;
const command = (...args: readonly string[]) =>
  run(ROOT, ...args, "--config", join(bot.folder, "config", "answerback.yaml"));

/** Lines of `why @ana` below the head, followed by its stderr. */
async function why(): Promise<string> {
  const { out, err } = await command("why", "@ana");
  return `${out}${err}`;
}

async function says(text: string): Promise<void> {
  await sandbox().act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });
}

/** Sends a message from Ana, and waits until the journal has `count` events. */
async function heard(text: string, count = 1): Promise<void> {
  await says(text);
  await received(count);
}

const received = (count: number): Promise<true> =>
  when(async () => ((await bot.journal()).length >= count ? true : undefined));

/** Waits until an outbox item has this status, and a reason that contains `reason`. */
const item = (status: Answers["outbox"][number]["status"], reason = ""): Promise<true> =>
  when(async () => {
    const items = await bot.items(status);
    return items.some((one) => (one.reason ?? "").includes(reason)) ? true : undefined;
  });

const runWaits = (): Promise<true> =>
  when(async () => ((await bot.status()).store.runs.waiting > 0 ? true : undefined));

/** Waits until the bot's status matches `words`. */
const reports = (words: RegExp): Promise<true> =>
  when(async () => (words.test(JSON.stringify(await bot.status())) ? true : undefined));

/** Advances the clock until the bot's status matches `words`. */
const reportsLater = (words: RegExp): Promise<true> =>
  when(async () => {
    if (words.test(JSON.stringify(await bot.status()))) return true;
    await sandbox().advance(MINUTE);
    return undefined;
  });

async function limitsAreUsedUp(): Promise<void> {
  const always = { always: true } as const;
  await sandbox().addFault({ match: SENDING, fault: { type: "limit" }, when: always });
  await heard("hello");
  await item("pending", "429");
}

/** Makes the platform refuse every registration of webhooks and every subscription. */
async function refusesSubscriptions(path: string): Promise<void> {
  const match = { direction: "request", method: "POST", path } as const;
  const fault = { type: "status", status: 403 } as const;
  await sandbox().addFault({ match, fault, when: { always: true } });
}

async function webhookId(): Promise<string> {
  const [webhook] = await sandbox().webhooks();
  return webhook?.id ?? "";
}

interface Way {
  readonly why: string;
  readonly happens: () => Promise<unknown>;
  /** Pattern for the first part of the output of `why @ana`: the reason. */
  readonly message: RegExp;
  readonly repair: RegExp;
}

const WAYS: readonly Way[] = [
  {
    why: "the platform says that its limit is used up",
    happens: limitsAreUsedUp,
    message:
      /the answer waits to be sent until \S+Z \(.+\), since the platform's limit is used up: POST /,
    repair: /it is sent by itself then; see answerback outbox show --config \S+ 1$/m,
  },
  {
    why: "an earlier answer to the person waits for the limit",
    happens: async () => {
      await limitsAreUsedUp();
      await heard("hello", 2);
    },
    message: /the answer waits behind item 1, which is pending \(POST .+ 429: Too Many Requests\)/,
    repair: /see answerback outbox show --config \S+ 1$/m,
  },
  {
    why: "the account is revoked before the answer is sent",
    happens: async () => {
      await heard("slow");
      await runWaits();
      await sandbox().revoke(bot.file.bot.id, bot.file.app.id);
      await reports(/answerback login/);
      await sandbox().advance(10 * MINUTE);
      await item("pending");
    },
    message: /the answer waits to be sent: @hello_bot is revoked: .+;/,
    repair: /log it in again: answerback login --config \S+ --username hello_bot$/m,
  },
  {
    why: "the account is revoked before the message comes",
    happens: async () => {
      await sandbox().revoke(bot.file.bot.id, bot.file.app.id);
      await reports(/answerback login/);
      await says("hello");
    },
    message: /nothing from @ana has come yet: @hello_bot is revoked: .+;/,
    repair:
      /log it in again: answerback login --config \S+ --username hello_bot; what was missed is read back/,
  },
  {
    why: "the account is revoked after an earlier answer",
    happens: async () => {
      await heard("hello");
      await item("sent");
      await sandbox().revoke(bot.file.bot.id, bot.file.app.id);
      await reports(/answerback login/);
      await says("hello again");
    },
    message: /what @ana has written since then has not come yet: @hello_bot is revoked: .+;/,
    repair:
      /log it in again: answerback login --config \S+ --username hello_bot; what was missed is read back/,
  },
  {
    why: "the tunnel is gone, and the platform tries again",
    happens: async () => {
      await sandbox().host("bot.example", "http://127.0.0.1:9");
      await says("hello");
      await when(async () =>
        (await sandbox().pendingDeliveries())[0]?.attempts ? true : undefined,
      );
    },
    message: /not delivered yet: the bot refused it or was away, and the platform retries in \d+ s/,
    repair: /have it at once with: answerback clock --config \S+ \+\d+s$/m,
  },
  {
    why: "the tunnel is gone, and the bot has noticed",
    happens: async () => {
      await sandbox().host("bot.example", "http://127.0.0.1:9");
      await reportsLater(/the platform does not deliver events/);
      await says("hello");
    },
    message: /nothing from @ana has come yet: the platform does not deliver events: .+;/,
    repair: /see answerback doctor --config \S+; what was missed is read back then/,
  },
  {
    why: "the webhook is gone, and can't be registered again",
    happens: async () => {
      await refusesSubscriptions("/2/webhooks");
      await sandbox().removeWebhook(await webhookId());
      await reportsLater(/the platform does not deliver events/);
      await says("hello");
    },
    message: /nothing from @ana has come yet: the platform does not deliver events: .+;/,
    repair: /see answerback doctor --config \S+; what was missed is read back then/,
  },
  {
    why: "the subscription is gone, and can't be made again",
    happens: async () => {
      await refusesSubscriptions("/2/account_activity/*");
      await sandbox().unsubscribe(await webhookId(), bot.file.bot.id);
      await reportsLater(/"subscribed":false/);
      await says("hello");
    },
    message: /nothing from @ana has come yet: @hello_bot is not subscribed: .+;/,
    repair: /see answerback doctor --config \S+; what was missed is read back then/,
  },
  {
    why: "the delivery waits for the platform's retry",
    happens: async () => {
      const match = { direction: "delivery" } as const;
      await sandbox().addFault({ match, fault: { type: "status", status: 500 } });
      await says("hello");
      await when(async () =>
        (await sandbox().pendingDeliveries())[0]?.attempts ? true : undefined,
      );
    },
    message: /not delivered yet: .+ the platform retries in \d+ s/,
    repair: /have it at once with: answerback clock --config \S+ \+\d+s$/m,
  },
  {
    why: "it came twice: the second delivery is the same message",
    happens: async () => {
      await heard("hello");
      await item("sent");
      const delivered = await sandbox().deliveries();
      const seqs = delivered.filter(({ event }) => event === "direct_message_events");
      await sandbox().deliverAgain(
        seqs.map(({ seq }) => seq),
        2,
      );
      await when(async () => ((await bot.status()).webhook.deliveries >= 4 ? true : undefined));
    },
    message: /^event 1, .+\n {2}answered by rule hello: message to @ana: Hello there\.$/m,
    repair: /^/,
  },
  {
    why: "it is an edit of a post that was answered",
    happens: async () => {
      const text = "@hello_bot hello";
      const { id } = await sandbox().act(bot.people.ana, { type: "post", text });
      await item("sent");
      const edit = { type: "edit", post_id: id, text: `${text}!` } as const;
      await sandbox().act(bot.people.ana, edit);
      // Waits for three events: the mention, the bot's answer to it, and the edit.
      await received(3);
    },
    message: /an edited post is not answered a second time: no rule listens to post\.edited/,
    repair: /write one: answerback explain post\.edited$/m,
  },
  {
    why: "the sender has blocked the bot",
    happens: async () => {
      await heard("slow");
      await runWaits();
      await sandbox().act(bot.people.ana, { type: "block", user_id: bot.file.bot.id });
      await sandbox().advance(10 * MINUTE);
      await item("failed");
    },
    message:
      /rule slow failed: actions\[1\]: .+ \(one has blocked the other, or the person takes no messages/,
    repair: /send it again once that is solved: answerback outbox retry --config \S+ 1$/m,
  },
  {
    why: "the bot has blocked the sender",
    happens: async () => {
      await heard("slow");
      await runWaits();
      await sandbox().act(bot.file.bot.id, { type: "block", user_id: bot.people.ana });
      await sandbox().advance(10 * MINUTE);
      await item("failed");
    },
    message:
      /rule slow failed: actions\[1\]: .+ \(one has blocked the other, or the person takes no messages/,
    repair: /send it again once that is solved: answerback outbox retry --config \S+ 1$/m,
  },
  {
    why: "the answer has expired",
    happens: async () => {
      await limitsAreUsedUp();
      await sandbox().advance(25 * 60 * MINUTE);
      await item("expired");
    },
    message: /the answer was given up: .+ 429: Too Many Requests;/,
    repair: /send it now: answerback outbox retry --config \S+ 1$/m,
  },
  {
    why: "the operator has dropped the answer",
    happens: async () => {
      await limitsAreUsedUp();
      await command("outbox", "drop", "1");
    },
    message: /the answer was dropped by the operator;/,
    repair: /send it now: answerback outbox retry --config \S+ 1$/m,
  },
  {
    why: "the bot is paused",
    happens: async () => {
      await command("pause");
      await heard("hello");
    },
    message: /it is not decided yet: the bot is paused since \S+Z;/,
    repair: /let it go on: answerback resume --config \S+$/m,
  },
  {
    why: "the account is paused",
    happens: async () => {
      await command("pause", "--account", "hello_bot");
      await heard("hello");
    },
    message: /it is not decided yet: @hello_bot is paused since \S+Z;/,
    repair: /let it go on: answerback resume --config \S+ --account hello_bot$/m,
  },
  {
    why: "the process ended before it decided",
    happens: async () => {
      await command("pause");
      await heard("hello");
      await bot.stop();
    },
    message: /it is not decided yet: the bot does not run;/,
    repair: /start it: answerback dev --config \S+$/m,
  },
  {
    why: "the process ended before it sent the answer",
    happens: async () => {
      await limitsAreUsedUp();
      await bot.stop();
    },
    message: /the answer waits to be sent: the bot does not run;/,
    repair: /start it: answerback dev --config \S+$/m,
  },
  {
    why: "the process ended before the message came",
    happens: async () => {
      await bot.stop();
      await says("hello");
    },
    message: /nothing from @ana has come yet: the bot does not run;/,
    repair: /start it: answerback dev --config \S+; what was missed is read back then/,
  },
  {
    why: "it is older than the rule takes",
    happens: async () => {
      await sandbox().advance(MINUTE);
      await bot.stop();
      await says("hello");
      await sandbox().advance(120 * MINUTE);
      await bot.start();
      await received(1);
      await bot.quiet();
    },
    message:
      /rule hello did not run, too-old: max_age: wants at most 3600 s old, there is 7\d\d\d;/,
    repair: /raise its max_age \(\S+\/config\/rules\/greetings\.yaml:3\)$/m,
  },
];

describe("why @ana, for a message that a bot has not answered", () => {
  it.each(WAYS)(
    "because $why, names the reason and the repair",
    async ({ happens, message, repair }) => {
      bot = await botOnSandbox({ rules: RULES });
      await bot.start();
      await happens();

      const text = await why();

      expect(text).toMatch(message);
      expect(text).toMatch(repair);
      expect(text).not.toMatch(/received nothing|nothing found/);
    },
  );

  it("because the bot is paused, names the run that waits for an answer, and says of no rule that it ran", async () => {
    const table = `version: 1
rules:
  - id: table
    triggers: [dm.received]
    conditions: [{ text: { contains_word: table } }]
    actions:
      - { id: people, ask: { text: "For how many?", within: 1h, on_timeout: [stop] } }
      - reply_dm: Done.
`;
    bot = await botOnSandbox({ rules: { ...RULES, "table.yaml": table } });
    await bot.start();
    await heard("a table", 2);
    await when(async () => {
      const runs = (await bot.journal()).flatMap((entry) => entry.runs);
      return runs.some(({ listens }) => listens) || undefined;
    });
    await command("pause");
    await heard("hello", 3);

    const question =
      "  run 1/rule:table waits for an answer, and is offered this event first\n  hello would run\n";
    expect(await why()).toContain(question);
    await command("resume");
    await bot.quiet();
    expect(await why()).not.toMatch(/would run|is offered this event/);
  });

  it(
    "because its store refuses writes, names the reason and the repair",
    { tags: ["file-limit"] },
    async () => {
      const inData = async () => void (disk = fileLimit());
      bot = await botOnSandbox({ rules: RULES, inData });
      await bot.startProcess();
      disk?.fill(bot.pid());
      await says("hello");
      await when(async () => ((await bot.ready())?.status === 503 ? true : undefined));

      const text = await why();

      expect(text).toMatch(/nothing from @ana has come yet: the store takes no writes: .+;/);
      expect(text).toMatch(
        /make room on its disk, or see what else it lacks: answerback doctor --config \S+;/,
      );
    },
  );
});
