import { firstItems } from "../../target/first-items.ts";
import { Command, Option } from "commander";
import {
  CONVERSION_TYPES,
  OS_TYPES,
  type ConversionType,
  type OsType,
} from "../../../protocol/ads.ts";
import type { AppEventTag } from "../../../client/client.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { positiveInteger } from "../../arguments/numbers.ts";
import { printList, printRecord } from "../../output/print.ts";
import { withJson, type JsonFlag, whole } from "../../arguments/settings-flags.ts";
import { withActor, type ActingFlags, withTarget } from "../../target/target-flags.ts";
import { oneOf } from "../../arguments/one-of.ts";

interface Flags extends ActingFlags, JsonFlag {
  readonly account: string;
}

/** `ads tags`: assigns kinds of conversions to events in an app. */
export function tags(io: Io): Command {
  return new Command("tags")
    .description("manage the app event tags of an advertising account")
    .addCommand(list(io))
    .addCommand(get(io))
    .addCommand(create(io))
    .addCommand(remove(io));
}

/** Adds `--account` (the advertising account) to a command, besides the flags that choose who makes the request. */
export function withAdsAccount(command: Command): Command {
  return withActor(command).requiredOption(
    "--account <id>",
    "id of the advertising account",
    whole("id"),
  );
}

interface ListFlags extends Flags {
  readonly withDeleted?: boolean;
  readonly limit: number;
}

function list(io: Io): Command {
  const command = withJson(withAdsAccount(new Command("list")))
    .description("list the tags of an account")
    .option("--with-deleted", "include deleted tags")
    .option("--limit <number>", "maximum number of results", positiveInteger, 100);
  const examples = ['answerback ads tags list --account "$ADS_ACCOUNT"'];
  return withExamples(command, examples).action(async (flags: ListFlags) => {
    const eventTags = await withTarget(io, flags, async (target) => {
      const { client } = await target.as(flags.as);
      const { account: accountId, withDeleted } = flags;
      return firstItems(client.appEventTags.list({ accountId, withDeleted }), flags.limit);
    });
    printList(
      io,
      flags.json,
      eventTags,
      [
        { title: "ID", of: ({ id }) => id },
        { title: "APP", of: ({ app_store_identifier }) => app_store_identifier },
        { title: "OS", of: ({ os_type }) => os_type },
        { title: "CONVERSION", of: ({ conversion_type }) => conversion_type },
        { title: "STATUS", of: ({ status, deleted }) => (deleted ? "deleted" : status) },
        { title: "NAME", of: ({ provider_app_event_name }) => provider_app_event_name },
      ],
      "The account has no tags.",
    );
  });
}

function get(io: Io): Command {
  const command = withJson(withAdsAccount(new Command("get")), "print JSON")
    .description("show a tag")
    .argument("<id>", "id of the tag", whole("id"));
  const examples = ['answerback ads tags get "$TAG_ID" --account "$ADS_ACCOUNT"'];
  return withExamples(command, examples).action(async (id: string, flags: Flags) => {
    const { data: tag } = await withTarget(io, flags, async (target) => {
      const { client } = await target.as(flags.as);
      return client.appEventTags.get({ accountId: flags.account, appEventTagId: id });
    });
    printTag(io, flags, tag);
  });
}

interface CreateFlags extends Flags {
  readonly app: string;
  readonly type: ConversionType;
  readonly os: OsType;
  readonly eventId: string;
  readonly eventName: string;
}

function create(io: Io): Command {
  const command = withJson(withAdsAccount(new Command("create")), "print JSON")
    .description("create a tag")
    .requiredOption("--app <id>", "app store identifier")
    .addOption(
      oneOf(
        new Option("--type <type>", "type of the conversion, such as PURCHASE"),
        CONVERSION_TYPES,
      ).makeOptionMandatory(),
    )
    .addOption(
      oneOf(
        new Option("--os <type>", "operating system of the app"),
        OS_TYPES,
      ).makeOptionMandatory(),
    )
    .requiredOption("--event-id <id>", "id of the event at your measurement provider")
    .requiredOption("--event-name <name>", "name of the event at your measurement provider");
  const examples = [
    'answerback ads tags create --account "$ADS_ACCOUNT" --app 1234 --type PURCHASE --os IOS --event-id e1 --event-name bought',
  ];
  return withExamples(command, examples).action(async (flags: CreateFlags) => {
    const { data: tag } = await withTarget(io, flags, async (target) => {
      const { client } = await target.as(flags.as);
      return client.appEventTags.create({
        accountId: flags.account,
        appStoreIdentifier: flags.app,
        conversionType: flags.type,
        osType: flags.os,
        providerAppEventId: flags.eventId,
        providerAppEventName: flags.eventName,
      });
    });
    printTag(io, flags, tag);
  });
}

function remove(io: Io): Command {
  const command = withJson(withAdsAccount(new Command("delete")), "print JSON")
    .description("delete a tag")
    .argument("<id>", "id of the tag", whole("id"));
  const examples = ['answerback ads tags delete "$TAG_ID" --account "$ADS_ACCOUNT"'];
  return withExamples(command, examples).action(async (id: string, flags: Flags) => {
    const { data: tag } = await withTarget(io, flags, async (target) => {
      const { client } = await target.as(flags.as);
      return client.appEventTags.delete({ accountId: flags.account, appEventTagId: id });
    });
    printTag(io, flags, tag);
  });
}

function printTag(io: Io, flags: JsonFlag, tag: AppEventTag): void {
  printRecord(io, flags.json, tag, Object.entries(tag));
}
