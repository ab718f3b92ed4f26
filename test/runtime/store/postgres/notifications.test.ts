import { expect, it } from "vitest";
import { Notifications } from "../../../../src/runtime/store/postgres/notifications.ts";
import type { ChannelListener } from "../../../../src/runtime/store/postgres/database.ts";

/** Follows notifications once. @param listen Opens the connection; it calls `onEnd` as the driver does. */
async function followed(listen: (listener: ChannelListener) => void) {
  const faults: unknown[] = [];
  let resolve = (): void => {};
  const opened = new Promise<void>((done) => (resolve = done));
  const notifications = new Notifications({
    db: {
      query: async () => [],
      async listen(_channels, listener) {
        try {
          const onEnd = (): void => {
            try {
              listener.onEnd();
            } catch (error) {
              // The driver calls it in an event: an error would end the process.
              faults.push(error);
            }
          };
          listen({ ...listener, onEnd });
          return { close: async () => {} };
        } finally {
          setImmediate(resolve);
        }
      },
    },
    store: "s",
    process: "p",
    now: () => 100_000,
    onNews: () => {},
  });
  notifications.follow();
  await opened;
  return { channel: notifications.echoChannel, faults };
}

it("a connection for notifications that can't be opened ends quietly", async () => {
  const outcome = await followed(({ onEnd }) => {
    onEnd();
    throw new Error("the server is starting up");
  });

  expect(outcome).toEqual({ channel: undefined, faults: [] });
});

it("a connection for notifications that ends while it is opened is not used", async () => {
  const outcome = await followed(({ onEnd }) => onEnd());

  expect(outcome).toEqual({ channel: undefined, faults: [] });
});

it("an open connection for notifications is used", async () => {
  const outcome = await followed(() => {});

  expect(outcome).toEqual({ channel: "answerback-p", faults: [] });
});
