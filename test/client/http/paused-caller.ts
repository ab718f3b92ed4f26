import { Agent } from "undici";
import { NoAnswer } from "../../../src/client/http/exchange-course.ts";
import { exchange } from "../../../src/client/http/transport.ts";

/** Prints the time, sends `count` requests at once, and prints their outcomes as one line of JSON. */
const [url = "", count = "0", timeoutMs = "0"] = process.argv.slice(2);
const dispatcher = new Agent({ connections: null });
process.stdout.write(`${Date.now()}\n`);
const ends = await Promise.all(
  Array.from({ length: Number(count) }, (_, nth) =>
    exchange(
      dispatcher,
      { url: new URL(`${url}/${nth}`), method: "POST", headers: {}, body: "{}" },
      { timeoutMs: Number(timeoutMs), signal: undefined, beforeWrite: undefined },
    ).then(
      ({ status }) => `answered ${status}`,
      (error: unknown) => (error instanceof NoAnswer ? `${error.ended}, ${error.sent}` : "other"),
    ),
  ),
);
process.stdout.write(`${JSON.stringify(ends)}\n`);
await dispatcher.close();
