import { request, type IncomingMessage } from "node:http";

type Wire = Record<string, unknown>;

/** A client's view of a stream. */
export interface StreamReader {
  readonly status: number;
  readonly type: string;
  /** All received text, line by line; empty lines are keep-alives. */
  readonly lines: readonly string[];
  /** Objects of the complete lines. */
  readonly objects: readonly Wire[];
  /** Resolves when there are `count` objects. */
  objectsAre(count: number): Promise<readonly Wire[]>;
  /** Resolves when there are `count` empty lines. */
  keepAlivesAre(count: number): Promise<void>;
  /** End of the stream, and the text after the last complete line. */
  readonly ended: Promise<{ readonly how: "end" | "cut"; readonly rest: string }>;
  /** Disconnects. */
  close(): void;
}

/** Opens a stream. If the sandbox refuses the stream, the error body is the only object. */
export async function openStream(url: string, bearerToken: string): Promise<StreamReader> {
  const headers = { authorization: `Bearer ${bearerToken}` };
  const call = request(url, { headers, agent: false });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    call.once("response", resolve);
    call.once("error", reject);
    call.end();
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  answer.setEncoding("utf8");
  answer.on("data", (text: string) => {
    const parts = (rest + text).split("\r\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    for (const look of waiting) look();
  });
  const ended = new Promise<{ how: "end" | "cut"; rest: string }>((resolve) => {
    answer.once("end", () => resolve({ how: "end", rest }));
    answer.once("error", () => resolve({ how: "cut", rest }));
  });
  if (answer.statusCode !== 200) await ended;
  const objects = (): Wire[] =>
    (answer.statusCode === 200 ? lines : [...lines, rest])
      .filter((line) => line !== "")
      .map((line): Wire => JSON.parse(line));
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return {
    status: answer.statusCode ?? 0,
    type: answer.headers["content-type"] ?? "",
    lines,
    get objects() {
      return objects();
    },
    async objectsAre(count) {
      await until(() => objects().length >= count);
      return objects();
    },
    keepAlivesAre: (count) => until(() => lines.filter((line) => line === "").length >= count),
    ended,
    close: () => void call.destroy(),
  };
}
