import { afterEach, beforeEach, expect, it, test } from "vitest";
import { PNG } from "../../media/media-uploader.ts";
import { type LegacySandbox, startLegacySandbox } from "./legacy-sandbox.ts";

let fixture: LegacySandbox;
let alice: string;
let bob: string;
beforeEach(async () => {
  fixture = await startLegacySandbox();
  [alice, bob] = [fixture.person, await fixture.user("bob")];
});
afterEach(() => fixture.close());

it("a profile is changed in the parts that the request has, and announced", async () => {
  const profile = {
    name: "Alice B.",
    description: "hello",
    url: "https://a.example",
    location: "X",
  };
  const all = { ...profile, profile_link_color: "d0f900" };
  const changed = await fixture.submit(alice, "account/update_profile.json", all);
  expect(changed.body).toMatchObject({ ...profile, profile_link_color: "D0F900" });

  const emptied = await fixture.submit(alice, "account/update_profile.json", { location: "" });
  expect(emptied.body).toMatchObject({ description: "hello", location: null });
  const me = await fixture.show("account/verify_credentials.json", alice);
  expect(me.body).toMatchObject({ name: "Alice B.", profile_link_color: "D0F900" });
  const acts = await fixture.sandbox.control.activities();
  expect(acts.map(({ change }) => Object(change).type)).toContain("profile.update.bio");
});

test.each([
  { fields: { description: "x".repeat(161) }, why: "the text is too long", code: 44 },
  { fields: { name: "" }, why: "a name is required", code: 25 },
  { fields: { profile_link_color: "red" }, why: "it is no color", code: 44 },
])("a profile is refused because $why", async ({ fields, code }) => {
  const refused = await fixture.submit(alice, "account/update_profile.json", fields);
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ code }] } });
});

it("a profile is changed by apps that may write only", async () => {
  await fixture.sandbox.control.changeApp(fixture.app.app_id, { permission_level: "read" });
  const refused = await fixture.submit(alice, "account/update_profile.json", { name: "Al" });
  expect(refused.status).toBe(403);
});

it("settings are shown and changed", async () => {
  const { body } = await fixture.show("account/settings.json", alice);
  expect(body).toMatchObject({ language: "en", screen_name: "alice", protected: false });
  const changes = { lang: "de", sleep_time_enabled: "true", start_sleep_time: "22" };
  const changed = await fixture.submit(alice, "account/settings.json", changes);
  expect(changed.body).toMatchObject({
    language: "de",
    sleep_time: { enabled: true, start_time: 22, end_time: null },
  });
  expect((await fixture.show("account/settings.json", alice)).body["language"]).toBe("de");
  const wrong = await fixture.submit(alice, "account/settings.json", { start_sleep_time: "24" });
  expect(wrong.body).toMatchObject({ errors: [{ code: 44 }] });
});

it("pictures of a profile are set from base64, and the banner is shown and removed", async () => {
  const picture = PNG.toString("base64");
  const path = `users/profile_banner.json?screen_name=alice`;
  expect((await fixture.show(path, bob)).status).toBe(404);

  const changed = await fixture.submit(alice, "account/update_profile_image.json", {
    image: picture,
  });
  expect(changed.body["profile_image_url_https"]).toMatch(/^https:\/\/images\.example\/[^/]+$/);
  const set = await fixture.submit(alice, "account/update_profile_banner.json", {
    banner: picture,
  });
  expect(set).toMatchObject({ status: 200, body: {} });
  const shown = await fixture.show(path);
  expect(shown.body["sizes"]).toMatchObject({ web_retina: { h: 520, w: 1040 } });
  await fixture.submit(alice, "account/remove_profile_banner.json");
  expect((await fixture.show(path)).status).toBe(404);
});

test.each([
  { image: "bm90IGEgcGljdHVyZQ==", why: "other bytes", code: 44 },
  { image: "", why: "no bytes", code: 25 },
])("a picture is refused for $why", async ({ image, code }) => {
  const refused = await fixture.submit(alice, "account/update_profile_image.json", { image });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ code }] } });
});

it("friendships are looked up in the order of the request, and requests are listed", async () => {
  const { control } = fixture.sandbox;
  const carol = await fixture.user("carol");
  await control.call("PATCH", `/users/${carol}`, { protected: true });
  await fixture.submit(alice, "friendships/create.json", { screen_name: "carol" });
  await control.act(bob, { type: "follow", user_id: alice });
  await control.act(alice, { type: "mute", user_id: bob });

  const path = `friendships/lookup.json?user_id=${carol}&screen_name=bob,hello_bot,nobody`;
  const { body } = await fixture.show(path, alice);
  expect(Object.values(body)).toMatchObject([
    { id_str: carol, screen_name: "carol", connections: ["following_requested"] },
    { id_str: bob, connections: ["followed_by", "muting"] },
    { screen_name: "hello_bot", connections: ["none"] },
  ]);
  const outgoing = await fixture.show("friendships/outgoing.json?stringify_ids=true", alice);
  expect(outgoing.body["ids"]).toEqual([carol]);
  const incoming = await fixture.show("friendships/incoming.json?stringify_ids=true", carol);
  expect(incoming.body["ids"]).toEqual([alice]);
});

it("a status is shown, reposted and deleted by a parameter, too", async () => {
  const id = await fixture.create(alice, "statuses/update.json", { status: "hello" });
  expect((await fixture.submit(bob, "statuses/retweet.json", { id })).status).toBe(200);
  expect(Object.values((await fixture.show(`statuses/retweets.json?id=${id}`)).body)).toHaveLength(
    1,
  );
  const undone = await fixture.submit(bob, "statuses/unretweet.json", { id });
  expect(undone.body["id_str"]).toBe(id);
  const deleted = await fixture.submit(alice, "statuses/destroy.json", { id });
  expect(deleted.body["id_str"]).toBe(id);
  expect((await fixture.show(`statuses/show.json?id=${id}`)).status).toBe(404);
  const unnamed = await fixture.submit(alice, "statuses/destroy.json");
  expect(unnamed.body).toMatchObject({ errors: [{ code: 25 }] });
});
