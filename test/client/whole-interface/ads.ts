import { expect } from "vitest";
import { failureOf } from "../support/world.ts";
import type { CallsOf, Stage } from "./stage.ts";

const APP = "com.example.game";

function tagOf({ adsAccountId, bot, word }: Stage) {
  const name = word();
  return bot.appEventTags.create({
    accountId: adsAccountId,
    appStoreIdentifier: APP,
    conversionType: "INSTALL",
    osType: "ANDROID",
    providerAppEventId: name,
    providerAppEventName: name,
  });
}

export const appEventTags: CallsOf<"appEventTags"> = {
  create: async (stage) => {
    const { data, request } = await tagOf(stage);
    expect(data).toMatchObject({ conversion_type: "INSTALL", retargeting_enabled: true });
    expect(request.params).toMatchObject({
      account_id: stage.adsAccountId,
      provider_app_event_id: data.provider_app_event_id,
    });
  },
  get: async (stage) => {
    const { data: tag } = await tagOf(stage);
    const id = { accountId: stage.adsAccountId, appEventTagId: tag.id };
    const { data, request } = await stage.bot.appEventTags.get(id);
    expect(data).toMatchObject({ ...tag, status: "TRACKING" });
    expect(request.params).toMatchObject({ app_event_tag_id: tag.id });
  },
  list: async (stage) => {
    const ids = [(await tagOf(stage)).data.id, (await tagOf(stage)).data.id];
    const accountId = stage.adsAccountId;
    const query = { accountId, appEventTagIds: ids, count: 1 };
    const page = await stage.bot.appEventTags.list(query);
    expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, 1));
    expect(page.request.params).toMatchObject({ account_id: accountId, count: 1 });
    const all = [];
    for await (const { id } of stage.bot.appEventTags.list(query)) all.push(id);
    expect(all).toEqual(ids);
  },
  delete: async (stage) => {
    const { data: tag } = await tagOf(stage);
    const id = { accountId: stage.adsAccountId, appEventTagId: tag.id };
    const { data, request } = await stage.bot.appEventTags.delete(id);
    expect(data).toMatchObject({ id: tag.id, deleted: true });
    expect(request.params).toMatchObject({ account_id: stage.adsAccountId });
    expect(await failureOf(stage.bot.appEventTags.get(id))).toMatchObject({ notFound: true });
  },
};

function listOf({ adsAccountId, sandbox, word }: Stage): Promise<{ id: string }> {
  const name = word();
  const spec = { account_id: adsAccountId, name, app_store_identifiers: [APP] };
  return sandbox.control.post<{ id: string }>("/ads/app_lists", spec);
}

export const appLists: CallsOf<"appLists"> = {
  list: async (stage) => {
    const { id } = await listOf(stage);
    const query = { accountId: stage.adsAccountId, appListIds: [id], withTotalCount: true };
    const page = await stage.bot.appLists.list(query);
    expect(page).toMatchObject({ data: [{ id }], next_cursor: null, total_count: 1 });
    expect(page.request.params).toMatchObject({ with_total_count: true });
  },
  get: async (stage) => {
    const { id: appListId } = await listOf(stage);
    const { data } = await stage.bot.appLists.get({ accountId: stage.adsAccountId, appListId });
    expect(data.apps).toEqual([{ app_store_identifier: APP, os_type: "ANDROID" }]);
  },
};

/** Creates a device that clicked an advertisement for the app an hour ago. */
async function clicked({ adsAccountId, sandbox, word }: Stage) {
  const hashedDeviceId = word().padEnd(64, "a");
  await sandbox.control.post("/ads/engagements", {
    account_id: adsAccountId,
    hashed_device_id: hashedDeviceId,
    type: "CLICK",
    time: new Date(Date.now() - 3_600_000).toISOString(),
    app_store_identifier: APP,
  });
  const conversionType = "INSTALL" as const;
  const osType = "ANDROID" as const;
  return { appId: APP, conversionTime: new Date(), conversionType, hashedDeviceId, osType };
}

export const conversions: CallsOf<"conversions"> = {
  record: async (stage) => {
    const key = await clicked(stage);
    const { data, request } = await stage.bot.conversions.record({ ...key, priceMicro: 990_000 });
    expect(data.platform_attribution).toMatchObject({ engagement_type: "CLICK" });
    expect(request.params).toMatchObject({ app_id: APP, version_number: "12" });
    expect(stage.bot.adsNotice).toEqual({ currentVersion: "12", warning: undefined });
  },
  attribution: async (stage) => {
    const key = await clicked(stage);
    const { data, request } = await stage.bot.conversions.attribution(key);
    expect(data.platform_attribution).toMatchObject({ engagement_type: "CLICK" });
    expect(request.params).toMatchObject({ app_id: APP });
  },
};
