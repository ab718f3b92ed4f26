import { Command } from "commander";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { whole } from "../numbers.ts";
import { printList, printRecord } from "../output/print.ts";
import { withJson, type JsonFlag } from "../settings-flags.ts";
import type { ActingFlags } from "../target/target-flags.ts";
import { withAdsAccount } from "./ads-tags.ts";

interface Flags extends ActingFlags, JsonFlag {
  readonly account: string;
}

/** `ads lists`: app lists of an advertising account. */
export function lists(io: Io): Command {
  return new Command("lists")
    .description("app lists of an advertising account")
    .addCommand(list(io))
    .addCommand(get(io));
}

interface ListFlags extends Flags {
  readonly limit: number;
}

function list(io: Io): Command {
  const command = withJson(withAdsAccount(new Command("list")))
    .description("the app lists of an account")
    .option("--limit <number>", "so many at most", whole, 100);
  const examples = ['answerback ads lists list --account "$ADS_ACCOUNT"'];
  return withExamples(command, examples).action(async (flags: ListFlags) => {
    const { onTarget } = await import("../target/target.ts");
    const { take } = await import("../take.ts");
    const found = await onTarget(io, flags, async (target) => {
      const { client } = await target.as(flags.as);
      return take(client.appLists.list({ accountId: flags.account }), flags.limit);
    });
    printList(
      io,
      flags.json,
      found,
      [
        { title: "ID", of: ({ id }) => id },
        { title: "NAME", of: ({ name }) => name },
      ],
      "The account has no app list.",
    );
  });
}

function get(io: Io): Command {
  const command = withJson(withAdsAccount(new Command("get")), "as JSON")
    .description("one app list")
    .argument("<id>", "of the list");
  const examples = ['answerback ads lists get "$APP_LIST_ID" --account "$ADS_ACCOUNT"'];
  return withExamples(command, examples).action(async (id: string, flags: Flags) => {
    const { onTarget } = await import("../target/target.ts");
    const { data: found } = await onTarget(io, flags, async (target) => {
      const { client } = await target.as(flags.as);
      return client.appLists.get({ accountId: flags.account, appListId: id });
    });
    const apps = found.apps?.map((app) => `${app.app_store_identifier} (${app.os_type})`);
    printRecord(io, flags.json, found, [
      ["id", found.id],
      ["name", found.name],
      ["apps", apps?.join(", ")],
    ]);
  });
}
