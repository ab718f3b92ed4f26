import * as z from "zod";
import {
  ADS_VERSION,
  CLICK_WINDOWS,
  CONVERSION_TYPES,
  ENGAGEMENT_TYPES,
  OS_TYPES,
  VIEW_WINDOWS,
} from "../../../protocol/ads.ts";
import type { AdsRecords } from "../../../sandbox/control/objects.ts";
import { OperationError } from "../operation.ts";
import { filled, maker, optionsOf, several } from "./maker.ts";
import type { DataScene } from "./scene.ts";
import type { FormField, ShownForm } from "./table.ts";

const HOUR_MS = 3_600_000;
const APP = "1234567890";

const device: FormField = { name: "device", label: "Device", value: "device-1" };
const app: FormField = { name: "app", label: "App", value: APP };
const hours = (value: string): FormField => ({
  name: "hours",
  label: "Hours ago",
  type: "number",
  value,
});
const os: FormField = { name: "os", label: "System", options: optionsOf(OS_TYPES) };
const event: FormField = {
  name: "event",
  label: "Event",
  options: optionsOf([...new Set(["INSTALL", ...CONVERSION_TYPES])]),
};
const clicks = windowField("clicks", "Clicks count for", CLICK_WINDOWS);
const views = windowField("views", "Views count for", VIEW_WINDOWS);

/** Returns a field for an attribution window, with the default window first. */
function windowField(name: string, label: string, days: readonly number[]): FormField {
  const usual = name === "clicks" ? 14 : 1;
  const ordered = [usual, ...days.filter((one) => one !== usual)];
  return {
    name,
    label,
    options: ordered.map((one) => [String(one), one === 1 ? "1 day" : `${one} days`] as const),
  };
}

const past = z.coerce.number().min(0);

const engagement = maker(
  (accounts: FormField) => ({
    what: "engagement",
    title: "Create a view or click",
    fields: [
      {
        name: "type",
        label: "What",
        options: ENGAGEMENT_TYPES.map((one) => [one, one.toLowerCase()]),
      },
      device,
      app,
      hours("2"),
      { name: "campaign", label: "Campaign", optional: true },
      accounts,
    ],
    button: "Create",
    keeps: true,
  }),
  z.strictObject({
    type: z.enum(ENGAGEMENT_TYPES),
    device: filled,
    app: filled,
    hours: past,
    campaign: z.string(),
    account: filled,
  }),
  async (scene, { type, device: id, app: store, hours: ago, campaign, account }) => {
    await scene.control.engagement({
      account_id: (await accountOf(scene, account)).id,
      hashed_device_id: id,
      app_store_identifier: store,
      type,
      time: await before(scene, ago),
      ...(campaign !== "" && { campaign_name: campaign }),
    });
    return `A ${type.toLowerCase()} of ${id} is kept.`;
  },
);

const conversion = maker(
  ({ choice, bot }: DataScene) => ({
    what: "conversion",
    title: "Report a conversion",
    fields: [event, device, app, os, hours("0"), clicks, views, choice("by", "Reported by", bot)],
    button: "Report",
    keeps: true,
  }),
  z.strictObject({
    event: filled,
    device: filled,
    app: filled,
    os: filled,
    hours: past,
    clicks: filled,
    views: filled,
    by: filled,
  }),
  async (scene, formValues) => {
    const query = new URLSearchParams({
      app_id: formValues.app,
      conversion_time: await before(scene, formValues.hours),
      conversion_type: formValues.event,
      hashed_device_id: formValues.device,
      os_type: formValues.os,
      click_window: formValues.clicks,
      view_through_window: formValues.views,
    });
    const path = `/ads/${ADS_VERSION}/conversion_event?${query.toString()}`;
    const answer = claims.parse(await scene.perform({ method: "POST", path, as: formValues.by }));
    const winner = answer.data.tpn_attribution ?? answer.data.platform_attribution;
    return winner === null
      ? "Reported. The conversion is attributed to no view or click."
      : `Reported. The conversion is attributed to a ${winner.engagement_type.toLowerCase()}.`;
  },
);

const claim = z.object({ engagement_type: z.string() }).nullable();
const claims = z.object({
  data: z.object({ platform_attribution: claim, tpn_attribution: claim.optional() }),
});

const tag = maker(
  (accounts: FormField) => ({
    what: "tag",
    title: "Create an event tag",
    fields: [
      { name: "name", label: "Name at the partner", value: "First start" },
      { name: "tag", label: "Id at the partner", value: "first-start" },
      event,
      app,
      os,
      clicks,
      views,
      accounts,
    ],
    button: "Create",
  }),
  z.strictObject({
    name: filled,
    tag: filled,
    event: filled,
    app: filled,
    os: filled,
    clicks: filled,
    views: filled,
    account: filled,
  }),
  async (scene, formValues) => {
    const account = await accountOf(scene, formValues.account);
    const query = new URLSearchParams({
      app_store_identifier: formValues.app,
      conversion_type: formValues.event,
      os_type: formValues.os,
      provider_app_event_id: formValues.tag,
      provider_app_event_name: formValues.name,
      post_engagement_attribution_window: formValues.clicks,
      post_view_attribution_window: formValues.views,
    });
    const path = `${tagsPath(account.id)}?${query.toString()}`;
    await scene.perform({ method: "POST", path, as: account.userId });
    return `The tag ${formValues.name} is created.`;
  },
);

const appList = maker(
  (accounts: FormField) => ({
    what: "appList",
    title: "Create an app list",
    fields: [
      { name: "name", label: "Name" },
      { name: "apps", label: "Apps, separated by commas", value: APP },
      accounts,
    ],
    button: "Create",
  }),
  z.strictObject({ name: filled, apps: several, account: filled }),
  async (scene, { name, apps, account }) => {
    await scene.control.appList((await accountOf(scene, account)).id, name, apps);
    return `The list ${name} is created.`;
  },
);

const account = maker(
  ({ choice, bot }: DataScene) => ({
    what: "account",
    title: "Create an account",
    fields: [{ name: "name", label: "Name" }, choice("by", "Owner", bot)],
    button: "Create",
  }),
  z.strictObject({ name: filled, by: filled }),
  async ({ control }, { name, by }) => {
    await control.adsAccount(by, name);
    return `The account ${name} is created.`;
  },
);

const one = z.strictObject({ id: filled });
const noForm = (what: string) => (): ShownForm => ({ what, title: "", fields: [], button: "" });

const removeTag = maker(noForm("removeTag"), one, async (scene, { id }) => {
  const { event_tags: tags } = await scene.control.ads();
  const owner = await accountOf(scene, String(tags.find((row) => row.id === id)?.["accountId"]));
  const path = `${tagsPath(owner.id)}/${id}`;
  await scene.perform({ method: "DELETE", path, as: owner.userId });
  return "The tag is deleted.";
});

const removeAppList = maker(noForm("removeAppList"), one, async ({ control }, { id }) => {
  await control.removeAppList(id);
  return "The list is deleted.";
});

/** Forms that create or remove the objects on the page Ads, by name. */
export const ADS_MAKERS = {
  engagement,
  conversion,
  tag,
  appList,
  account,
  removeTag,
  removeAppList,
} as const;

/** Returns the forms of the page Ads with their initial values. */
export function adsForms(
  scene: DataScene,
  { accounts }: AdsRecords,
): Readonly<Record<"engagement" | "conversion" | "tag" | "appList" | "account", ShownForm>> {
  const field: FormField = {
    name: "account",
    label: "Account",
    options:
      accounts.length === 0
        ? [["new", "a new account"]]
        : accounts.map(({ id, name }) => [id, String(name)]),
  };
  return {
    engagement: engagement.form(field),
    conversion: conversion.form(scene),
    tag: tag.form(field),
    appList: appList.form(field),
    account: account.form(scene),
  };
}

function tagsPath(accountId: string): string {
  return `/ads/${ADS_VERSION}/accounts/${accountId}/app_event_tags`;
}

/**
 * Returns an advertising account and its owner; creates an account if `named` is empty.
 *
 * @throws {OperationError} if the sandbox has no people.
 */
async function accountOf(
  { control, people, bot }: DataScene,
  named: string,
): Promise<{ readonly id: string; readonly userId: string }> {
  const { accounts } = await control.ads();
  const existingAccount = accounts.find(({ id }) => id === named);
  if (existingAccount !== undefined)
    return { id: existingAccount.id, userId: String(existingAccount["userId"]) };
  const userId = bot ?? people[0]?.id;
  if (userId === undefined) {
    throw new OperationError("nobody is in the sandbox yet: add somebody on the page Data");
  }
  return { id: await control.adsAccount(userId, "Advertiser"), userId };
}

/** Returns the sandbox's time `ago` hours ago, in ISO 8601. */
async function before({ control }: DataScene, ago: number): Promise<string> {
  const { now } = await control.clock();
  return new Date(Date.parse(now) - ago * HOUR_MS).toISOString();
}
