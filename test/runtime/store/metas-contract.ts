import { describe, expect, it } from "vitest";
import type { Place } from "./contract.ts";
import { storeOfEach } from "./store-of-each.ts";

/** Tests for every store engine: short texts that are stored by name, such as the positions of searches. */
export function describeMetas(name: string, place: () => Promise<Place>): void {
  describe(`named values on ${name}`, () => {
    const here = storeOfEach(place);

    it("are listed by the literal beginning of their names", async () => {
      const { store } = here;
      await store.setMeta("account:1", "one");
      await store.setMeta("account:2", "");
      await store.setMeta("accounts", "no account");
      await store.setMeta("Account:3", "another name");

      expect(await store.metas("account:")).toEqual(
        new Map([
          ["account:1", "one"],
          ["account:2", ""],
        ]),
      );
      expect(await store.metas("nothing:")).toEqual(new Map());
      expect(await store.metas("a%")).toEqual(new Map());
      expect(await store.metas("account_1")).toEqual(new Map());
    });

    it("are created, changed and deleted together, and stay so", async () => {
      const { store } = here;
      const changes = [
        { name: "a", was: undefined, to: "1" },
        { name: "b", was: undefined, to: "2" },
      ];
      expect(await store.changeMetas(changes)).toBe(true);
      const changed = [
        { name: "a", was: "1", to: undefined },
        { name: "b", was: "2", to: "3" },
      ];
      expect(await store.changeMetas(changed)).toBe(true);

      await here.reopen();
      expect(await here.store.getMeta("a")).toBeUndefined();
      expect(await here.store.getMeta("b")).toBe("3");
    });

    it.each([
      { was: "other", why: "it is another value" },
      { was: undefined, why: "it is there already" },
    ])(
      "stay unchanged, all of them, if one differs from the expected value: $why",
      async ({ was }) => {
        const { store } = here;
        await store.setMeta("known", "now");
        const changes = [
          { name: "fresh", was: undefined, to: "1" },
          { name: "known", was, to: "next" },
        ];

        expect(await store.changeMetas(changes)).toBe(false);
        expect(await store.getMeta("fresh")).toBeUndefined();
        expect(await store.getMeta("known")).toBe("now");
      },
    );

    it("may be changed again by the same call, which has no further effect", async () => {
      const { store } = here;
      const changes = [
        { name: "a", was: undefined, to: "1" },
        { name: "gone", was: undefined, to: undefined },
      ];
      await store.changeMetas(changes);

      expect(await store.changeMetas(changes)).toBe(true);
      await store.setMeta("a", "2");
      expect(await store.changeMetas(changes)).toBe(false);
    });

    it("are changed by one of several simultaneous callers that read the same values", async () => {
      const { store } = here;
      await store.setMeta("count", "0");
      let won = 0;
      const add = async (): Promise<void> => {
        const was = await store.getMeta("count");
        // The random part distinguishes values that two writers write for the same count.
        const to = `${Number(was?.split(" ")[0]) + 1} ${Math.random()}`;
        if (await store.changeMetas([{ name: "count", was, to }])) won += 1;
        else await add();
      };
      await Promise.all(Array.from({ length: 20 }, () => add()));

      expect(won).toBe(20);
      expect((await store.getMeta("count"))?.split(" ")[0]).toBe("20");
    });
  });
}
