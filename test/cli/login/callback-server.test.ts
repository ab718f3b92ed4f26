import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CallbackServer, listenForCallback } from "../../../src/cli/login/callback-server.ts";

const PAGE = { title: "@shop is linked.", text: "You can close this page." };

describe("the server of the log-in's callback", () => {
  let server: CallbackServer;
  let query: string;
  beforeEach(async () => {
    server = await listenForCallback(0);
    query = `${server.url}?oauth_token=first`;
  });
  afterEach(() => server.close(PAGE));

  const get = async (url: string): Promise<string> => (await fetch(url)).text();
  const params = (): Promise<URLSearchParams> => server.callback(new AbortController().signal);

  it("shows the outcome to a browser that reloads the callback URL while the log-in goes on", async () => {
    const first = get(query);
    const firstParams = await params();
    const reloaded = get(`${server.url}?oauth_token=second`);
    await get(new URL("/favicon.ico", server.url).href);

    await server.close(PAGE);

    expect(firstParams.get("oauth_token")).toBe("first");
    expect(await first).toContain(PAGE.title);
    expect(await reloaded).toContain(PAGE.title);
  });

  it("takes the callback at any path, because a proxy forwards the path of --callback unchanged", async () => {
    const { origin } = new URL(server.url);
    const firstParams = params();
    const page = get(`${origin}/login/back?oauth_token=first&oauth_verifier=v`);

    expect((await firstParams).get("oauth_verifier")).toBe("v");
    await server.close(PAGE);
    expect(await page).toContain(PAGE.title);
  });

  it("closes although a browser has opened a connection in advance", async () => {
    const { port, hostname } = new URL(server.url);
    const unused = connect(Number(port), hostname);
    const ended = once(unused, "close");
    await once(unused, "connect");
    const first = get(query);
    await params();

    await server.close(PAGE);

    expect(await first).toContain(PAGE.title);
    await ended;
  });

  it("closes although a browser no longer waits for the outcome", async () => {
    const ending = new AbortController();
    const first = fetch(query, { signal: ending.signal });
    await params();
    ending.abort();
    await expect(first).rejects.toThrow("aborted");

    await server.close(PAGE);
  });
});
