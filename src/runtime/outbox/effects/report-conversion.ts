import type { ReportConversion } from "../../../actions/report-conversion.ts";
import { attributedConversion } from "../../../actions/attributed-conversion.ts";
import { QUARTER_HOUR_MS, type UnshownEffect } from "./effect.ts";

export const reportConversion: UnshownEffect<ReportConversion> = {
  endpoint: "POST /conversion_event",
  budget: [{ limit: 60_000, windowMs: QUARTER_HOUR_MS, per: "account" }],
  async perform(client, _account, action, options) {
    const { data } = await client.conversions.record(
      {
        appId: action.app_id,
        conversionTime: action.conversion_time,
        conversionType: action.conversion_type,
        hashedDeviceId: action.hashed_device_id,
        osType: action.os_type,
        clickWindow: action.click_window,
        viewThroughWindow: action.view_through_window,
        nonPlatformEngagementTime: action.non_platform_engagement_time,
        nonPlatformEngagementType: action.non_platform_engagement_type,
        deviceIpAddress: action.device_ip_address,
        level: action.level,
        numberItems: action.number_items,
        priceCurrency: action.price_currency,
        priceMicro: action.price_micro,
        userPaymentInfo: action.user_payment_info,
      },
      options,
    );
    return { result: attributedConversion.answered(data) };
  },
};
