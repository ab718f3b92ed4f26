import { expect, it } from "vitest";
import { startDataSandbox } from "../../support/data-sandbox.ts";

it("returns the edit history of posts before 2022-09-29 only on request", async () => {
  const fixture = await startDataSandbox({ clock: { now: Date.UTC(2022, 8, 28, 23, 59) } });
  const old = await fixture.post(fixture.person, "before");
  await fixture.sandbox.control.advance(60_000);
  const since = await fixture.post(fixture.person, "after");
  const plain = await fixture.get(`/2/posts?ids=${old},${since}`);
  const response = await fixture.get(`/2/posts/${old}?post.fields=edit_history_post_ids`);
  await fixture.close();

  expect(plain.data).toEqual([
    { id: old, text: "before" },
    { id: since, text: "after", edit_history_post_ids: [since] },
  ]);
  expect(response.data).toHaveProperty("edit_history_post_ids", [old]);
});
