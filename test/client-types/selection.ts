/**
 * Programs that use field selection. No code of this file runs: the test is whether the compiler accepts it. Each
 * `case` below states what must compile. If the compiler must reject a line, `@ts-expect-error` precedes the line.
 */
import type { Client } from "../../src/client/client.ts";
import type { Post } from "../../src/client/objects/post.ts";
import type { PostField } from "../../src/protocol/fields.ts";

/** Whether a type is `any`, which would make every check pass. */
type IsAny<A> = 0 extends 1 & A ? true : false;
type Within<A, B> = [A] extends [B] ? true : false;
type Same<A, B> = [IsAny<A>, Within<A, B>, Within<B, A>] extends [false, true, true] ? true : false;

/** Compiles only if the two types are the same. */
declare function same<A, B>(...proof: Same<A, B> extends true ? [] : ["these types differ"]): void;

export async function selection(client: Client<"oauth1">, fields: PostField[]): Promise<void> {
  // case: without field parameters a post has its default fields
  const plain = await client.posts.get("1");
  same<keyof typeof plain.data, "id" | "text" | "edit_history_post_ids">();
  same<typeof plain.data.text, string>();

  // case: a default field that older posts lack is optional
  same<typeof plain.data.edit_history_post_ids, readonly string[] | undefined>();

  // case: a field that was not requested is absent from the type
  // @ts-expect-error created_at was not requested
  void plain.data.created_at;

  // case: without an expansion, the answer includes no other objects
  // @ts-expect-error without an expansion, the response has no users
  void plain.includes.users;

  // case: requested fields are added to the default fields
  const dated = await client.posts.get("1", { postFields: ["created_at", "public_metrics"] });
  same<
    keyof typeof dated.data,
    "id" | "text" | "edit_history_post_ids" | "created_at" | "public_metrics"
  >();
  same<typeof dated.data.created_at, string>();
  same<typeof dated.data.public_metrics.repost_count, number>();

  // case: a subfield can't be selected alone
  // @ts-expect-error naming public_metrics gives all of them
  void client.posts.get("1", { postFields: ["public_metrics.repost_count"] });

  // case: a misspelt field does not compile
  // @ts-expect-error creatd_at
  void client.posts.get("1", { postFields: ["creatd_at"] });

  // case: a misspelt parameter does not compile
  // @ts-expect-error postFeilds
  void client.posts.get("1", { postFeilds: ["created_at"] });

  // case: a field's name in the tweet dialect does not compile, because the client translates names
  // @ts-expect-error retweet_count and tweetFields are wire names
  void client.posts.get("1", { tweetFields: ["created_at"] });

  // case: a user's field is not a post's
  // @ts-expect-error username
  void client.posts.get("1", { postFields: ["username"] });

  // case: a search result has exactly the default and the requested fields
  const results = await client.posts.searchRecent({
    query: "answerback",
    postFields: ["created_at"],
    expansions: ["author_id"],
    userFields: ["description"],
  });
  same<
    keyof (typeof results.data)[number],
    "id" | "text" | "edit_history_post_ids" | "created_at"
  >();
  same<keyof (typeof results.includes.users)[number], "id" | "name" | "username" | "description">();
  same<keyof typeof results.includes, "users">();

  // case: `for await` over a search yields posts of the same type as the posts of a page
  for await (const post of client.posts.searchRecent({ query: "a", postFields: ["lang"] })) {
    same<typeof post.lang, string | undefined>();
    // @ts-expect-error source was not requested
    void post.source;
  }

  // case: `pages` yields pages of the same type as awaiting the call
  for await (const page of client.posts.searchRecent({ query: "a" }).pages()) {
    same<typeof page.meta.result_count, number>();
  }

  // case: search needs its query
  // @ts-expect-error no query
  void client.posts.searchRecent({ postFields: ["lang"] });

  // case: userFields without an expansion does not compile
  // @ts-expect-error no expansion yields users
  void client.posts.searchRecent({ query: "a", userFields: ["description"] });

  // case: userFields with an expansion that yields something else does not compile
  // @ts-expect-error media, not users
  void client.posts.get("1", { expansions: ["attachments.media_keys"], userFields: ["url"] });

  // case: mediaFields without an expansion that yields media does not compile
  // @ts-expect-error users, not media
  void client.posts.get("1", { expansions: ["author_id"], mediaFields: ["url"] });

  // case: pollFields need an expansion that yields polls
  const polled = await client.posts.get("1", {
    expansions: ["attachments.poll_ids"],
    pollFields: ["voting_status"],
  });
  same<(typeof polled.includes.polls)[number]["voting_status"], "open" | "closed">();
  // @ts-expect-error no expansion yields polls
  void client.posts.get("1", { pollFields: ["voting_status"] });

  // case: placeFields need an expansion that yields places
  void client.posts.get("1", { expansions: ["geo.place_id"], placeFields: ["country"] });
  // @ts-expect-error no expansion yields places
  void client.posts.get("1", { placeFields: ["country"] });

  // case: an expansion without field parameters includes the default fields
  const authored = await client.posts.get("1", { expansions: ["author_id"] });
  same<keyof (typeof authored.includes.users)[number], "id" | "name" | "username">();

  // case: a misspelt expansion does not compile
  // @ts-expect-error autor_id
  void client.posts.get("1", { expansions: ["autor_id"] });

  // case: two expansions include two kinds of object
  const both = await client.posts.get("1", { expansions: ["author_id", "referenced_posts.id"] });
  same<keyof typeof both.includes, "users" | "posts">();

  // case: one expansion may include two kinds of object
  const deep = await client.posts.get("1", { expansions: ["referenced_posts.id.author_id"] });
  same<keyof typeof deep.includes, "users" | "posts">();

  // case: included posts also have the requested post fields
  const quoted = await client.posts.get("1", {
    postFields: ["author_id"],
    expansions: ["referenced_posts.id"],
  });
  same<(typeof quoted.includes.posts)[number]["author_id"], string>();

  // case: a field that may be absent stays optional even when it was requested
  const reply = await client.posts.get("1", { postFields: ["in_reply_to_user_id"] });
  same<typeof reply.data.in_reply_to_user_id, string | undefined>();

  // case: if the requested fields are known only at run time, they are optional, and the default fields are not
  const dynamic = await client.posts.get("1", { postFields: fields });
  same<typeof dynamic.data.id, string>();
  same<typeof dynamic.data.author_id, Post["author_id"] | undefined>();

  // case: the answer is readonly
  // @ts-expect-error readonly
  plain.data.text = "";

  // case: an id is a string, because ids exceed 2^53
  // @ts-expect-error a number
  void client.posts.get(42);
}

export async function users(client: Client<"bearer">): Promise<void> {
  // case: a user has its default fields
  const plain = await client.users.byUsername("somebody");
  same<keyof typeof plain.data, "id" | "name" | "username">();

  // case: userFields need no expansion in a call that returns users
  const user = await client.users.get("1", { userFields: ["description", "public_metrics"] });
  same<typeof user.data.description, string>();
  same<typeof user.data.public_metrics.followers_count, number>();

  // case: postFields with a user need an expansion that yields posts
  // @ts-expect-error no expansion yields posts
  void client.users.get("1", { postFields: ["created_at"] });
  const pinned = await client.users.get("1", {
    expansions: ["pinned_post_id"],
    postFields: ["created_at"],
  });
  same<(typeof pinned.includes.posts)[number]["created_at"], string>();

  // case: a post's expansion is not a user's
  // @ts-expect-error author_id
  void client.users.get("1", { expansions: ["author_id"] });

  // case: a list of users accepts field parameters and paging parameters together
  for await (const follower of client.follows.followers("1", {
    maxResults: 1000,
    userFields: ["verified"],
  })) {
    same<typeof follower.verified, boolean>();
  }
}

export async function messages(client: Client<"oauth2">): Promise<void> {
  // case: a message event has its default fields
  const plain = await client.dms.event("1");
  same<keyof typeof plain.data, "id" | "event_type" | "text" | "participant_ids">();

  // case: requested message fields are added to the default fields
  for await (const event of client.dms.eventsWith("42", {
    dmEventFields: ["created_at", "sender_id"],
    expansions: ["sender_id"],
    userFields: ["protected"],
  })) {
    same<typeof event.created_at, string>();
    same<typeof event.sender_id, string | undefined>();
  }

  // case: a message has no polls
  // @ts-expect-error pollFields
  void client.dms.events({ pollFields: ["voting_status"] });

  // case: userFields with messages need an expansion too
  // @ts-expect-error no expansion yields users
  void client.dms.events({ userFields: ["protected"] });
}

export async function listsAndSpaces(client: Client<"bearer">): Promise<void> {
  // case: a list object has its default fields and the requested ones
  const { data, includes } = await client.lists.get("84", {
    listFields: ["member_count", "description"],
    expansions: ["owner_id"],
  });
  same<keyof typeof data, "id" | "name" | "member_count" | "description">();
  same<typeof data.member_count, number>();
  same<keyof typeof includes, "users">();

  // case: a list object has no posts, so postFields do not compile
  // @ts-expect-error postFields
  void client.lists.get("84", { postFields: ["created_at"] });

  // case: the response has `includes.topics` if the call requests the expansion `topic_ids`
  const space = await client.spaces.get("1", {
    expansions: ["topic_ids"],
    topicFields: ["description"],
  });
  same<(typeof space.includes.topics)[number]["description"], string | undefined>();
  // @ts-expect-error no expansion yields topics
  void client.spaces.get("1", { topicFields: ["description"] });
}
