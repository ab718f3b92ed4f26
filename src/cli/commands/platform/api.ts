import { Command, Option } from "commander";
import { UsageError } from "../../../errors.ts";
import { withExamples } from "../../help/examples.ts";
import { readInput } from "../../arguments/read-input.ts";
import type { Io } from "../../io.ts";
import { withActor, type ActingFlags, withTarget } from "../../target/target-flags.ts";
import { type JsonFlag, wholePath } from "../../arguments/settings-flags.ts";

interface ApiFlags extends ActingFlags, JsonFlag {
  readonly body?: string;
  readonly bodyFile?: string;
  readonly app?: boolean;
  readonly ads?: boolean;
}

/** `api`: sends any authorized request, for endpoints without a command of their own. */
export function api(io: Io): Command {
  const command = withActor(new Command("api"))
    .description("send any request to the platform with the account's or the app's credentials")
    .argument("<method>", "GET, POST, PUT or DELETE")
    .argument("<path>", "path with its query, such as /2/users/me")
    .option("--body <json>", "JSON body; - for stdin")
    .addOption(
      new Option("--body-file <file>", "file with the JSON body; - for stdin")
        .argParser(wholePath)
        .conflicts("body"),
    )
    .option("--app", "use the app's own token, not an account's")
    .option("--ads", "use the advertising host; its version is prepended to the path")
    .option("--json", "print the answer on one line");
  const examples = [
    "answerback api GET /2/users/me",
    'answerback api GET "/2/users/by/username/ana?user.fields=created_at" --app',
    `echo '{"text":"by hand"}' | answerback api POST /2/posts --body -`,
  ];
  return withExamples(command, examples).action(
    async (method: string, path: string, flags: ApiFlags) => {
      const body = await bodyOf(io, flags);
      const { rawCall } = await import("../../target/raw-call.ts");
      const answer = await withTarget(io, flags, (target) =>
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

/**
 * Returns the request body as JSON, from the flag, a file or stdin.
 *
 * @throws {UsageError} if it is not a JSON object or array: the platform accepts no other JSON.
 */
async function bodyOf(io: Io, { body, bodyFile }: ApiFlags): Promise<object | undefined> {
  if (body === undefined && bodyFile === undefined) return undefined;
  const file = body === "-" ? "-" : bodyFile;
  const text = body === undefined || body === "-" ? await readInput(io, file ?? "-") : body;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch (cause) {
    throw notJson(cause);
  }
  throw notJson();
}

function notJson(cause?: unknown): UsageError {
  return new UsageError("the body is not a JSON object or array", {
    cause,
    hint: `write it as JSON, as in: --body '{"text":"hello"}'`,
  });
}
