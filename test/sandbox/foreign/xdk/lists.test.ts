import { afterEach, beforeEach, expect, it } from "vitest";
import { present, startWithXdk, type XdkSandbox } from "./xdk-sandbox.ts";

let fixture: XdkSandbox;
beforeEach(async () => {
  fixture = await startWithXdk();
});
afterEach(() => fixture.close());

it("npm @xdevplatform/xdk makes a list, fills it, reads its posts, and deletes it", async () => {
  const { bot, person } = fixture;
  const { lists, users } = fixture.botClient;
  const created = await lists.create({ name: "friends", description: "of bots", private: false });
  const id = present(created.data?.id);
  const updated = await lists.update(id, { name: "pals" });
  const added = await lists.addMember(id, { userId: person });
  await fixture.personClient.posts.create({ text: "from a pal" });
  const list = await fixture.appClient.lists.getById(id, {
    listFields: ["member_count"],
    expansions: ["owner_id"],
  });
  const members = await fixture.appClient.lists.getMembers(id);
  const posts = await fixture.appClient.lists.getPosts(id, { maxResults: 5 });
  const owned = await fixture.appClient.users.getOwnedLists(bot);
  const memberships = await fixture.appClient.users.getListMemberships(person);
  const removed = await lists.removeMemberByUserId(id, person);
  const pinned = await users.pinList(bot, { listId: id });
  const pins = await users.getPinnedLists(bot);
  const unpinned = await users.unpinList(bot, id);
  const deleted = await lists.delete(id);

  expect(updated.data).toEqual({ updated: true });
  expect([added.data, removed.data]).toEqual([{ isMember: true }, { isMember: false }]);
  expect(list.data).toEqual({ id, name: "pals", memberCount: 1, ownerId: bot });
  expect(list.includes?.users).toMatchObject([{ username: "hello_bot" }]);
  expect(members.data).toMatchObject([{ id: person }]);
  expect(posts.data).toMatchObject([{ text: "from a pal" }]);
  expect(owned.data).toMatchObject([{ id }]);
  expect(memberships.data).toMatchObject([{ id }]);
  expect([pinned.data, unpinned.data]).toEqual([{ pinned: true }, { pinned: false }]);
  expect(pins.data).toMatchObject([{ id }]);
  expect(deleted.data).toEqual({ deleted: true });
});

it("npm @xdevplatform/xdk follows a list of another user, and unfollows it", async () => {
  const { data } = await fixture.botClient.lists.create({ name: "news" });
  const id = present(data?.id);
  const { users } = fixture.personClient;
  const followed = await users.followList(fixture.person, { listId: id });
  const followers = await fixture.appClient.lists.getFollowers(id);
  const lists = await fixture.appClient.users.getFollowedLists(fixture.person);
  const unfollowed = await users.unfollowList(fixture.person, id);

  expect([followed.data, unfollowed.data]).toEqual([{ following: true }, { following: false }]);
  expect(followers.data).toMatchObject([{ id: fixture.person }]);
  expect(lists.data).toMatchObject([{ id, name: "news" }]);
});

it("npm @xdevplatform/xdk reads Spaces", async () => {
  const { control } = fixture.sandbox;
  const live = await control.space({ creator_id: fixture.person, title: "Bots and people" });
  const { spaces } = fixture.appClient;
  const one = await spaces.getById(live, { spaceFields: ["title"], expansions: ["creator_id"] });
  const some = await spaces.getByIds([live], { spaceFields: ["state"] });
  const created = await spaces.getByCreatorIds([fixture.person]);
  const results = await spaces.search("bots", { state: "live" });

  expect(one.data).toEqual({
    id: live,
    state: "live",
    title: "Bots and people",
    creatorId: fixture.person,
  });
  expect(one.includes?.users).toMatchObject([{ username: "alice" }]);
  expect(some.data).toEqual([{ id: live, state: "live" }]);
  expect(created.data).toMatchObject([{ id: live }]);
  expect(results.data).toMatchObject([{ id: live }]);
});
