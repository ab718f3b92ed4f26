import { withSameSettings } from "../../output/same-settings.ts";
import { Command } from "commander";
import { withExamples } from "../../help/examples.ts";
import { withTarget } from "../../target/target-flags.ts";
import type { Io } from "../../io.ts";
import { printList, printRecord } from "../../output/print.ts";
import { formatTime } from "../../output/format-time.ts";
import { ExitError, EXIT } from "../../exit-codes.ts";
import { type CommonFlags, withCommonFlags, whole } from "../../arguments/settings-flags.ts";

/** `webhooks`: manages the URLs to which the platform delivers events. */
export function webhooks(io: Io): Command {
  return new Command("webhooks")
    .description("manage the app's webhooks; a running bot manages its own webhook itself")
    .addCommand(list(io))
    .addCommand(create(io))
    .addCommand(validate(io))
    .addCommand(remove(io));
}

function list(io: Io): Command {
  const command = withCommonFlags(new Command("list")).description("list the registered webhooks");
  return withExamples(command, [
    "answerback webhooks list",
    "answerback webhooks list --json",
  ]).action(async (flags: CommonFlags) => {
    const { tellClock } = await import("../../target/platform-time.ts");
    const registeredWebhooks = await withTarget(io, flags, ({ app }) => app.webhooks.list());
    if (registeredWebhooks.length > 0) await tellClock(io, flags);
    printList(
      io,
      flags.json,
      registeredWebhooks,
      [
        { title: "ID", of: ({ id }) => id },
        { title: "VALID", of: ({ valid }) => (valid ? "yes" : "no") },
        { title: "CREATED", of: ({ created_at }) => formatTime(created_at) },
        { title: "URL", of: ({ url }) => url },
      ],
      withSameSettings(
        "No webhook is registered. The running bot registers its own; or: answerback webhooks create URL",
        flags,
      ),
    );
  });
}

function create(io: Io): Command {
  const command = withCommonFlags(new Command("create"), "print JSON")
    .description("register a webhook; the platform challenges it at once")
    .argument("<url>", "public https URL without a port", whole("URL"));
  return withExamples(command, ['answerback webhooks create "$WEBHOOK_URL"']).action(
    async (url: string, flags: CommonFlags) => {
      const createdWebhook = await withTarget(io, flags, ({ app }) => app.webhooks.create(url));
      printRecord(io, flags.json, createdWebhook, [
        ["id", createdWebhook.id],
        ["url", createdWebhook.url],
        ["valid", createdWebhook.valid ? "yes" : "no"],
      ]);
    },
  );
}

function validate(io: Io): Command {
  const command = withCommonFlags(new Command("validate"), "print JSON")
    .description("let the platform challenge a webhook now; exits with 3 if that fails")
    .argument("<id>", "id of the webhook", whole("id"));
  return withExamples(command, ['answerback webhooks validate "$WEBHOOK_ID"']).action(
    async (id: string, flags: CommonFlags) => {
      const webhook = await withTarget(io, flags, async ({ app }) => {
        await app.webhooks.validate(id);
        return (await app.webhooks.list()).find((one) => one.id === id);
      });
      const valid = webhook?.valid === true;
      printRecord(io, flags.json, { id, valid }, [["valid", valid ? "yes" : "no"]]);
      if (!valid) throw new ExitError(EXIT.problems);
    },
  );
}

function remove(io: Io): Command {
  const command = withCommonFlags(new Command("delete"), "print JSON")
    .description("delete a webhook; its events are no longer delivered")
    .argument("<id>", "id of the webhook", whole("id"));
  return withExamples(command, ['answerback webhooks delete "$WEBHOOK_ID"']).action(
    async (id: string, flags: CommonFlags) => {
      const result = await withTarget(io, flags, ({ app }) => app.webhooks.delete(id));
      printRecord(io, flags.json, result, [["deleted", result.deleted ? "yes" : "no"]]);
    },
  );
}
