import { Command } from "commander";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { printList, printRecord } from "../output/print.ts";
import { shownTime } from "../output/time.ts";
import { Ended, EXIT } from "../exit-codes.ts";
import { withJson, withSettings, type JsonFlag, type SettingsFlags } from "../settings-flags.ts";

type Flags = SettingsFlags & JsonFlag;

/** `webhooks`: where the platform delivers events to. */
export function webhooks(io: Io): Command {
  return new Command("webhooks")
    .description("webhooks of the app; the running bot looks after its own")
    .addCommand(list(io))
    .addCommand(create(io))
    .addCommand(validate(io))
    .addCommand(remove(io));
}

function list(io: Io): Command {
  const command = withJson(withSettings(new Command("list"))).description(
    "the registered webhooks",
  );
  return withExamples(command, [
    "answerback webhooks list",
    "answerback webhooks list --json",
  ]).action(async (flags: Flags) => {
    const { onTarget } = await import("../target/target.ts");
    printList(
      io,
      flags.json,
      await onTarget(io, flags, ({ app }) => app.webhooks.list()),
      [
        { title: "ID", of: ({ id }) => id },
        { title: "VALID", of: ({ valid }) => (valid ? "yes" : "no") },
        { title: "CREATED", of: ({ created_at }) => shownTime(created_at) },
        { title: "URL", of: ({ url }) => url },
      ],
      "No webhook is registered. The running bot registers its own; or: answerback webhooks create URL",
    );
  });
}

function create(io: Io): Command {
  const command = withJson(withSettings(new Command("create")), "as JSON")
    .description("register a webhook; the platform challenges it at once")
    .argument("<url>", "public, https, without a port");
  return withExamples(command, ['answerback webhooks create "$WEBHOOK_URL"']).action(
    async (url: string, flags: Flags) => {
      const { onTarget } = await import("../target/target.ts");
      const made = await onTarget(io, flags, ({ app }) => app.webhooks.create(url));
      printRecord(io, flags.json, made, [
        ["id", made.id],
        ["url", made.url],
        ["valid", made.valid ? "yes" : "no"],
      ]);
    },
  );
}

function validate(io: Io): Command {
  const command = withJson(withSettings(new Command("validate")), "as JSON")
    .description("have the platform challenge a webhook now; exits with 3 when it fails")
    .argument("<id>", "of the webhook");
  return withExamples(command, ['answerback webhooks validate "$WEBHOOK_ID"']).action(
    async (id: string, flags: Flags) => {
      const { onTarget } = await import("../target/target.ts");
      const webhook = await onTarget(io, flags, async ({ app }) => {
        await app.webhooks.validate(id);
        return (await app.webhooks.list()).find((one) => one.id === id);
      });
      const valid = webhook?.valid === true;
      printRecord(io, flags.json, { id, valid }, [["valid", valid ? "yes" : "no"]]);
      if (!valid) throw new Ended(EXIT.found);
    },
  );
}

function remove(io: Io): Command {
  const command = withJson(withSettings(new Command("delete")), "as JSON")
    .description("remove a webhook; its events are no longer delivered")
    .argument("<id>", "of the webhook");
  return withExamples(command, ['answerback webhooks delete "$WEBHOOK_ID"']).action(
    async (id: string, flags: Flags) => {
      const { onTarget } = await import("../target/target.ts");
      const told = await onTarget(io, flags, ({ app }) => app.webhooks.delete(id));
      printRecord(io, flags.json, told, [["deleted", told.deleted ? "yes" : "no"]]);
    },
  );
}
