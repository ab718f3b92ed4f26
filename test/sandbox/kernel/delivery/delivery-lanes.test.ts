import { expect, it } from "vitest";
import { DeliveryLanes } from "../../../../src/sandbox/kernel/delivery/delivery-lanes.ts";

/** Lanes whose work `gated` ends only after `open` is called. `begun` lists the names of the works that began. */
function gatedLanes() {
  const begun: string[] = [];
  const errors: unknown[] = [];
  const lanes = new DeliveryLanes((error) => errors.push(error));
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const gated = (name: string) => async (): Promise<void> => {
    begun.push(name);
    await gate;
  };
  /** Adds work to the lane, and waits until it has run. */
  const last = (lane: string, name: string): Promise<void> =>
    new Promise((resolve) => {
      lanes.add(lane, async () => {
        begun.push(name);
        resolve();
      });
    });
  return { lanes, begun, errors, open, gated, last };
}

it("work of a lane runs in order, also after a failure, and beside other lanes", async () => {
  const { lanes, begun, errors, open, gated, last } = gatedLanes();
  lanes.add("ana", gated("ana 1"));
  lanes.add("ana", async () => Promise.reject(new Error("refused")));
  const ana = last("ana", "ana 3");
  await last("ben", "ben 1");
  expect(begun).toEqual(["ana 1", "ben 1"]);
  open();
  await ana;

  expect(begun).toEqual(["ana 1", "ben 1", "ana 3"]);
  expect(errors).toEqual([new Error("refused")]);
});

it("clearing drops the work that waits behind work in progress", async () => {
  const { lanes, begun, open, gated, last } = gatedLanes();
  lanes.add("ana", gated("before"));
  lanes.add("ana", gated("dropped"));
  lanes.clear();
  await last("ana", "after");
  open();
  // The lane has taken its next work in this turn of the event loop, if there is any.
  await new Promise((resolve) => setImmediate(resolve));

  expect(begun).toEqual(["before", "after"]);
});
