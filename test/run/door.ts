import { randomBytes } from "node:crypto";
import { createServer } from "node:http";

/** HTTP address at which the main test process answers requests of its workers. */
export interface Door {
  readonly url: string;
  close(): void;
}

/** Error for a resource that does not exist on this machine, with the reason. */
export class NothingThere extends Error {}

/**
 * Starts a server that answers each request with the result of `answer`. Its URL contains a secret, so that other users
 * of this machine get no answer.
 *
 * @param answer May throw {@link NothingThere}, which {@link askDoor} then throws in the worker.
 */
export async function openDoor(answer: () => Promise<string>): Promise<Door> {
  const path = `/${randomBytes(16).toString("hex")}`;
  const server = createServer((request, response) => {
    if (request.url !== path) return void response.writeHead(403).end();
    answer().then(
      (text) => response.end(text),
      (error: unknown) => {
        if (error instanceof NothingThere) response.writeHead(404).end(error.message);
        else response.writeHead(500).end(String(error));
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the door has no port");
  return { url: `http://127.0.0.1:${address.port}${path}`, close: () => void server.close() };
}

/** Requests the answer of a {@link Door}. @throws {NothingThere} with the reason. */
export async function askDoor(url: string): Promise<string> {
  const answer = await fetch(url);
  const text = await answer.text();
  if (answer.status === 404) throw new NothingThere(text);
  if (!answer.ok) throw new Error(text);
  return text;
}
