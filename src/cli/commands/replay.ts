import { Command, InvalidArgumentError } from "commander";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { printRecord } from "../output/print.ts";
import { shownTime } from "../output/time.ts";
import { withJson, withSettings, type JsonFlag, type SettingsFlags } from "../settings-flags.ts";

interface ReplayFlags extends SettingsFlags, JsonFlag {
  readonly from: string | number;
  readonly to: string | number;
  readonly webhook?: string;
}

/** `replay`: have the platform deliver again what may have been missed. */
export function replay(io: Io): Command {
  const start = withJson(withSettings(new Command("start")), "as JSON")
    .description("start a replay job; the bot takes every event once, however often it comes")
    .requiredOption(
      "--from <time>",
      "first minute, at least 31 minutes ago: ISO 8601, or -2h",
      moment,
    )
    .requiredOption("--to <time>", "minute after the last, at least 10 minutes ago", moment)
    .option("--webhook <id>", "which webhook (default: the bot's own, or the only one there is)");
  const examples = ["answerback replay start --from -2h --to -15m"];
  return new Command("replay").description("have missed events delivered again").addCommand(
    withExamples(start, examples).action(async (flags: ReplayFlags) => {
      const { onTarget } = await import("../target/target.ts");
      const { webhookIdFor } = await import("../target/webhook-id.ts");
      const job = await onTarget(io, flags, async (target) => {
        const now = await nowOf(target.sandbox);
        const webhookId = await webhookIdFor(target, flags.webhook);
        const [from, to] = [flags.from, flags.to].map((given) =>
          typeof given === "string" ? given : new Date(now - given),
        );
        return target.app.replay.start({ webhookId, from: from ?? "", to: to ?? "" });
      });
      printRecord(io, flags.json, job, [
        ["job", job.job_id],
        ["started", shownTime(job.created_at)],
      ]);
      if (flags.json !== true) io.err("Its end comes to the webhook; see: answerback logs\n");
    }),
  );
}

/** The platform's time: the sandbox's clock may stand elsewhere than this machine's. */
async function nowOf(sandbox: { get<T>(path: string): Promise<T> } | undefined): Promise<number> {
  if (sandbox === undefined) return Date.now();
  return Date.parse((await sandbox.get<{ now: string }>("/clock")).now);
}

const AGO_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000 };

/** Milliseconds ago for `-2h`; the platform's `yyyymmddhhmm` for a time, which may be given so too. */
function moment(text: string): string | number {
  const [, amount, unit] = /^-(\d+)([mh])$/.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * (AGO_MS[unit ?? ""] ?? 0);
  if (/^\d{12}$/.test(text)) return text;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) {
    throw new InvalidArgumentError("write ISO 8601, yyyymmddhhmm, or how long ago as -2h or -15m.");
  }
  return at.toISOString().slice(0, 16).replaceAll(/\D/g, "");
}
