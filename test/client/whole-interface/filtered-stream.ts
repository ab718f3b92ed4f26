import { expect } from "vitest";
import type { CallsOf } from "./stage.ts";

export const filteredStream: CallsOf<"filteredStream"> = {
  posts: async ({ bot, botId, appOnly, word }) => {
    const text = word();
    const { data: rules } = await appOnly.filteredStream.addRules([{ value: text, tag: "new" }]);
    const ending = new AbortController();
    let creation: ReturnType<typeof bot.posts.create> | undefined;
    const posts = appOnly.filteredStream.posts({
      expansions: ["author_id"],
      signal: ending.signal,
      onConnect: () => void (creation = bot.posts.create({ text })),
    });
    const first = await posts.next();
    const id = (await creation)?.id;
    expect(first.value).toMatchObject({
      data: { id, text, edit_history_post_ids: [id] },
      includes: { users: [{ id: botId }] },
      matching_rules: [{ id: rules[0]?.id, tag: "new" }],
    });
    ending.abort();
    expect(await posts.next()).toEqual({ done: true, value: undefined });
  },
  rules: async ({ appOnly, word }) => {
    const { data } = await appOnly.filteredStream.addRules([word(), word(), word()]);
    const ids = data.map(({ id }) => id);
    const listed: string[] = [];
    for await (const rule of appOnly.filteredStream.rules({ ids, maxResults: 2 })) {
      listed.push(rule.id);
    }
    expect(listed).toEqual(ids);
  },
  addRules: async ({ appOnly, word }) => {
    const value = word();
    const tried = await appOnly.filteredStream.addRules([{ value }], { dryRun: true });
    const { data } = await appOnly.filteredStream.addRules([value]);
    const again = await appOnly.filteredStream.addRules([value, "is:reply"]);
    expect([tried.data[0]?.value, data[0]?.value]).toEqual([value, value]);
    expect(again).toMatchObject({
      data: [],
      errors: [
        { title: "DuplicateRule", value, id: data[0]?.id },
        { title: "UnprocessableEntity", value: "is:reply" },
      ],
      meta: { summary: { created: 0, not_created: 2 } },
    });
  },
  deleteRules: async ({ appOnly, word }) => {
    const [one, two] = [word(), word()];
    const { data } = await appOnly.filteredStream.addRules([one, two]);
    const id = data[0]?.id ?? "";
    const some = await appOnly.filteredStream.deleteRules({ ids: [id, "99"], values: [two] });
    expect(some.meta.summary).toEqual({ deleted: 2, not_deleted: 1 });
    await appOnly.filteredStream.addRules([one]);
    const all = await appOnly.filteredStream.deleteRules("all");
    expect(all.meta.summary.deleted).toBeGreaterThan(0);
    expect((await appOnly.filteredStream.rules()).data).toEqual([]);
  },
  ruleCounts: async ({ appOnly, app, word }) => {
    await appOnly.filteredStream.deleteRules("all");
    await appOnly.filteredStream.addRules([word()]);
    const own = { client_app_id: app.app_id, rule_count: 1 };
    expect(await appOnly.filteredStream.ruleCounts()).toEqual({
      cap_per_client_app: 1_000,
      cap_per_project: 5_000,
      project_rules_count: 1,
      client_app_rules_count: own,
      all_project_client_apps: [own],
    });
  },
};
