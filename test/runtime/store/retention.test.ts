import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { entriesOf, entry, item, run, takenIn } from "./builders.ts";
import { folderPlace } from "./place.ts";

const W = "w";
const MANY = 400;

it("deleted data makes room for new data: the file does not grow from one month to the next", async () => {
  const place = await folderPlace();
  const store = await place.open();
  const leases = await store.lease(W, 3_600_000);
  const sizes: number[] = [];
  for (let month = 1; month <= 4; month++) {
    const at = month * 1_000;
    const came = Array.from({ length: MANY }, (_, n) =>
      entry({ key: `${month}/${n}`, arrivedAt: at, body: "x".repeat(1_500 + n) }),
    );
    await store.append(came);
    for (let open = await store.fetch(leases, at, 64); open.length > 0;) {
      await store.commit(
        W,
        open.map((one) => {
          const seq = entriesOf([one])[0]?.seq ?? 0;
          const state = [{ key: `cooldown/${seq}`, value: "1", version: 0, expiresAt: at }];
          return takenIn(leases, one, {
            runs: [run(seq, { body: "y".repeat(3_000) })],
            items: [item({ key: `${seq}`, seq })],
            state,
          });
        }),
      );
      open = await store.fetch(leases, at, 64);
    }
    for (const status of ["pending"] as const) {
      const query = { status, after: 0, limit: MANY };
      const items = await store.openItems(leases, query);
      const change = { from: status, to: "failed", at, epoch: leases[0]?.epoch ?? 0 } as const;
      await store.changeItems(
        W,
        items.map(({ id, partition }) => ({ id, partition, ...change })),
      );
    }
    expect(await store.prune({ before: at, now: at })).toBe(month === 1 ? 0 : MANY);
    await store.hold();
    await store.letGo();
    sizes.push((await stat(join(place.folder, "store.db"))).size);
  }

  const [, second = 0, , fourth = 0] = sizes;
  expect(fourth).toBeLessThan(second * 1.1);
  expect(await store.stats()).toMatchObject({ journal: MANY, items: { failed: MANY } });
  await store.close();
  await place.remove();
});
