import { afterAll, beforeAll, expect, it, test } from "vitest";
import { idsOf, startDataSandbox, type DataSandbox } from "../support/data-sandbox.ts";

let fixture: DataSandbox;
let people: Record<"ann" | "annabel" | "joanna", string>;
beforeAll(async () => {
  fixture = await startDataSandbox();
  const { control } = fixture.sandbox;
  people = {
    ann: await control.user("ann", { name: "Somebody" }),
    annabel: await control.user("annabel", { name: "Bel" }),
    joanna: await control.user("joanna", { name: "Jo Annas" }),
  };
  await control.act(fixture.bot, { type: "follow", user_id: people.joanna });
});
afterAll(() => fixture.close());

const search = (query: string): ReturnType<DataSandbox["get"]> =>
  fixture.get(`/2/users/search?query=${query}`, fixture.bot);

it("finds people whose names begin with the words, an equal username first, then by followers", async () => {
  const response = await search("Ann");
  expect(idsOf(response)).toEqual([people.ann, people.joanna, people.annabel]);
  expect(response.body["meta"]).toEqual({});
  expect(idsOf(await search("jo%20anna"))).toEqual([people.joanna]);
  expect((await search("nobody")).body).toEqual({ meta: {} });
});

it("gives pages by next_token", async () => {
  const first = await search("ann&max_results=2");
  const second = await search(`ann&max_results=2&next_token=${String(first.meta["next_token"])}`);

  expect([...idsOf(first), ...idsOf(second)]).toHaveLength(3);
  expect(second.meta).toEqual({ previous_token: expect.stringMatching(/^\w{16,}$/) });
  const back = await search(
    `ann&max_results=2&next_token=${String(second.meta["previous_token"])}`,
  );
  expect(idsOf(back)).toEqual(idsOf(first));
});

test.each([
  { query: "a@b", why: "a sign that no name has" },
  { query: "a".repeat(51), why: "51 characters" },
  { query: "", why: "nothing" },
])("is refused for $why", async ({ query }) => {
  expect((await search(encodeURIComponent(query))).status).toBe(400);
});

it("is for users only", async () => {
  expect((await fixture.get("/2/users/search?query=ann")).status).toBe(403);
});
