import { expect } from "vitest";
import type { CallsOf, Stage } from "./stage.ts";

/** Opens the filtered stream of the app. Returns the id of its connection, and a promise of the stream's end. */
async function connected({
  appOnly,
  word,
}: Stage): Promise<{ id: string; ended: Promise<unknown> }> {
  await appOnly.filteredStream.addRules([word()]);
  const ending = new AbortController();
  let opened = (): void => {};
  const isOpen = new Promise<void>((resolve) => (opened = resolve));
  const posts = appOnly.filteredStream.posts({
    signal: ending.signal,
    onConnect: () => opened(),
    onDisconnect: () => ending.abort(),
  });
  const ended = posts.next();
  await isOpen;
  const { data } = await appOnly.connections.list();
  return { id: data[0]?.id ?? "", ended };
}

export const connections: CallsOf<"connections"> = {
  list: async (stage) => {
    const { id, ended } = await connected(stage);
    const { connections } = stage.appOnly;
    const { data } = await connections.list({ endpoints: ["filtered_stream"] });
    expect(data).toEqual([
      {
        id,
        endpoint_name: "filtered_stream",
        client_ip: "127.0.0.1",
        connected_at: expect.stringMatching(/Z$/),
      },
    ]);
    await connections.endAll();
    await ended;
    const listed: string[] = [];
    for await (const one of connections.list({ status: "inactive", maxResults: 1 })) {
      expect(one).toMatchObject({ disconnect_reason: expect.any(String) });
      listed.push(one.id);
    }
    expect(listed[0]).toBe(id);
  },
  end: async (stage) => {
    const { id, ended } = await connected(stage);
    const { connections } = stage.appOnly;
    expect(await connections.end([id, "7"])).toMatchObject({
      successful_kills: 1,
      failed_kills: 1,
      results: [
        { uuid: id, success: true },
        { uuid: "7", success: false },
      ],
    });
    await ended;
  },
  endAll: async (stage) => {
    const { ended } = await connected(stage);
    expect(await stage.appOnly.connections.endAll()).toMatchObject({ successful_kills: 1 });
    await ended;
    expect((await stage.appOnly.connections.list()).data).toEqual([]);
  },
  endStream: async (stage) => {
    const { ended } = await connected(stage);
    const { connections } = stage.appOnly;
    expect(await connections.endStream("sample_stream")).toMatchObject({ successful_kills: 0 });
    expect(await connections.endStream("filtered_stream")).toMatchObject({ successful_kills: 1 });
    await ended;
  },
};
