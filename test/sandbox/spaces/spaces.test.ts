import { afterAll, beforeAll, expect, it, test } from "vitest";
import { idsOf, startDataSandbox, type DataSandbox } from "../support/data-sandbox.ts";

let fixture: DataSandbox;
let live: string;
let planned: string;
let ended: string;
beforeAll(async () => {
  fixture = await startDataSandbox();
  const { control } = fixture.sandbox;
  const [by, host] = [fixture.person, fixture.bot];
  live = await control.space({
    creator_id: by,
    title: "Bots and people",
    host_ids: [by, host],
    topics: [{ id: "7", name: "Bots" }],
    participant_count: 3,
  });
  planned = await control.space({
    creator_id: by,
    title: "More of bots",
    state: "scheduled",
    scheduled_start: "2030-01-01T10:00:00.000Z",
  });
  ended = await control.space({ creator_id: host, title: "Bots of before" });
  await control.changeSpace(ended, { state: "ended" });
});
afterAll(() => fixture.close());

it("a space has the id that a test gives it, once", async () => {
  const { control } = fixture.sandbox;
  const id = await control.space({
    creator_id: fixture.person,
    id: "1YpKkzBgBlVxj",
    state: "ended",
  });
  expect(id).toBe("1YpKkzBgBlVxj");
  await expect(control.space({ creator_id: fixture.person, id })).rejects.toThrow(
    /already a space/,
  );
  await expect(control.space({ creator_id: fixture.person, id: "no id" })).rejects.toThrow(/13/);
});

it("a space is shown with the requested fields", async () => {
  expect((await fixture.get(`/2/spaces/${live}`)).body).toEqual({
    data: { id: live, state: "live" },
  });
  const query =
    "space.fields=title,started_at,ended_at,scheduled_start,participant_count,is_ticketed,lang" +
    "&expansions=creator_id,host_ids,speaker_ids,topic_ids&topic.fields=description";
  expect((await fixture.get(`/2/spaces/${live}?${query}`)).body).toEqual({
    data: {
      id: live,
      state: "live",
      creator_id: fixture.person,
      host_ids: [fixture.person, fixture.bot],
      is_ticketed: false,
      lang: "en",
      participant_count: 3,
      started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      title: "Bots and people",
      topic_ids: ["7"],
    },
    includes: {
      users: [
        { id: fixture.person, name: "alice", username: "alice" },
        { id: fixture.bot, name: "hello_bot", username: "hello_bot" },
      ],
      topics: [{ id: "7", name: "Bots" }],
    },
  });
});

it("spaces are looked up by id, and missing ones are reported", async () => {
  const response = await fixture.get(
    `/2/spaces?ids=${ended},1none,${planned}&space.fields=ended_at`,
  );

  expect(response.data).toEqual([
    { id: ended, state: "ended", ended_at: expect.any(String) },
    { id: planned, state: "scheduled" },
  ]);
  expect(response.errors).toMatchObject([
    { resource_type: "space", value: "1none", detail: "Could not find space with ids: [1none]." },
  ]);
});

it("spaces are found by their creator and by their title, unless they have ended", async () => {
  const ofBoth = `/2/spaces/by/creator_ids?user_ids=${fixture.person},${fixture.bot}`;
  const response = await fixture.get(ofBoth);
  expect(idsOf(response)).toEqual([live, planned]);
  expect(response.meta).toEqual({ result_count: 2 });

  expect(idsOf(await fixture.get("/2/spaces/search?query=bots"))).toEqual([planned, live]);
  expect(idsOf(await fixture.get("/2/spaces/search?query=BOTS&state=live"))).toEqual([live]);
  expect((await fixture.get("/2/spaces/search?query=cats")).body).toEqual({
    meta: { result_count: 0 },
  });
});

test.each([
  { path: "/2/spaces/1none", status: 404, why: "there is none" },
  { path: "/2/spaces/no-id", status: 400, why: "that is no id" },
  { path: "/2/spaces", status: 400, why: "none is named" },
  { path: "/2/spaces/search?query=a&state=over", status: 400, why: "no state is called that" },
])("$path is $status: $why", async ({ path, status }) => {
  expect((await fixture.get(path)).status).toBe(status);
});

it("takes no signed requests, as the live service describes", async () => {
  expect(await fixture.get(`/2/spaces/${live}`, fixture.bot)).toMatchObject({
    status: 403,
    body: { title: "Unsupported Authentication" },
  });
});

it("is refused for a missing person or space", async () => {
  await expect(fixture.sandbox.control.space({ creator_id: "5" })).rejects.toMatchObject({
    code: "unknown_user",
  });
  await expect(fixture.sandbox.control.changeSpace("1none", {})).rejects.toMatchObject({
    code: "unknown_space",
  });
});
