import { Command, InvalidArgumentError } from "commander";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { printRecord } from "../../output/print.ts";
import { formatTime } from "../../output/format-time.ts";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";

interface ReplayFlags extends CommonFlags {
  readonly from: string | number;
  readonly to: string | number;
  readonly webhook?: string;
}

/** `replay`: lets the platform deliver again what may have been missed. */
export function replay(io: Io): Command {
  const start = withCommonFlags(new Command("start"), "print JSON")
    .description(
      "start a replay job; the bot handles each event once, however often it is delivered",
    )
    .requiredOption(
      "--from <time>",
      "start, at least 31 minutes ago: ISO 8601 or relative, such as -2h",
      replayTime,
    )
    .requiredOption("--to <time>", "end, not included, at least 10 minutes ago", replayTime)
    .option("--webhook <id>", "id of the webhook (default: the bot's own, or the only one)");
  const examples = ["answerback replay start --from -2h --to -15m"];
  return new Command("replay")
    .description("let the platform deliver missed events again")
    .addCommand(
      withExamples(start, examples).action(async (flags: ReplayFlags) => {
        const { withTarget } = await import("../../target/target.ts");
        const { webhookIdFor } = await import("../../target/webhook-id.ts");
        const job = await withTarget(io, flags, async (target) => {
          const now = await nowOf(target.sandbox);
          const webhookId = await webhookIdFor(target, flags.webhook);
          const [from, to] = [flags.from, flags.to].map((given) =>
            typeof given === "string" ? given : new Date(now - given),
          );
          return target.app.replay.start({ webhookId, from: from ?? "", to: to ?? "" });
        });
        printRecord(io, flags.json, job, [
          ["job", job.job_id],
          ["started", formatTime(job.created_at)],
        ]);
        if (flags.json !== true)
          io.err("The webhook is notified when it is done; see: answerback logs\n");
      }),
    );
}

/** The platform's time: the sandbox's clock may differ from this machine's. */
async function nowOf(sandbox: { get<T>(path: string): Promise<T> } | undefined): Promise<number> {
  if (sandbox === undefined) return Date.now();
  return Date.parse((await sandbox.get<{ now: string }>("/clock")).now);
}

const AGO_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000 };

/** Milliseconds ago for `-2h`; the platform's `yyyymmddhhmm` for a time, which may be given so too. */
function replayTime(text: string): string | number {
  const [, amount, unit] = /^-(\d+)([mh])$/.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * (AGO_MS[unit ?? ""] ?? 0);
  if (/^\d{12}$/.test(text)) return text;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) {
    throw new InvalidArgumentError(
      "Write ISO 8601, yyyymmddhhmm, or a relative time such as -2h or -15m.",
    );
  }
  return at.toISOString().slice(0, 16).replaceAll(/\D/g, "");
}
