import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Command } from "commander";
import { UsageError } from "../../errors.ts";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { withActor, type ActingFlags } from "../target/target-flags.ts";
import type { JsonFlag } from "../settings-flags.ts";

interface ApiFlags extends ActingFlags, JsonFlag {
  readonly body?: string;
  readonly bodyFile?: string;
  readonly app?: boolean;
  readonly ads?: boolean;
}

/** `api`: any request of the platform's, authorized, for everything that has no command of its own. */
export function api(io: Io): Command {
  const command = withActor(new Command("api"))
    .description("send any request to the platform, signed or with the app's token")
    .argument("<method>", "GET, POST, PUT or DELETE")
    .argument("<path>", "with its query, as /2/users/me")
    .option("--body <json>", "JSON body; - reads it from stdin")
    .option("--body-file <file>", "JSON body from a file; - reads it from stdin")
    .option("--app", "with the app's own token, whoever is linked")
    .option("--ads", "on the advertising host; its version is put before the path")
    .option("--json", "on one line");
  const examples = [
    "answerback api GET /2/users/me",
    'answerback api GET "/2/users/by/username/ana?user.fields=created_at" --app',
    `echo '{"text":"by hand"}' | answerback api POST /2/posts --body -`,
  ];
  return withExamples(command, examples).action(
    async (method: string, path: string, flags: ApiFlags) => {
      const body = await bodyOf(io, flags);
      const { onTarget } = await import("../target/target.ts");
      const { rawCall } = await import("../target/raw-call.ts");
      const answer = await onTarget(io, flags, (target) =>
        rawCall(target, {
          method,
          path,
          body,
          isAds: flags.ads === true,
          as: flags.as,
          asApp: flags.app === true,
        }),
      );
      io.out(`${JSON.stringify(answer, null, flags.json === true ? undefined : 2)}\n`);
    },
  );
}

/** The body as JSON, from the flag, a file or stdin. */
async function bodyOf(io: Io, { body, bodyFile }: ApiFlags): Promise<unknown> {
  if (body === undefined && bodyFile === undefined) return undefined;
  const text =
    body === "-" || bodyFile === "-"
      ? await io.input.text()
      : (body ?? (await readFile(resolve(io.cwd, bodyFile ?? ""), "utf8").catch(unreadable)));
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch (cause) {
    throw noJson(cause);
  }
  throw noJson();
}

function unreadable(cause: unknown): never {
  throw new UsageError("can't read the body's file", { cause, hint: String(cause) });
}

function noJson(cause?: unknown): UsageError {
  return new UsageError("the body is no JSON object", {
    cause,
    hint: `write it as in: --body '{"text":"hello"}'`,
  });
}
