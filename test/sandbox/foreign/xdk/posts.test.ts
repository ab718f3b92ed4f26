import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present, startWithXdk, type XdkSandbox } from "./xdk-sandbox.ts";

let fixture: XdkSandbox;
beforeAll(async () => {
  fixture = await startWithXdk();
});
afterAll(() => fixture.close());

type CreatedPost = Parameters<XdkSandbox["botClient"]["posts"]["create"]>[0];

/** Creates a post of the bot, and returns its id. */
async function post(body: CreatedPost): Promise<string> {
  const { data } = await fixture.botClient.posts.create(body);
  return present(data?.id);
}

/** Creates a post of the person, and returns its id. */
async function postOfPerson(body: CreatedPost): Promise<string> {
  const { data } = await fixture.personClient.posts.create(body);
  return present(data?.id);
}

describe("npm @xdevplatform/xdk, unmodified: Resources and their fields", () => {
  it.each([
    ["the app alone", "appClient"],
    ["OAuth 1.0a", "botClient"],
    ["OAuth 2.0", "personClient"],
  ] as const)("looks up and searches posts by the credentials of %s", async (_name, client) => {
    const { posts } = fixture[client];
    const word = `herring${client}`;
    const root = await post({ text: `Hello @alice, see #news (${word}), it's * ~ & 100 %!` });
    const reply = await postOfPerson({ text: "hello", reply: { inReplyToTweetId: root } });
    const one = await posts.getById(reply, {
      postFields: ["created_at", "conversation_id", "public_metrics"],
      expansions: ["author_id", "in_reply_to_user_id", "referenced_posts"],
      userFields: ["public_metrics", "verified"],
    });
    const some = await posts.getByIds([root, "20"], { postFields: ["entities"] });
    const results = await posts.searchRecent(`(${word} OR nonsense) -is:reply "it's"`, {
      maxResults: 10,
      sortOrder: "recency",
      expansions: ["author_id"],
    });

    expect(one.data).toMatchObject({
      authorId: fixture.person,
      conversationId: root,
      inReplyToUserId: fixture.bot,
      editHistoryPostIds: [reply],
      referencedPosts: [{ type: "replied_to", id: root }],
      publicMetrics: { repostCount: 0, replyCount: 0, likeCount: 0, quoteCount: 0 },
    });
    expect(one.includes?.posts).toMatchObject([{ id: root }]);
    expect(one.includes?.users).toMatchObject([
      { username: "alice", verified: false },
      { username: "hello_bot" },
    ]);
    expect(some.data).toMatchObject([
      {
        text: `Hello @alice, see #news (${word}), it's * ~ &amp; 100 %!`,
        entities: { hashtags: [{ tag: "news" }], mentions: [{ username: "alice" }] },
      },
    ]);
    expect(some.errors).toMatchObject([
      { title: "Not Found Error", resourceType: "post", resourceId: "20", parameter: "ids" },
    ]);
    expect(results.data?.map(({ id }) => id)).toEqual([root]);
    expect(results.includes?.users).toMatchObject([{ username: "hello_bot" }]);
    expect(results.meta).toEqual({ newestId: root, oldestId: root, resultCount: 1 });
  });

  it("searches the whole archive, and counts", async () => {
    const id = await post({ text: "an albatross" });
    const { posts } = fixture.appClient;
    const results = await posts.searchAll("albatross", { startTime: "2020-01-01T00:00:00Z" });
    const recent = await posts.getCountsRecent("albatross", { granularity: "day" });
    const all = await posts.getCountsAll("albatross", { granularity: "day" });

    expect(results.data).toMatchObject([{ id, text: "an albatross" }]);
    expect(recent.data?.at(-1)).toMatchObject({ postCount: 1 });
    expect(recent.meta).toMatchObject({ totalPostCount: 1 });
    expect(all.meta).toMatchObject({ totalPostCount: 1 });
  });
});

describe("npm @xdevplatform/xdk, unmodified: writing", () => {
  it("quotes, likes, reposts, and undoes each", async () => {
    const { users, posts } = fixture.botClient;
    const id = await postOfPerson({ text: "worth it" });
    const quote = await post({ text: "agreed", quoteTweetId: id });
    const liked = await users.likePost(fixture.bot, { tweetId: id });
    const reposted = await users.repostPost(fixture.bot, { tweetId: id });
    const [likers, reposters, reposts, quotes, likes, mine] = [
      await posts.getLikingUsers(id),
      await fixture.appClient.posts.getRepostedBy(id),
      await fixture.appClient.posts.getReposts(id),
      await fixture.appClient.posts.getQuoted(id, { maxResults: 10 }),
      await users.getLikedPosts(fixture.bot),
      await fixture.personClient.users.getRepostsOfMe(),
    ];
    const unliked = await users.unlikePost(fixture.bot, id);
    const unreposted = await users.unrepostPost(fixture.bot, id);
    const { data } = await posts.getById(id, { postFields: ["public_metrics"] });

    expect(liked.data).toEqual({ liked: true });
    expect(reposted.data).toMatchObject({ retweeted: true });
    expect(likers.data).toMatchObject([{ id: fixture.bot }]);
    expect(reposters.data).toMatchObject([{ id: fixture.bot }]);
    expect(reposts.data).toMatchObject([{ text: "RT @alice: worth it" }]);
    expect(quotes.data).toMatchObject([{ id: quote }]);
    expect(likes.data).toMatchObject([{ id }]);
    expect(mine.data).toMatchObject([{ id }]);
    expect(unliked.data).toEqual({ liked: false });
    expect(unreposted.data).toEqual({ retweeted: false });
    expect(data?.publicMetrics).toMatchObject({ likeCount: 0, repostCount: 0, quoteCount: 1 });
  });

  it("posts a poll, hides a reply and deletes a post", async () => {
    const id = await postOfPerson({
      text: "tea or coffee?",
      poll: { options: ["tea", "coffee"], durationMinutes: 60 },
    });
    const reply = await post({ text: "tea", reply: { inReplyToTweetId: id } });
    const { includes } = await fixture.appClient.posts.getById(id, {
      expansions: ["attachments.poll_ids"],
      pollFields: ["duration_minutes", "voting_status"],
    });
    const hidden = await fixture.personClient.posts.hideReply(reply, { hidden: true });
    const deleted = await fixture.personClient.posts.delete(id);

    expect(includes?.polls).toMatchObject([
      { durationMinutes: 60, votingStatus: "open", options: [{ label: "tea", votes: 0 }, {}] },
    ]);
    expect(hidden.data).toEqual({ hidden: true });
    expect(deleted.data).toEqual({ deleted: true });
    await expect(fixture.appClient.posts.getById(id)).rejects.toMatchObject({ status: 404 });
  });

  it("bookmarks a post, and makes a folder", async () => {
    const { users } = fixture.personClient;
    const id = await post({ text: "keep this" });
    const added = await users.createBookmark(fixture.person, { tweetId: id });
    const listed = await users.getBookmarks(fixture.person);
    const folder = await users.createBookmarkFolder(fixture.person, { name: "later" });
    const folders = await users.getBookmarkFolders(fixture.person);
    const inFolder = await users.getBookmarksByFolderId(fixture.person, present(folder.data?.id));
    const removed = await users.deleteBookmark(fixture.person, id);

    expect(added.data).toEqual({ bookmarked: true });
    expect(listed.data).toMatchObject([{ id, text: "keep this" }]);
    expect(folders.data).toEqual([{ id: folder.data?.id, name: "later" }]);
    expect(inFolder).toEqual({ meta: { resultCount: 0 } });
    expect(removed.data).toEqual({ bookmarked: false });
  });
});
