import type { TestSandbox } from "../support/test-sandbox.ts";
import { userToken } from "../support/user-token.ts";

/** Sandbox with an object of every kind, and a credential of every kind. */
export interface FuzzWorld {
  readonly fixture: TestSandbox;
  /** Ids, names and tokens of the sandbox's objects. */
  readonly ids: readonly string[];
  readonly tokens: { readonly access_token: string; readonly access_token_secret: string };
  readonly oauth2: string;
}

export async function fuzzWorld(fixture: TestSandbox): Promise<FuzzWorld> {
  const { control } = fixture.sandbox;
  await control.call("PATCH", "/settings", { limits: { enabled: false }, retries_ms: [] });
  const tokens = await control.tokens(fixture.bot, fixture.app.app_id);
  const webhook = await fixture.subscribed();
  const post = await control.act(fixture.bot, { type: "post", text: "a post of mine" });
  const other = await control.act(fixture.person, { type: "post", text: "@hello_bot #tag $CASH" });
  const message = await control.act(fixture.person, { type: "dm", to: fixture.bot, text: "hello" });
  await control.act(fixture.person, { type: "like", post_id: post.id });
  await control.act(fixture.person, { type: "follow", user_id: fixture.bot });
  const account = await control.post<{ account_id: string }>("/ads/accounts", {
    user_id: fixture.bot,
    name: "ads",
  });
  const list = await control.post<{ id: string }>("/ads/app_lists", {
    account_id: account.account_id,
    name: "list",
    app_store_identifiers: ["123"],
  });
  const group = await fixture.asBot("POST", "/2/dm_conversations", {
    conversation_type: "Group",
    participant_ids: [fixture.person, await control.user("carol")],
    message: { text: "all of you" },
  });
  const people = await fixture.asBot("POST", "/2/lists", { name: "people" });
  const spaceId = await control.space({ creator_id: fixture.person, title: "a space" });
  return {
    fixture,
    tokens,
    oauth2: await userToken(fixture, fixture.bot),
    ids: [
      fixture.bot,
      fixture.person,
      fixture.app.app_id,
      fixture.app.client_id,
      webhook,
      post.id,
      other.id,
      message.id,
      account.account_id,
      list.id,
      `${fixture.bot}-${fixture.person}`,
      String(Object(group.body["data"])["dm_conversation_id"]),
      String(Object(people.body["data"])["id"]),
      spaceId,
      "hello_bot",
      "alice",
      "12",
      "bot.example",
    ],
  };
}
