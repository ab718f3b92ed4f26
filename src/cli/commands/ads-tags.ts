import { Command, Option } from "commander";
import {
  CONVERSION_TYPES,
  OS_TYPES,
  type ConversionType,
  type OsType,
} from "../../interface/ads.ts";
import type { AppEventTag } from "../../client/objects/app-event-tag.ts";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { whole } from "../numbers.ts";
import { printList, printRecord } from "../output/print.ts";
import { withJson, type JsonFlag } from "../settings-flags.ts";
import { withActor, type ActingFlags } from "../target/target-flags.ts";

interface Flags extends ActingFlags, JsonFlag {
  readonly account: string;
}

/** `ads tags`: which event in an app is which kind of conversion. */
export function tags(io: Io): Command {
  return new Command("tags")
    .description("app event tags of an advertising account")
    .addCommand(list(io))
    .addCommand(get(io))
    .addCommand(create(io))
    .addCommand(remove(io));
}

/** Adds `--account`, which every advertising list needs, to the flags of an acting command. */
export function withAdsAccount(command: Command): Command {
  return withActor(command).requiredOption("--account <id>", "advertising account");
}

interface ListFlags extends Flags {
  readonly withDeleted?: boolean;
  readonly limit: number;
}

function list(io: Io): Command {
  const command = withJson(withAdsAccount(new Command("list")))
    .description("the tags of an account")
    .option("--with-deleted", "deleted ones too")
    .option("--limit <number>", "so many at most", whole, 100);
  const examples = ['answerback ads tags list --account "$ADS_ACCOUNT"'];
  return withExamples(command, examples).action(async (flags: ListFlags) => {
    const { onTarget } = await import("../target/target.ts");
    const { take } = await import("../take.ts");
    const found = await onTarget(io, flags, async (target) => {
      const { client } = await target.as(flags.as);
      const { account: accountId, withDeleted } = flags;
      return take(client.appEventTags.list({ accountId, withDeleted }), flags.limit);
    });
    printList(
      io,
      flags.json,
      found,
      [
        { title: "ID", of: ({ id }) => id },
        { title: "APP", of: ({ app_store_identifier }) => app_store_identifier },
        { title: "OS", of: ({ os_type }) => os_type },
        { title: "CONVERSION", of: ({ conversion_type }) => conversion_type },
        { title: "STATUS", of: ({ status, deleted }) => (deleted ? "deleted" : status) },
        { title: "NAME", of: ({ provider_app_event_name }) => provider_app_event_name },
      ],
      "The account has no tag.",
    );
  });
}

function get(io: Io): Command {
  const command = withJson(withAdsAccount(new Command("get")), "as JSON")
    .description("one tag")
    .argument("<id>", "of the tag");
  const examples = ['answerback ads tags get "$TAG_ID" --account "$ADS_ACCOUNT"'];
  return withExamples(command, examples).action(async (id: string, flags: Flags) => {
    const { onTarget } = await import("../target/target.ts");
    const { data: tag } = await onTarget(io, flags, async (target) => {
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
  const command = withJson(withAdsAccount(new Command("create")), "as JSON")
    .description("make a tag")
    .requiredOption("--app <id>", "app store identifier")
    .addOption(
      new Option("--type <type>", "kind of conversion, as PURCHASE")
        .choices(CONVERSION_TYPES)
        .makeOptionMandatory(),
    )
    .addOption(new Option("--os <type>", "of the app").choices(OS_TYPES).makeOptionMandatory())
    .requiredOption("--event-id <id>", "of the event at your measurement provider")
    .requiredOption("--event-name <name>", "of the event at your measurement provider");
  const examples = [
    'answerback ads tags create --account "$ADS_ACCOUNT" --app 1234 --type PURCHASE --os IOS --event-id e1 --event-name bought',
  ];
  return withExamples(command, examples).action(async (flags: CreateFlags) => {
    const { onTarget } = await import("../target/target.ts");
    const { data: tag } = await onTarget(io, flags, async (target) => {
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
  const command = withJson(withAdsAccount(new Command("delete")), "as JSON")
    .description("delete a tag")
    .argument("<id>", "of the tag");
  const examples = ['answerback ads tags delete "$TAG_ID" --account "$ADS_ACCOUNT"'];
  return withExamples(command, examples).action(async (id: string, flags: Flags) => {
    const { onTarget } = await import("../target/target.ts");
    const { data: tag } = await onTarget(io, flags, async (target) => {
      const { client } = await target.as(flags.as);
      return client.appEventTags.delete({ accountId: flags.account, appEventTagId: id });
    });
    printTag(io, flags, tag);
  });
}

function printTag(io: Io, flags: JsonFlag, tag: AppEventTag): void {
  printRecord(io, flags.json, tag, Object.entries(tag));
}
