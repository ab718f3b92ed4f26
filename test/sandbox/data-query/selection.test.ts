import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { DIALECT_WORDS, startDataSandbox, type DataSandbox } from "../support/data-sandbox.ts";

describe.each(DIALECT_WORDS)(
  "Field-selectable objects, in the $dialect dialect",
  ({ dialect, fields, path, posts, history, references, reposts, note, resource }) => {
    let fixture: DataSandbox;
    let alice: string;
    let bob: string;
    let first: string;
    let reply: string;
    beforeAll(async () => {
      fixture = await startDataSandbox({}, { dialect });
      [alice, bob] = [fixture.person, await fixture.user("bob")];
      first = await fixture.post(alice, "hello @bob #tag $CASH https://a.example/x");
      reply = await fixture.post(bob, "an answer", { reply: { in_reply_to_tweet_id: first } });
    });
    afterAll(() => fixture.close());

    it("carries id, text and the edit history, and nothing else, by default", async () => {
      const { data, body } = await fixture.get(`${path}/${first}`);

      expect(data).toEqual({
        id: first,
        text: expect.stringMatching(/^hello @bob #tag \$CASH https:\/\/t\.co\/\w{10}$/),
        [history]: [first],
      });
      expect(Object.keys(body)).toEqual(["data"]);
    });

    it("adds the fields that are requested, a counter object as a whole", async () => {
      const { data } = await fixture.get(
        `${path}/${first}?${fields}=author_id,created_at,public_metrics,conversation_id`,
      );

      expect(data).toMatchObject({
        author_id: alice,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        conversation_id: first,
        public_metrics: { [reposts]: 0, reply_count: 1, like_count: 0, quote_count: 0 },
      });
    });

    it("returns entities with their offsets in code points", async () => {
      const id = await fixture.post(alice, "👋🏽 @bob #tag $CASH https://a.example/x");
      const { data } = await fixture.get(`${path}/${id}?${fields}=entities`);

      expect(data["entities"]).toEqual({
        mentions: [{ start: 3, end: 7, username: "bob", id: bob }],
        hashtags: [{ start: 8, end: 12, tag: "tag" }],
        cashtags: [{ start: 13, end: 18, tag: "CASH" }],
        urls: [
          {
            start: 19,
            end: 42,
            url: expect.stringMatching(/^https:\/\/t\.co\/\w{10}$/),
            expanded_url: "https://a.example/x",
            display_url: "a.example/x",
          },
        ],
      });
    });

    it("expands an author with default fields and those of user.fields", async () => {
      const { includes, data } = await fixture.get(
        `${path}/search/recent?query=hello&expansions=author_id&user.fields=description`,
      );

      expect(includes).toMatchObject({
        users: [{ id: alice, username: "alice", name: "alice", description: "" }],
      });
      expect(Object.keys(includes["users"]?.[0] ?? {}).sort()).toEqual([
        "description",
        "id",
        "name",
        "username",
      ]);
      expect(data[0]).toMatchObject({ author_id: alice });
    });

    it("expands referenced posts and their authors", async () => {
      const { includes, data } = await fixture.get(
        `${path}/${reply}?expansions=${references}.id,${references}.id.author_id`,
      );

      expect(data[references]).toEqual([{ type: "replied_to", id: first }]);
      expect(includes).toMatchObject({
        [posts]: [{ id: first, author_id: alice, [history]: [first] }],
        users: [{ id: alice }],
      });
    });

    it("expands mentions, the one answered, and all versions", async () => {
      const { includes } = await fixture.get(
        `${path}?ids=${first},${reply}&expansions=entities.mentions.username,in_reply_to_user_id,${history}`,
      );

      expect(includes["users"]?.map(({ id }) => id)).toEqual([bob, alice]);
      expect(includes[posts]?.map(({ id }) => id)).toEqual([first, reply]);
    });

    it("keeps the reference to a deleted post, and reports it as missing", async () => {
      const quoted = await fixture.post(alice, "soon gone");
      const quote = await fixture.post(bob, "look", { quote_tweet_id: quoted });
      await fixture.as(alice, "DELETE", `${path}/${quoted}`);
      const { data, errors, status } = await fixture.get(
        `${path}/${quote}?expansions=${references}.id`,
      );

      expect(status).toBe(200);
      expect(data[references]).toEqual([{ type: "quoted", id: quoted }]);
      expect(errors).toMatchObject([
        { resource_type: resource, resource_id: quoted, parameter: `${references}.id` },
      ]);
    });

    it("keeps private metrics for the author and names the field to others", async () => {
      const url = `${path}/${first}?${fields}=non_public_metrics`;

      expect((await fixture.get(url, alice)).data).toHaveProperty("non_public_metrics");
      const { data, errors } = await fixture.get(url, bob);
      expect(data).not.toHaveProperty("non_public_metrics");
      expect(errors).toMatchObject([
        {
          title: "Field Authorization Error",
          field: "non_public_metrics",
          type: `${fixture.sandbox.url}/2/problems/not-authorized-for-field`,
        },
      ]);
    });

    it("shortens a longform post and returns the whole in its note", async () => {
      await fixture.sandbox.control.act(alice, {
        type: "post",
        text: `long #end ${"word ".repeat(90)}`,
      });
      const { data } = await fixture.get(
        `/2/users/${alice}/tweets?max_results=5&${fields}=${note}`,
      );

      expect(String(data[0]?.["text"])).toMatch(/^long #end .{200,260}… https:\/\/t\.co\/\w+$/);
      expect(data[0]?.[note]).toMatchObject({
        text: expect.stringMatching(/^long #end (word ){90}$/),
        entities: { hashtags: [{ tag: "end" }] },
      });
    });

    test.each([
      {
        selection: "public_metrics.like_count",
        why: "a subfield cannot be selected alone",
        message: "value [public_metrics.like_count] is not one of [",
      },
      {
        selection: "dummy",
        why: "there is no such field",
        message: "value [dummy] is not one of [",
      },
      { selection: "id,id", why: "a field occurs twice", message: "Duplicate parameters" },
      { selection: "", why: "nothing is named", message: "can not be empty" },
      { selection: "id,,text", why: "a name is empty", message: "empty value" },
    ])("refuses $selection: $why", async ({ selection, message }) => {
      const { status, body, errors } = await fixture.get(`${path}/${first}?${fields}=${selection}`);

      expect(status).toBe(400);
      expect(body).toEqual({
        errors: [{ parameters: { [fields]: expect.any(Array) }, message: expect.any(String) }],
        title: "Invalid Request",
        detail: "One or more parameters to your request was invalid.",
        type: `${fixture.sandbox.url}/2/problems/invalid-request`,
      });
      expect(errors[0]?.["message"]).toContain(message);
      expect(errors[0]?.["message"]).toContain(`\`${fields}\``);
    });

    test.each([
      { query: "expansions=dummy", names: "expansions" },
      { query: "nonsense=1", names: "nonsense" },
      { query: "user.fields=id&user.fields=name", names: "user.fields" },
      { query: "dm_event.fields=id", names: "dm_event.fields" },
    ])("refuses $query, by name", async ({ query, names }) => {
      const { status, errors } = await fixture.get(`${path}/${first}?${query}`);

      expect(status).toBe(400);
      expect(errors[0]?.["parameters"]).toHaveProperty([names]);
    });
  },
);

it("returns every fault of a query at once", async () => {
  const fixture = await startDataSandbox();
  const { errors } = await fixture.get(
    "/2/posts/search/recent?max_results=5&post.fields=a,b&since_id=x",
  );
  await fixture.close();

  expect(errors.map(({ parameters }) => Object.keys(Object(parameters))[0])).toEqual([
    "query",
    "max_results",
    "since_id",
    "post.fields",
    "post.fields",
  ]);
});

it("answers each request in the request's dialect, whatever the app's dialect", async () => {
  const fixture = await startDataSandbox({}, { dialect: "tweet" });
  const id = await fixture.post(fixture.person, "both");
  const [post, tweet, plain] = await Promise.all([
    fixture.get(`/2/tweets/${id}?post.fields=public_metrics`),
    fixture.get(`/2/posts/${id}?tweet.fields=public_metrics`),
    fixture.get(`/2/tweets/${id}`),
  ]);
  await fixture.close();

  expect(post.data).toHaveProperty(["public_metrics", "repost_count"]);
  expect(tweet.data).toHaveProperty(["public_metrics", "retweet_count"]);
  expect(plain.data).toHaveProperty("edit_history_tweet_ids");
});
