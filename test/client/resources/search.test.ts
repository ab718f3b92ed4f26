import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DIALECTS } from "../../../src/protocol/dialects.ts";
import { world, type World } from "../support/world.ts";

describe.each(DIALECTS)("posts in the %s dialect", (dialect) => {
  let here: World;
  beforeAll(async () => {
    here = await world(dialect);
  });
  afterAll(() => here.close());

  it("are searched page by page", async () => {
    for (let nth = 1; nth <= 12; nth += 1) {
      await here.bot.posts.create({ text: `needle number ${nth}` });
    }
    const search = here.appOnly.posts.searchRecent({ query: "needle", maxResults: 10 });
    expect((await search).data).toHaveLength(10);
    const all: string[] = [];
    for await (const post of search) all.push(post.text);
    expect(new Set(all).size).toBe(12);
  });

  it("are searched from the token of a page on", async () => {
    for (let nth = 1; nth <= 25; nth += 1) {
      await here.bot.posts.create({ text: `haystack number ${nth}` });
    }
    const search = { query: "haystack", maxResults: 10 };
    const { meta } = await here.appOnly.posts.searchRecent(search);
    const paginationToken = meta.next_token;
    for (const rest of [
      here.appOnly.posts.searchRecent({ ...search, paginationToken }),
      here.appOnly.posts.searchAll({ ...search, paginationToken }),
    ]) {
      const texts: string[] = [];
      for await (const { text } of rest) texts.push(text);
      expect(texts).toEqual(Array.from({ length: 15 }, (_, at) => `haystack number ${15 - at}`));
    }
  });
});
