import { afterAll, beforeAll, expect, it } from "vitest";
import { startDataSandbox, type DataSandbox } from "../support/data-sandbox.ts";

let fixture: DataSandbox;
beforeAll(async () => {
  fixture = await startDataSandbox();
});
afterAll(() => fixture.close());

it("a post carries a place, shown when expanded", async () => {
  const created = await fixture.sandbox.control.post<{ place: { id: string } }>("/places", {
    full_name: "Lakewood, CO",
    country: "United States",
    country_code: "US",
  });
  const id = await fixture.post(fixture.person, "here", { geo: { place_id: created.place.id } });
  const { data, includes } = await fixture.get(
    `/2/posts/${id}?expansions=geo.place_id&place.fields=name,country_code`,
  );

  expect(data["geo"]).toEqual({ place_id: created.place.id });
  expect(includes["places"]).toEqual([
    { id: created.place.id, full_name: "Lakewood, CO", name: "Lakewood", country_code: "US" },
  ]);
});

it("a place has the id that a test gives it, once", async () => {
  const { control } = fixture.sandbox;
  const place = { id: "1ffd3558f2e98349", full_name: "Dogpatch, San Francisco" };
  expect(await control.post("/places", place)).toMatchObject({ place });
  await expect(control.post("/places", place)).rejects.toThrow(/already a place/);
  await expect(control.post("/places", { ...place, id: "x" })).rejects.toThrow(/16/);
});
