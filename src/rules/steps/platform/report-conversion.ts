import * as z from "zod";
import { type ReportConversion, conversionParameters } from "../../../actions/report-conversion.ts";
import { counterpartOf } from "../../../events/kinds/kinds.ts";
import { example } from "../../example.ts";
import { scalar } from "../../schema/pieces.ts";
import { defineStep } from "../step-kind.ts";
import { compileConversion, writtenConversionKey } from "./conversion-parameters.ts";

const written = z.strictObject({
  ...writtenConversionKey,
  device_ip_address: scalar.optional(),
  level: scalar.optional(),
  number_items: scalar.optional(),
  price_currency: scalar.optional(),
  price_micro: scalar.optional(),
  user_payment_info: scalar.optional(),
});

/** `report_conversion: {app_id, …}` reports a conversion to the measurement interface. */
export const reportConversion = defineStep({
  example: example`
    conditions: [{ message.text: { contains_word: sign me up } }]
    actions:
      - report_conversion:
          app_id: "7"
          conversion_type: SIGN_UP
          conversion_time: \${{ event.time }}
          os_type: IOS
          hashed_device_id: \${{ state.sender.device.orValue("") }}
  `,
  shape: {
    report_conversion: written.describe(
      "Report a conversion to the measurement interface, with the interface's parameter names.",
    ),
  },
  compile({ context, path, keys }) {
    const template = compileConversion(
      context,
      [...path, "report_conversion"],
      keys.report_conversion,
      { schemas: conversionParameters.shape, verb: "report_conversion" },
    );
    if (template === undefined) return undefined;
    return {
      action: "report_conversion",
      perform({ view, event }) {
        const rendered = template.render(view);
        if (!rendered.ok) return rendered.outcome;
        const to = counterpartOf(event) ?? event.accountId;
        const conversion = conversionParameters.parse(rendered.values);
        const action: ReportConversion = { type: "report_conversion", to, ...conversion };
        return { kind: "action", action };
      },
    };
  },
});
