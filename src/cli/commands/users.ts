import { Command } from "commander";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { printRecord } from "../output/print.ts";
import { shownTime } from "../output/time.ts";
import { withJson, withSettings, type JsonFlag, type SettingsFlags } from "../settings-flags.ts";

const SELECTION = {
  userFields: ["created_at", "description", "public_metrics", "verified", "protected"],
} as const;

/** `users`: who somebody is. */
export function users(io: Io): Command {
  return new Command("users").description("users of the platform").addCommand(get(io));
}

function get(io: Io): Command {
  const command = withJson(withSettings(new Command("get")), "as JSON")
    .description("one user")
    .argument("<user>", "a handle or a user id");
  return withExamples(command, ["answerback users get @ana"]).action(
    async (user: string, flags: SettingsFlags & JsonFlag) => {
      const { onTarget } = await import("../target/target.ts");
      const { data } = await onTarget(io, flags, ({ app }) =>
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
        ["since", shownTime(data.created_at)],
        [
          "counts",
          `${followers_count} followers, ${following_count} following, ${post_count} posts`,
        ],
      ]);
    },
  );
}
