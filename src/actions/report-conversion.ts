import * as z from "zod";
import { attributedConversion, conversionKey } from "./attributed-conversion.ts";
import { type ActionKind, platformId } from "./action-kind.ts";

/**
 * Parameters of a conversion under the interface's names, so that rules, tests and requests use the same
 * vocabulary.
 */
export const conversionParameters = conversionKey.extend({
  device_ip_address: z.union([z.ipv4(), z.ipv6()]).exactOptional(),
  level: z.int().exactOptional(),
  number_items: z.int().exactOptional(),
  price_currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "a code of three letters, such as EUR")
    .exactOptional(),
  price_micro: z.int().exactOptional().describe("In millionths of the currency."),
  user_payment_info: z.boolean().exactOptional(),
});

const schema = conversionParameters
  .extend({
    type: z.literal("report_conversion"),
    /** User id of the person, or of the account if the event has no person; determines the lane (ordering key). */
    to: platformId,
  })
  .readonly();

/** A conversion to report to the measurement interface. */
export type ReportConversion = z.infer<typeof schema>;

/** A conversion is not repeatable and has no echo: a conversion that is reported twice counts twice. */
export const reportConversion: ActionKind<ReportConversion> = {
  schema,
  needs: { access: "read-write", scopes: [] },
  repeatable: false,
  noticed: false,
  echo: { triggers: [], recognise: () => undefined },
  result: {
    fields: {
      ...attributedConversion.fields,
      conversion_value_micro: "number",
      limit_ad_tracking: "boolean",
      event_metadata: "any",
      tpn_attribution: "any",
    },
    of: ({ type: _type, to: _to, ...conversion }) => attributedConversion.of(conversion),
    usual: attributedConversion.usual,
  },
  describe: ({ conversion_type: type, app_id: app, conversion_time: at }) =>
    `conversion ${type} of app ${app} at ${at}`,
};
