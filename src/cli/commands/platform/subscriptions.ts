import { Command } from "commander";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { printList, printRecord } from "../../output/print.ts";
import { withJson, type JsonFlag } from "../../arguments/settings-flags.ts";
import { withActor, type ActingFlags } from "../../target/target-flags.ts";

interface Flags extends ActingFlags, JsonFlag {
  readonly webhook?: string;
}

/** `subscriptions`: the accounts whose events a webhook receives. */
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
    const { withTarget } = await import("../../target/target.ts");
    const { webhookIdFor } = await import("../../target/webhook-id.ts");
    const rows = await withTarget(io, flags, async (target) => {
      const { subscriptions } = await target.app.activity.list(
        await webhookIdFor(target, flags.webhook),
      );
      return subscriptions.map(({ user_id }) => ({
        user_id,
        username: target.accounts.find(({ id }) => id === user_id)?.username ?? null,
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
      ],
      "No account is subscribed.",
    );
  });
}

function add(io: Io): Command {
  const command = withJson(withWebhook(withActor(new Command("add"))), "print JSON").description(
    "subscribe an account; a running bot subscribes its own",
  );
  return withExamples(command, ["answerback subscriptions add --as @ana"]).action(
    async (flags: Flags) => {
      const { withTarget } = await import("../../target/target.ts");
      const { webhookIdFor } = await import("../../target/webhook-id.ts");
      const result = await withTarget(io, flags, async (target) => {
        const { client, username } = await target.as(flags.as);
        const webhookId = await webhookIdFor(target, flags.webhook);
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
    .argument("<user>", "a handle or a user id");
  return withExamples(command, ["answerback subscriptions remove @ana"]).action(
    async (user: string, flags: Flags) => {
      const { withTarget } = await import("../../target/target.ts");
      const { webhookIdFor } = await import("../../target/webhook-id.ts");
      const result = await withTarget(io, flags, async (target) => {
        const { id } = await target.user(user);
        const webhookId = await webhookIdFor(target, flags.webhook);
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
    const { withTarget } = await import("../../target/target.ts");
    const result = await withTarget(io, flags, ({ app }) => app.activity.count());
    printRecord(io, flags.json, result, [
      ["account", result.account_name],
      ["subscribed", result.subscriptions_count_all],
      ["allowed", result.provisioned_count],
    ]);
  });
}
