import { Command, Option } from "commander";
import {
  CONVERSION_TYPES,
  type ConversionType,
  type EngagementType,
  OS_TYPES,
  type OsType,
} from "../../../protocol/ads.ts";
import type { ClickWindow, ViewWindow } from "../../../client/client.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { nonNegativeInteger, positiveInteger } from "../../arguments/numbers.ts";
import { printRecord } from "../../output/print.ts";
import { withJson, type JsonFlag } from "../../arguments/settings-flags.ts";
import { withActor, type ActingFlags, withTarget } from "../../target/target-flags.ts";
import { lists } from "./ads-lists.ts";
import { tags } from "./ads-tags.ts";
import { oneOf } from "../../arguments/one-of.ts";

interface ConversionFlags extends ActingFlags, JsonFlag {
  readonly app: string;
  readonly type: ConversionType;
  readonly device: string;
  readonly os: OsType;
  readonly at: string;
  readonly clickWindow?: ClickWindow;
  readonly viewWindow?: ViewWindow;
  readonly otherType?: EngagementType;
  readonly otherTime?: string;
}

/** `ads`: commands for mobile ad measurement. */
export function ads(io: Io): Command {
  return new Command("ads")
    .description("mobile ad measurement: conversions, attribution, event tags, app lists")
    .addCommand(conversion(io))
    .addCommand(attribution(io))
    .addCommand(tags(io))
    .addCommand(lists(io));
}

function withConversion(command: Command): Command {
  return withJson(withActor(command), "print JSON")
    .requiredOption("--app <id>", "app store identifier")
    .addOption(
      oneOf(
        new Option("--type <type>", "type of the conversion, such as INSTALL"),
        CONVERSION_TYPES,
      ).makeOptionMandatory(),
    )
    .requiredOption("--device <hash>", "HMAC-SHA-256 of the device's advertising identifier")
    .addOption(
      oneOf(
        new Option("--os <type>", "operating system of the device"),
        OS_TYPES,
      ).makeOptionMandatory(),
    )
    .requiredOption("--at <time>", "time of the conversion, ISO 8601 with milliseconds")
    .option(
      "--click-window <days>",
      "days in which a click counts: 1, 7, 14 or 30",
      positiveInteger,
    )
    .option(
      "--view-window <days>",
      "days in which a view counts: 0, 1, 7, 14 or 30",
      nonNegativeInteger,
    )
    .addOption(
      oneOf(new Option("--other-type <type>", "type of the last engagement on another platform"), [
        "CLICK",
        "VIEW",
      ]),
    )
    .option("--other-time <time>", "time of the last engagement on another platform");
}

function keyOf(flags: ConversionFlags) {
  return {
    appId: flags.app,
    conversionType: flags.type,
    conversionTime: flags.at,
    hashedDeviceId: flags.device,
    osType: flags.os,
    clickWindow: flags.clickWindow,
    viewThroughWindow: flags.viewWindow,
    nonPlatformEngagementType: flags.otherType,
    nonPlatformEngagementTime: flags.otherTime,
  };
}

const KEY = "--app 1234 --type INSTALL --device 6f2a --os IOS --at 2026-01-31T09:00:00.000Z";

interface NewConversionFlags extends ConversionFlags {
  readonly priceMicro?: number;
  readonly currency?: string;
  readonly items?: number;
}

function conversion(io: Io): Command {
  const command = withConversion(new Command("conversion"))
    .description("record a conversion, and show which ad it is credited to")
    .option("--price-micro <number>", "price in millionths of the currency", nonNegativeInteger)
    .option("--currency <code>", "currency of the price, ISO 4217")
    .option("--items <number>", "number of items", nonNegativeInteger);
  return withExamples(command, [`answerback ads conversion ${KEY}`]).action(
    async (flags: NewConversionFlags) => {
      const { data: result } = await withTarget(io, flags, async (target) => {
        const { client } = await target.as(flags.as);
        return client.conversions.record({
          ...keyOf(flags),
          priceMicro: flags.priceMicro,
          priceCurrency: flags.currency,
          numberItems: flags.items,
        });
      });
      printCredit(io, flags, result);
    },
  );
}

function attribution(io: Io): Command {
  const command = withConversion(new Command("attribution")).description(
    "show which ad a conversion is credited to",
  );
  return withExamples(command, [`answerback ads attribution ${KEY}`]).action(
    async (flags: ConversionFlags) => {
      const { data: result } = await withTarget(io, flags, async (target) => {
        const { client } = await target.as(flags.as);
        return client.conversions.attribution(keyOf(flags));
      });
      printCredit(io, flags, result);
    },
  );
}

interface Attribution {
  readonly platform_attribution: {
    readonly engagement_type: string;
    readonly engagement_time: string;
    readonly promoted_properties: { readonly campaign_name?: string | null | undefined };
  } | null;
  readonly tpn_attribution?: unknown;
}

function printCredit(io: Io, flags: JsonFlag, result: Attribution): void {
  const { platform_attribution: credit, tpn_attribution: audience } = result;
  printRecord(io, flags.json, result, [
    [
      "credited",
      credit === null
        ? audience === undefined || audience === null
          ? "nobody"
          : "the audience platform"
        : `the platform, for a ${credit.engagement_type.toLowerCase()} at ${credit.engagement_time}`,
    ],
    ["campaign", credit?.promoted_properties.campaign_name],
  ]);
}
