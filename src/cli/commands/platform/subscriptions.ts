import { Command } from "commander";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { printList, printRecord } from "../../output/print.ts";
import { withJson, type JsonFlag, wholeHandle } from "../../arguments/settings-flags.ts";
import { withActor, type ActingFlags, withTarget } from "../../target/target-flags.ts";
import { UsageError } from "../../../errors.ts";
import type { PlatformTarget } from "../../target/target.ts";

interface Flags extends ActingFlags, JsonFlag {
  readonly webhook?: string;
}

/** `subscriptions`: manages the accounts whose events a webhook receives. */
export function subscriptions(io: Io): Command {
  return new Command("subscriptions")
    .description("manage the accounts whose events a webhook receives")
    .addCommand(list(io))
    .addCommand(add(io))
    .addCommand(remove(io))
    .addCommand(count(io));
}

function withWebhook(command: Command): Command {
  return command.option(
    "--webhook <id>",
    "id of the webhook (default: the bot's own, or the only one)",
  );
}

function list(io: Io): Command {
  const command = withJson(withWebhook(withActor(new Command("list")))).description(
    "list the accounts subscribed to a webhook",
  );
  return withExamples(command, ["answerback subscriptions list"]).action(async (flags: Flags) => {
    const { activitySubscriptionsAt } = await import("../../target/activity-subscriptions.ts");
    const rows = await withTarget(io, flags, async (target) => {
      const { source } = target.settings;
      const webhookId = await webhookIdFor(target, flags.webhook);
      const older =
        source === "activity" ? [] : (await target.app.activity.list(webhookId)).subscriptions;
      const isNewer = source === "activity" || source === "both";
      const newer = isNewer ? await activitySubscriptionsAt(target, webhookId) : [];
      return [...older.map(({ user_id }) => ({ user_id, events: "all" })), ...newer].map((row) => ({
        ...row,
        username: target.accounts.find(({ id }) => id === row.user_id)?.username ?? null,
      }));
    });
    printList(
      io,
      flags.json,
      rows,
      [
        { title: "USER", of: ({ user_id }) => user_id },
        {
          title: "ACCOUNT",
          of: ({ username }) => (username === null ? "not linked here" : `@${username}`),
        },
        { title: "EVENTS", of: ({ events }) => events },
      ],
      "No account is subscribed.",
    );
  });
}

function add(io: Io): Command {
  const command = withJson(withWebhook(withActor(new Command("add"))), "print JSON").description(
    "subscribe an account; a running bot subscribes its own accounts itself",
  );
  return withExamples(command, ["answerback subscriptions add --as @ana"]).action(
    async (flags: Flags) => {
      const { activityInterfaceOf } = await import("../../target/activity-subscriptions.ts");
      const result = await withTarget(io, flags, async (target) => {
        const { client, username, id: userId } = await target.as(flags.as);
        const webhookId = await webhookIdFor(target, flags.webhook);
        const newer = activityInterfaceOf(target);
        if (newer !== undefined) {
          await newer.subscribers(webhookId, [userId]);
          await newer.subscribe(client, { userId, webhookId });
        }
        if (target.settings.source === "activity") return { username, subscribed: true };
        return { username, ...(await client.activity.subscribe(webhookId)) };
      });
      printRecord(io, flags.json, result, [
        ["account", `@${result.username}`],
        ["subscribed", result.subscribed ? "yes" : "no"],
      ]);
    },
  );
}

function remove(io: Io): Command {
  const command = withJson(withWebhook(withActor(new Command("remove"))), "print JSON")
    .description("remove a subscription")
    .argument("<user>", "a handle or a user id", wholeHandle);
  return withExamples(command, ["answerback subscriptions remove @ana"]).action(
    async (user: string, flags: Flags) => {
      const { activityInterfaceOf } = await import("../../target/activity-subscriptions.ts");
      const result = await withTarget(io, flags, async (target) => {
        const { id } = await target.user(user);
        const webhookId = await webhookIdFor(target, flags.webhook);
        await activityInterfaceOf(target)?.unsubscribe({ webhookId, userId: id });
        if (target.settings.source === "activity") return { subscribed: false };
        return target.app.activity.unsubscribe({ webhookId, userId: id });
      });
      printRecord(io, flags.json, result, [["subscribed", result.subscribed ? "yes" : "no"]]);
    },
  );
}

function count(io: Io): Command {
  const command = withJson(withActor(new Command("count")), "print JSON").description(
    "show the number of subscriptions and its limit",
  );
  return withExamples(command, ["answerback subscriptions count"]).action(async (flags: Flags) => {
    const result = await withTarget(io, flags, async ({ app, settings }) => {
      if (settings.source !== "activity") return app.activity.count();
      const pages = app.activitySubscriptions.list().pages();
      let count = 0;
      for await (const { data } of pages) count += data.length;
      return { subscriptions_count_all: String(count) };
    });
    if (!("account_name" in result)) {
      const { subscriptions_count_all: all } = result;
      return printRecord(io, flags.json, result, [["subscribed", `to ${all} event types in all`]]);
    }
    printRecord(io, flags.json, result, [
      ["account", result.account_name],
      ["subscribed", result.subscriptions_count_all],
      ["allowed", result.provisioned_count],
    ]);
  });
}

/**
 * Returns the id of the webhook to use: the requested one, the one with the settings' URL, or the only registered one.
 *
 * @throws {UsageError} if there is none, or several are possible.
 */
async function webhookIdFor(
  { app, settings, sandbox }: PlatformTarget,
  requestedId: string | undefined,
): Promise<string> {
  if (requestedId !== undefined) return requestedId;
  const all = await app.webhooks.list();
  const url = settings.webhook.url ?? sandbox?.file.webhookUrl;
  const own = all.find((webhook) => webhook.url === url) ?? (all.length === 1 ? all[0] : undefined);
  if (own !== undefined) return own.id;
  throw new UsageError(
    all.length === 0 ? "no webhook is registered" : "several webhooks are registered",
    { hint: "list them with: answerback webhooks list, and name one with --webhook ID" },
  );
}
