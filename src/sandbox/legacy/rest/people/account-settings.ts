import type { UserRow } from "../../../model/accounts.ts";
import type { WireObject } from "../../../rendering/selection.ts";
import { badParameter } from "../coded-errors.ts";
import type { LegacyParameters } from "../parameters.ts";

type Settings = NonNullable<UserRow["settings"]>;

/** Renders the settings of an account. A setting that no endpoint changes has the value of a new account. */
export function renderSettings({ username, profile, settings = {} }: UserRow): WireObject {
  const { sleepFrom, sleepTo } = settings;
  const isSleeping = settings.sleeps === true;
  return {
    protected: profile["protected"] === true,
    screen_name: username,
    always_use_https: true,
    use_cookie_personalization: false,
    sleep_time: {
      enabled: isSleeping,
      start_time: isSleeping ? (sleepFrom ?? null) : null,
      end_time: isSleeping ? (sleepTo ?? null) : null,
    },
    geo_enabled: false,
    language: settings.language ?? "en",
    discoverable_by_email: false,
    discoverable_by_mobile_phone: false,
    display_sensitive_media: false,
    allow_contributor_request: "none",
    allow_dms_from: profile["receives_your_dm"] === false ? "following" : "all",
    allow_dm_groups_from: "following",
    translator_type: "none",
    ...(settings.timeZone === undefined
      ? {}
      : { time_zone: { name: settings.timeZone, utc_offset: 0, tzinfo_name: settings.timeZone } }),
  };
}

/** Reads the settings that a request changes. @throws {ApiError} 400, code 44. */
export function settingsIn(params: LegacyParameters): Settings {
  const language = params.text("lang");
  const timeZone = params.text("time_zone");
  if (language !== undefined && !/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?$/.test(language)) {
    throw badParameter("lang");
  }
  const sleepFrom = hour(params, "start_sleep_time");
  const sleepTo = hour(params, "end_sleep_time");
  return {
    ...(language === undefined ? {} : { language }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(sleepFrom === undefined ? {} : { sleepFrom }),
    ...(sleepTo === undefined ? {} : { sleepTo }),
    ...(params.text("sleep_time_enabled") === undefined
      ? {}
      : { sleeps: params.flag("sleep_time_enabled") }),
  };
}

/** Reads an hour of the day, 0 to 23. */
function hour(params: LegacyParameters, name: string): number | undefined {
  const value = params.text(name);
  if (value === undefined) return undefined;
  if (!/^\d{1,2}$/.test(value) || Number(value) > 23) throw badParameter(name);
  return Number(value);
}
