import { Command } from "commander";
import { withExamples } from "../../help/examples.ts";
import { withTarget } from "../../target/target-flags.ts";
import type { Io } from "../../io.ts";
import { printRecord } from "../../output/print.ts";
import { formatTime } from "../../output/format-time.ts";
import { type CommonFlags, withCommonFlags, wholeHandle } from "../../arguments/settings-flags.ts";

const SELECTION = {
  userFields: ["created_at", "description", "public_metrics", "verified", "protected"],
} as const;

/** `users`: looks up users. */
export function users(io: Io): Command {
  return new Command("users").description("look up users of the platform").addCommand(get(io));
}

function get(io: Io): Command {
  const command = withCommonFlags(new Command("get"), "print JSON")
    .description("show a user")
    .argument("<user>", "handle or user id", wholeHandle);
  return withExamples(command, ["answerback users get @ana"]).action(
    async (user: string, flags: CommonFlags) => {
      const { data } = await withTarget(io, flags, ({ app }) =>
        /^\d+$/.test(user)
          ? app.users.get(user, SELECTION)
          : app.users.byUsername(user.replace(/^@/, ""), SELECTION),
      );
      const { followers_count, following_count, post_count } = data.public_metrics;
      printRecord(io, flags.json, data, [
        ["user", data.id],
        ["handle", `@${data.username}`],
        ["name", data.name],
        ["about", data.description],
        ["since", formatTime(data.created_at)],
        [
          "counts",
          `${followers_count} followers, ${following_count} following, ${post_count} posts`,
        ],
      ]);
    },
  );
}
