import { Command } from "commander";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { printList, printRecord } from "../output/print.ts";
import { withJson, type JsonFlag } from "../settings-flags.ts";
import { withActor, type ActingFlags } from "../target/target-flags.ts";

interface Flags extends ActingFlags, JsonFlag {
  readonly webhook?: string;
}

/** `subscriptions`: whose events a webhook gets. */
export function subscriptions(io: Io): Command {
  return new Command("subscriptions")
    .description("accounts whose events a webhook gets")
    .addCommand(list(io))
    .addCommand(add(io))
    .addCommand(remove(io))
    .addCommand(count(io));
}

function withWebhook(command: Command): Command {
  return command.option(
    "--webhook <id>",
    "which webhook (default: the bot's own, or the only one there is)",
  );
}

function list(io: Io): Command {
  const command = withJson(withWebhook(withActor(new Command("list")))).description(
    "who is subscribed to a webhook",
  );
  return withExamples(command, ["answerback subscriptions list"]).action(async (flags: Flags) => {
    const { onTarget } = await import("../target/target.ts");
    const { webhookIdFor } = await import("../target/webhook-id.ts");
    const rows = await onTarget(io, flags, async (target) => {
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
      "Nobody is subscribed.",
    );
  });
}

function add(io: Io): Command {
  const command = withJson(withWebhook(withActor(new Command("add"))), "as JSON").description(
    "subscribe an account; the running bot does it for its own",
  );
  return withExamples(command, ["answerback subscriptions add --as @ana"]).action(
    async (flags: Flags) => {
      const { onTarget } = await import("../target/target.ts");
      const { webhookIdFor } = await import("../target/webhook-id.ts");
      const told = await onTarget(io, flags, async (target) => {
        const { client, username } = await target.as(flags.as);
        const webhookId = await webhookIdFor(target, flags.webhook);
        return { username, ...(await client.activity.subscribe(webhookId)) };
      });
      printRecord(io, flags.json, told, [
        ["account", `@${told.username}`],
        ["subscribed", told.subscribed ? "yes" : "no"],
      ]);
    },
  );
}

function remove(io: Io): Command {
  const command = withJson(withWebhook(withActor(new Command("remove"))), "as JSON")
    .description("end a subscription")
    .argument("<user>", "a handle or a user id");
  return withExamples(command, ["answerback subscriptions remove @ana"]).action(
    async (user: string, flags: Flags) => {
      const { onTarget } = await import("../target/target.ts");
      const { webhookIdFor } = await import("../target/webhook-id.ts");
      const told = await onTarget(io, flags, async (target) => {
        const { id } = await target.user(user);
        const webhookId = await webhookIdFor(target, flags.webhook);
        return target.app.activity.unsubscribe({ webhookId, userId: id });
      });
      printRecord(io, flags.json, told, [["subscribed", told.subscribed ? "yes" : "no"]]);
    },
  );
}

function count(io: Io): Command {
  const command = withJson(withActor(new Command("count")), "as JSON").description(
    "how many subscriptions there are and may be",
  );
  return withExamples(command, ["answerback subscriptions count"]).action(async (flags: Flags) => {
    const { onTarget } = await import("../target/target.ts");
    const told = await onTarget(io, flags, ({ app }) => app.activity.count());
    printRecord(io, flags.json, told, [
      ["account", told.account_name],
      ["subscribed", told.subscriptions_count_all],
      ["allowed", told.provisioned_count],
    ]);
  });
}
