/** `child-backtest.ts FOLDER`: runs the command in the folder, and prints its cost as JSON. */
import { main } from "../../../src/cli/main.ts";
import { processIo } from "../../../src/cli/io.ts";

const cwd = process.argv[2] ?? "";
let out = "";
const io = {
  ...processIo(),
  cwd,
  out: (text: string): void => {
    out += text;
  },
};
const began = performance.now();
const code = await main(
  ["backtest", "--rules", "edited", "--since", "24h", "--json"],
  io,
  () => "bench",
);
const s = (performance.now() - began) / 1_000;
const { user, system } = process.cpuUsage();
const rss_mb = Math.round(process.resourceUsage().maxRSS / 1_024);
const summary: unknown = JSON.parse(out.trim().split("\n").at(-1) ?? "{}");
process.stdout.write(
  `${JSON.stringify({ code, s, cpu_s: (user + system) / 1e6, rss_mb, summary })}\n`,
);
process.exit(0);
