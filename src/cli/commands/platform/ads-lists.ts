import { firstItems } from "../../target/first-items.ts";
import { Command } from "commander";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { positiveInteger } from "../../arguments/numbers.ts";
import { printList, printRecord } from "../../output/print.ts";
import { withJson, type JsonFlag, whole } from "../../arguments/settings-flags.ts";
import { type ActingFlags, withTarget } from "../../target/target-flags.ts";
import { withAdsAccount } from "./ads-tags.ts";

interface Flags extends ActingFlags, JsonFlag {
  readonly account: string;
}

/** `ads lists`: manages the app lists of an advertising account. */
export function lists(io: Io): Command {
  return new Command("lists")
    .description("show the app lists of an advertising account")
    .addCommand(list(io))
    .addCommand(get(io));
}

interface ListFlags extends Flags {
  readonly limit: number;
}

function list(io: Io): Command {
  const command = withJson(withAdsAccount(new Command("list")))
    .description("list the app lists of an account")
    .option("--limit <number>", "maximum number of results", positiveInteger, 100);
  const examples = ['answerback ads lists list --account "$ADS_ACCOUNT"'];
  return withExamples(command, examples).action(async (flags: ListFlags) => {
    const foundLists = await withTarget(io, flags, async (target) => {
      const { client } = await target.as(flags.as);
      return firstItems(client.appLists.list({ accountId: flags.account }), flags.limit);
    });
    printList(
      io,
      flags.json,
      foundLists,
      [
        { title: "ID", of: ({ id }) => id },
        { title: "NAME", of: ({ name }) => name },
      ],
      "The account has no app lists.",
    );
  });
}

function get(io: Io): Command {
  const command = withJson(withAdsAccount(new Command("get")), "print JSON")
    .description("show an app list")
    .argument("<id>", "id of the list", whole("id"));
  const examples = ['answerback ads lists get "$APP_LIST_ID" --account "$ADS_ACCOUNT"'];
  return withExamples(command, examples).action(async (id: string, flags: Flags) => {
    const { data: appList } = await withTarget(io, flags, async (target) => {
      const { client } = await target.as(flags.as);
      return client.appLists.get({ accountId: flags.account, appListId: id });
    });
    const apps = appList.apps?.map((app) => `${app.app_store_identifier} (${app.os_type})`);
    printRecord(io, flags.json, appList, [
      ["id", appList.id],
      ["name", appList.name],
      ["apps", apps?.join(", ")],
    ]);
  });
}
