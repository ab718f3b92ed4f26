import { afterEach, beforeEach, expect, it, test } from "vitest";
import { PNG } from "../../media/media-uploader.ts";
import { signed } from "../../support/test-sandbox.ts";
import { type LegacySandbox, startLegacySandbox } from "./legacy-sandbox.ts";

let fixture: LegacySandbox;
let alice: string;
beforeEach(async () => {
  fixture = await startLegacySandbox();
  alice = fixture.person;
});
afterEach(() => fixture.close());

it("a query is saved once, shown, listed and deleted by its owner", async () => {
  const id = await fixture.create(alice, "saved_searches/create.json", { query: "cats" });
  expect(await fixture.create(alice, "saved_searches/create.json", { query: "cats" })).toBe(id);
  const list = await fixture.show("saved_searches/list.json", alice);
  expect(Object.values(list.body)).toMatchObject([{ id_str: id, query: "cats" }]);
  expect((await fixture.show(`saved_searches/show/${id}.json`, alice)).body["name"]).toBe("cats");
  const bob = await fixture.user("bob");
  expect((await fixture.submit(bob, `saved_searches/destroy/${id}.json`)).status).toBe(404);
  await fixture.submit(alice, `saved_searches/destroy/${id}.json`);
  expect((await fixture.show(`saved_searches/show/${id}.json`, alice)).status).toBe(404);
  const empty = await fixture.submit(alice, "saved_searches/create.json");
  expect(empty.body).toMatchObject({ errors: [{ code: 25 }] });
});

it("up to 25 queries are saved", async () => {
  for (let n = 0; n < 25; n += 1) {
    await fixture.create(alice, "saved_searches/create.json", { query: `q${n}` });
  }
  const refused = await fixture.submit(alice, "saved_searches/create.json", { query: "more" });
  expect(refused).toMatchObject({ status: 403, body: { errors: [{ code: 172 }] } });
});

it("places are found by id, by a point inside, and by name", async () => {
  const { control } = fixture.sandbox;
  const austin = await control.call<{ place: { id: string } }>("POST", "/places", {
    full_name: "Austin, TX",
    bbox: [-98, 30, -97, 31],
  });
  await control.call("POST", "/places", { full_name: "Paris, France", bbox: [2, 48, 3, 49] });

  const one = await fixture.show(`geo/id/${austin.place.id}.json`);
  expect(one.body).toMatchObject({
    full_name: "Austin, TX",
    centroid: [-97.5, 30.5],
    bounding_box: {
      type: "Polygon",
      coordinates: [
        [
          [-98, 30],
          [-97, 30],
          [-97, 31],
          [-98, 31],
        ],
      ],
    },
  });
  const near = await fixture.show("geo/reverse_geocode.json?lat=30.26&long=-97.74");
  expect(near.body["result"]).toMatchObject({ places: [{ name: "Austin" }] });
  const named = await fixture.show("geo/search.json?query=paris");
  expect(named.body["result"]).toMatchObject({ places: [{ full_name: "Paris, France" }] });
});

test.each([
  { path: "geo/id/00.json", why: "there is no such place", status: 404, code: 34 },
  { path: "geo/reverse_geocode.json", why: "the point is missing", status: 400, code: 25 },
  { path: "geo/reverse_geocode.json?lat=1", why: "half a point is given", status: 400, code: 44 },
  { path: "geo/search.json", why: "nothing is searched", status: 400, code: 25 },
  { path: "geo/search.json?query=a&max_results=0", why: "no result", status: 400, code: 44 },
  { path: "statuses/oembed.json", why: "no post is named", status: 400, code: 25 },
  { path: "statuses/oembed.json?id=17", why: "the post is missing", status: 404, code: 34 },
])("$path is $status because $why", async ({ path, status, code }) => {
  expect(await fixture.show(path)).toMatchObject({ status, body: { errors: [{ code }] } });
});

it("languages of the pages are listed", async () => {
  const { body } = await fixture.show("help/languages.json");
  const english = { code: "en", debug: false, local_name: "English", name: "English" };
  expect(Object.values(body)).toContainEqual({ ...english, status: "production" });
});

it("a post is embedded without a log-in, its text escaped, unless its author is protected", async () => {
  const id = await fixture.create(alice, "statuses/update.json", { status: "a <b> & c" });
  const url = encodeURIComponent(`https://x.example/alice/status/${id}`);
  const { control, url: origin } = fixture.sandbox;
  const response = await fetch(`${origin}/oembed?url=${url}`);
  expect(await response.json()).toMatchObject({
    author_name: "alice",
    type: "rich",
    html: expect.stringContaining("a &lt;b&gt; &amp; c</p>"),
  });
  expect((await fixture.show(`statuses/oembed.json?id=${id}`)).status).toBe(200);
  await control.call("PATCH", `/users/${alice}`, { protected: true });
  expect((await fetch(`${origin}/oembed?url=${url}`)).status).toBe(404);
});

it("a status is posted with the bytes of its picture", async () => {
  const { sandbox, app } = fixture;
  const path = `${sandbox.url}/1.1/statuses/update_with_media.json`;
  const tokens = await sandbox.control.tokens(alice, app.app_id);
  const submit = async (form: FormData): Promise<Response> =>
    fetch(path, {
      method: "POST",
      headers: { authorization: signed(app, tokens, "POST", path) },
      body: form,
    });
  const form = new FormData();
  form.set("status", "look");
  expect((await submit(form)).status).toBe(400);
  form.set("media[]", new Blob([new Uint8Array(PNG)], { type: "image/png" }), "a.png");
  const posted = await submit(form);
  expect(await posted.json()).toMatchObject({ extended_entities: { media: [{ type: "photo" }] } });
});
