import { afterAll, beforeAll, expect, it } from "vitest";
import { startDataSandbox, type DataSandbox } from "../support/data-sandbox.ts";

const HOUR = 60 * 60_000;

let fixture: DataSandbox;
let alice: string;
let bob: string;
beforeAll(async () => {
  fixture = await startDataSandbox({ clock: { frozen: true } });
  [alice, bob] = [fixture.person, await fixture.user("bob")];
});
afterAll(() => fixture.close());

it("a post carries a poll, open until its time is over", async () => {
  const id = await fixture.post(alice, "Which?", {
    poll: { options: ["tea", "coffee"], duration_minutes: 60 },
  });
  const read = (): ReturnType<DataSandbox["get"]> =>
    fixture.get(
      `/2/posts/${id}?expansions=attachments.poll_ids&poll.fields=voting_status,duration_minutes`,
    );
  const poll = (await read()).includes["polls"]?.[0];
  const vote = (user: string, position: number): Promise<unknown> =>
    fixture.sandbox.control.post(`/polls/${String(poll?.["id"])}/votes`, {
      user_id: user,
      position,
    });
  await vote(bob, 2);

  await expect(vote(bob, 1)).rejects.toMatchObject({ code: "already_voted" });
  expect((await read()).includes["polls"]).toEqual([
    {
      id: poll?.["id"],
      options: [
        { position: 1, label: "tea", votes: 0 },
        { position: 2, label: "coffee", votes: 1 },
      ],
      duration_minutes: 60,
      voting_status: "open",
    },
  ]);
  await fixture.sandbox.control.advance(HOUR);
  expect((await read()).includes["polls"]).toMatchObject([{ voting_status: "closed" }]);
  await expect(vote(alice, 1)).rejects.toMatchObject({ code: "poll_closed" });
});
