import type { ActivityRow } from "../model/activity.ts";
import { emit } from "../activity/emit.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import type { UserRow } from "../model/accounts.ts";

type Change = NonNullable<ActivityRow["change"]>;

/** Event types of profile changes, each with a function that reads the part of the profile that the event reports. */
const PARTS: readonly (readonly [Change["type"], (user: UserRow) => unknown])[] = [
  ["profile.update.bio", ({ profile }) => profile["description"]],
  ["profile.update.profile_picture", ({ profile }) => profile["profile_image_url"]],
  ["profile.update.banner_picture", ({ profile }) => profile["profile_banner_url"]],
  ["profile.update.screenname", ({ name }) => name],
  ["profile.update.geo", ({ profile }) => profile["location"]],
  ["profile.update.url", ({ profile }) => profile["url"]],
  ["profile.update.verified_badge", badgeOf],
  ["profile.update.affiliate_badge", ({ profile }) => profile["affiliation"]],
  ["profile.update.handle", ({ username }) => username],
];

/** Emits an event for each part of a profile that has changed. */
export function emitProfileChanges(sandbox: Sandbox, before: UserRow, after: UserRow): void {
  for (const [type, read] of PARTS) {
    const change = { type, before: textOf(read(before)), after: textOf(read(after)) };
    if (change.before === change.after) continue;
    emit(sandbox, { kind: "profile", by: after.id, change, involved: [] });
  }
}

function badgeOf({ profile }: UserRow): unknown {
  return profile["verified_type"] ?? (profile["verified"] === true ? "blue" : "none");
}

function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
