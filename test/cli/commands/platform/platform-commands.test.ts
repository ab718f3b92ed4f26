import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { begin } from "../../../support/command-line.ts";
import { when } from "../../../support/when.ts";
import { runningDev, type RunningDev } from "../../support/running-dev.ts";

describe("commands of the platform", () => {
  let dev: RunningDev;
  beforeAll(async () => {
    dev = await runningDev();
  });
  afterAll(() => dev.close());

  it("a refusal of the platform about rights exits with 4", async () => {
    const { code } = await dev.run("api", "POST", "/2/webhooks", "--body", "{}", "--as", "@ana");

    expect(code).toBe(4);
  });

  it("texts of other users can't move the cursor", async () => {
    const [ana] = dev.file.people;
    await dev.control.act(ana?.id ?? "", { type: "post", text: "look \u001B[2J here sneaky" });

    const results = await when(async () => {
      const { out } = await dev.run("posts", "search", "sneaky");
      return out === "" ? undefined : out;
    });

    expect(results).not.toContain("\u001B");
  });

  it("accounts are linked from the sandbox, listed and unlinked", async () => {
    const added = await dev.json<{ id: string; username: string }>("accounts", "add", "@shop");
    const listed = await dev.rows<{ id: string; username: string }>("accounts", "list");
    const removed = await dev.json<{ username: string }>("accounts", "remove", "@SHOP");

    expect(added.username).toBe("shop");
    expect(listed).toContainEqual(expect.objectContaining({ id: added.id, username: "shop" }));
    expect(removed.username).toBe("shop");
    expect((await dev.run("accounts", "remove", "@shop")).code).toBe(2);
  });

  it.each(["file", "stdin", "environment"])("accounts add reads tokens from %s", async (source) => {
    const id = await dev.control.user(`by_${source}`);
    const tokens = await dev.control.tokens(id, dev.file.app.id);
    const text = `${tokens.access_token}\n${tokens.access_token_secret}\n`;
    await writeFile(join(dev.folder, "tokens.txt"), text);
    const args = {
      file: ["--tokens", "tokens.txt"],
      stdin: ["--tokens", "-"],
      environment: [],
    }[source];
    const env = {
      ANSWERBACK_ACCESS_TOKEN: tokens.access_token,
      ANSWERBACK_ACCESS_TOKEN_SECRET: tokens.access_token_secret,
    };

    const { code, out, err } = await begin(
      { cwd: dev.folder, input: text, ...(source === "environment" ? { env } : {}) },
      ["accounts", "add", ...(args ?? []), "--json"],
    ).ended;

    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ id, username: `by_${source}` });
    expect(out + err).not.toContain(tokens.access_token_secret);
  });

  it("accounts add names a file of tokens that can't be read", async () => {
    const { code, err } = await dev.run("accounts", "add", "--tokens", "none.txt");

    expect(code).toBe(2);
    expect(err).toMatch(/^error: can't read none\.txt\n {2}help: check its name/);
  });

  it("accounts add refuses half a pair of tokens", async () => {
    const { code, err } = await begin({ cwd: dev.folder, input: "only-one\n" }, [
      "accounts",
      "add",
      "--tokens",
      "-",
    ]).ended;

    expect(code).toBe(2);
    expect(err).toContain("an access token and its secret are needed");
  });

  it("webhooks are created, listed, validated and deleted", async () => {
    const url = "https://bot.example/webhook?of=tests";
    const created = await dev.json<{ id: string; valid: boolean }>("webhooks", "create", url);
    const validated = await dev.json("webhooks", "validate", created.id);
    const listed = await dev.rows<{ id: string; url: string }>("webhooks", "list");
    const deleted = await dev.json("webhooks", "delete", created.id);

    expect(created.valid).toBe(true);
    expect(validated).toEqual({ id: created.id, valid: true });
    expect(listed).toContainEqual(expect.objectContaining({ id: created.id, url }));
    expect(deleted).toEqual({ deleted: true });
  });

  it("a webhook that does not answer its challenge is refused", async () => {
    const { code, err } = await dev.run("webhooks", "create", "https://nobody.example/webhook");

    expect(code).toBe(1);
    expect(err).toContain("nobody.example");
  });

  it("subscriptions are added, listed, counted and removed", async () => {
    const [ana] = dev.file.people;
    const count = () => dev.json<{ subscriptions_count_all: string }>("subscriptions", "count");
    const before = await count();
    const added = await dev.json("subscriptions", "add", "--as", "@ana");
    const listed = await dev.rows<{ user_id: string; username: string | null }>(
      "subscriptions",
      "list",
    );
    const counted = await count();
    const removed = await dev.json("subscriptions", "remove", "@ana");

    expect(added).toEqual({ username: "ana", subscribed: true });
    expect(listed).toContainEqual({ user_id: ana?.id, events: "all", username: null });
    expect(Number(counted.subscriptions_count_all)).toBe(
      Number(before.subscriptions_count_all) + 1,
    );
    expect(removed).toEqual({ subscribed: false });
  });

  it("one of several webhooks must be named, unless one is the bot's", async () => {
    const url = "https://bot.example/webhook?of=second";
    const { id } = await dev.json<{ id: string }>("webhooks", "create", url);

    const own = await dev.rows<{ username: string | null }>("subscriptions", "list");
    const named = await dev.rows("subscriptions", "list", "--webhook", id);
    await dev.run("webhooks", "delete", id);

    expect(own.map(({ username }) => username)).toContain(dev.file.bot.username);
    expect(named).toEqual([]);
  });

  it.each([
    { from: "-40m", to: "-15m", code: 0, why: "relative times" },
    { from: "soon", to: "-15m", code: 2, why: "not a time" },
    { from: "-5m", to: "-1m", code: 2, why: "too recent for the platform" },
  ])("replay from $from to $to exits with $code: $why", async ({ from, to, code }) => {
    const ran = await dev.run("replay", "--from", from, "--to", to);

    expect(ran.code, ran.err).toBe(code);
  });

  it.each(["5", "28 Nov 2026", "2026-11-28T10:00+0100", "2026-13-01"])(
    "replay refuses the time %s, which is not ISO 8601",
    async (from) => {
      const ran = await dev.run("replay", "--from", from, "--to", "-15m");

      expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("Write ISO 8601") });
    },
  );

  it("dm sends as an account, and lists the conversation", async () => {
    const sent = await dev.json<{ from: string }>("dm", "send", "@ana", "Your order has left.");
    const listed = (await dev.run("dm", "list", "--with", "@ana", "--limit", "1")).out;
    const piped = await begin({ cwd: dev.folder, input: " from a file \n" }, [
      "dm",
      "send",
      "@ben",
      "-",
      "--json",
    ]).ended;
    const empty = await begin({ cwd: dev.folder, input: " \n" }, ["dm", "send", "@ben", "-"]).ended;

    expect(sent.from).toBe("hello_bot");
    expect(listed).toMatch(/@hello_bot +Your order has left\.$/m);
    expect(piped.code, piped.err).toBe(0);
    expect((await dev.run("dm", "list", "--with", "@ben")).out).toContain("from a file");
    expect(empty).toMatchObject({ code: 2, err: expect.stringContaining("the text is empty") });
  });

  it("posts are created, replied to, shown, found and deleted", async () => {
    const post = await dev.json<{ id: string }>("posts", "create", "We are open again.");
    const reply = await dev.json<{ id: string; by: string }>(
      "posts",
      "create",
      "Great!",
      "--reply-to",
      post.id,
      "--as",
      "@ana",
    );
    const shown = await dev.json<{ public_metrics: { reply_count: number } }>(
      "posts",
      "get",
      post.id,
    );
    const results = await when(async () => {
      const ids = (await dev.rows<{ id: string }>("posts", "search", "Great")).map(({ id }) => id);
      return ids.includes(reply.id) ? ids : undefined;
    });
    const deleted = await dev.json("posts", "delete", post.id);

    expect(reply.by).toBe("ana");
    expect(shown.public_metrics.reply_count).toBe(1);
    expect(results).toContain(reply.id);
    expect(deleted).toEqual({ deleted: true });
    expect((await dev.run("posts", "get", post.id)).code).toBe(1);
  });

  it("users are found by handle and by id", async () => {
    const [ana] = dev.file.people;

    const byHandle = await dev.json("users", "get", "@ana");
    const byId = await dev.json("users", "get", ana?.id ?? "");

    expect(byHandle).toMatchObject({ id: ana?.id, username: "ana", name: "Ana" });
    expect(byId).toEqual(byHandle);
    expect((await dev.run("users", "get", "@nobody_here")).code).toBe(1);
  });

  it.each([
    { args: ["GET", "2/users/me"], err: '"2/users/me" is not a path', why: "no slash" },
    {
      args: ["GET", "/2/users?ids=1&ids=2"],
      err: "ids is in the query more than once",
      why: "the platform reads a parameter once",
    },
    { args: ["PATCH", "/2/posts"], err: "the platform has no method PATCH", why: "the method" },
    { args: ["POST", "/2/posts", "--body", "{"], err: "the body is not a JSON", why: "cut off" },
    { args: ["POST", "/2/posts", "--body", "1"], err: "the body is not a JSON", why: "a number" },
    {
      args: ["POST", "/2/posts", "--body-file", "none.json"],
      err: "can't read none.json",
      why: "no such file",
    },
  ])("api $args is a usage error: $why", async ({ args, err }) => {
    const ran = await dev.run("api", ...args);

    expect(ran.code).toBe(2);
    expect(ran.err).toContain(err);
    expect(ran.err).toContain("  help: ");
  });

  it("api takes a query with its path", async () => {
    const path = "/2/users/me?user.fields=created_at";
    const { data } = await dev.json<{ data: object }>("api", "GET", path);

    expect(data).toHaveProperty("created_at");
  });

  it.each([
    { flags: ["--as", "@ana"], username: "ana", why: "the account that is named" },
    { flags: [], username: "hello_bot", why: "the only linked account" },
  ])("api acts as $why", async ({ flags, username }) => {
    const { data } = await dev.json<{ data: { username: string } }>(
      "api",
      "GET",
      "/2/users/me",
      ...flags,
    );

    expect(data.username).toBe(username);
  });

  it("ads tags are created, listed, deleted and still listed with --with-deleted", async () => {
    const { account_id: account } = await dev.control.post<{ account_id: string }>(
      "/ads/accounts",
      {
        user_id: dev.file.bot.id,
        name: "measured",
      },
    );
    const created = await dev.json<{ id: string }>(
      "ads",
      "tags",
      "create",
      "--account",
      account,
      "--app",
      "1234",
      "--type",
      "PURCHASE",
      "--os",
      "IOS",
      "--event-id",
      "e1",
      "--event-name",
      "bought",
    );
    await dev.run("ads", "tags", "delete", created.id, "--account", account);
    const listed = await dev.rows("ads", "tags", "list", "--account", account);
    const withDeleted = await dev.rows<{ id: string }>(
      "ads",
      "tags",
      "list",
      "--account",
      account,
      "--with-deleted",
    );

    expect(listed).toEqual([]);
    expect(withDeleted.map(({ id }) => id)).toEqual([created.id]);
  });
});
