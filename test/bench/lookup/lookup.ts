import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { canPin, type Child, startChild } from "../child.ts";
import type { Benchmark } from "../main.ts";
import { round2, spreadOf, spreadText, wholeNumber } from "../numbers.ts";

const ROUNDS = wholeNumber("ROUNDS", 9);
const REQUESTS = 4_000;
const CONNECTIONS = 1;
const WARM_UP = 3;
const SERVER = fileURLToPath(new URL("child-server.ts", import.meta.url));

interface Measured {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/**
 * Measures user look-ups by id with an app's token, one after another over a kept-alive connection. The sandbox takes
 * turns with a bare node:http server that returns the same headers and body for every request. If possible, the server
 * runs on a separate processor.
 */
export const lookup: Benchmark = {
  name: "lookup",
  about: "a look-up of a user by the sandbox, beside a bare node:http with the same answer",
  async run(say) {
    const cpus = canPin() ? "1" : undefined;
    const ours = startChild({ file: SERVER, cpus });
    const { port, path, token } = JSON.parse(await ours.line());
    const request = Buffer.from(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`,
    );
    const bare = startChild({ file: SERVER, cpus, args: [await answerOf(port, path, token)] });
    const { port: barePort } = JSON.parse(await bare.line());
    try {
      const rounds: { readonly ours: Measured; readonly bare: Measured }[] = [];
      for (let round = -WARM_UP; round < ROUNDS; round += 1) {
        const one = {
          ours: await measured(ours, port, request),
          bare: await measured(bare, barePort, request),
        };
        if (round < 0) continue;
        rounds.push(one);
        say(`round ${round + 1}  ${round2(one.ours.wallMs / one.bare.wallMs)} times`);
      }
      return report(rounds);
    } finally {
      await Promise.all([ours.kill(), bare.kill()]);
    }
  },
};

/** Returns the sandbox's response, which the other server repeats. */
async function answerOf(port: number, path: string, token: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(body);
  const own = ["connection", "keep-alive", "date", "transfer-encoding"];
  const headers = [...answer.headers].filter(([name]) => !own.includes(name)).flat();
  return JSON.stringify({ headers, body });
}

async function measured(server: Child, port: number, request: Buffer): Promise<Measured> {
  const cpuBefore = server.cpuMs();
  const began = performance.now();
  let remaining = REQUESTS;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      socket.setNoDelay(true);
      let answer = "";
      const send = (): void => {
        answer = "";
        if (remaining-- > 0) socket.write(request);
        else socket.end(resolve);
      };
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("data", (chunk) => {
        answer += chunk.toString("latin1");
        const head = answer.indexOf("\r\n\r\n");
        const length = Number(/content-length: (\d+)/i.exec(answer)?.[1]);
        if (head === -1 || answer.length < head + 4 + length) return;
        if (answer.startsWith("HTTP/1.1 200")) send();
        else reject(new Error(answer.slice(0, 300)));
      });
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  return { wallMs: performance.now() - began, cpuMs: server.cpuMs() - cpuBefore };
}

function report(rounds: readonly { readonly ours: Measured; readonly bare: Measured }[]) {
  const perSecond = (name: "ours" | "bare") =>
    spreadOf(rounds.map((round) => REQUESTS / (round[name].wallMs / 1_000)));
  const ratio = (what: keyof Measured) =>
    spreadOf(rounds.map(({ ours, bare }) => ours[what] / bare[what]));
  const [ours, bare, wall, cpu] = [
    perSecond("ours"),
    perSecond("bare"),
    ratio("wallMs"),
    ratio("cpuMs"),
  ];
  return {
    figures: {
      lookup_ratio: round2(wall.median),
      lookup_cpu_ratio: round2(cpu.median),
      lookups_per_s: Math.round(ours.median),
      node_http_per_s: Math.round(bare.median),
    },
    table: [
      [`median of ${rounds.length}`, "a second", "times node:http", "processor, times node:http"],
      ["the sandbox", spreadText(ours), spreadText(wall, 2), spreadText(cpu, 2)],
      ["node:http", spreadText(bare), "1", "1"],
    ],
  };
}
