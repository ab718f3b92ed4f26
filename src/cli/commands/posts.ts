import { Command } from "commander";
import { UsageError } from "../../errors.ts";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { whole } from "../numbers.ts";
import { printList, printRecord } from "../output/print.ts";
import { shownTime } from "../output/time.ts";
import { withJson, withSettings, type JsonFlag, type SettingsFlags } from "../settings-flags.ts";
import { withActor, type ActingFlags } from "../target/target-flags.ts";

/** `posts`: find, read, publish and delete posts. */
export function posts(io: Io): Command {
  return new Command("posts")
    .description("posts: search, read, publish, delete")
    .addCommand(search(io))
    .addCommand(get(io))
    .addCommand(create(io))
    .addCommand(remove(io));
}

const FIELDS = ["author_id", "created_at", "public_metrics"] as const;
const PAGE = { least: 10, most: 100 };

interface SearchFlags extends SettingsFlags, JsonFlag {
  readonly limit: number;
}

function search(io: Io): Command {
  const command = withJson(withSettings(new Command("search")))
    .description("posts of the last seven days, newest first")
    .argument("<query>", "in the platform's search operators")
    .option("--limit <number>", "so many at most", whole, 20);
  const examples = [
    'answerback posts search "hello_bot"',
    'answerback posts search "from:ana" --json',
  ];
  return withExamples(command, examples).action(async (query: string, flags: SearchFlags) => {
    const { onTarget } = await import("../target/target.ts");
    const maxResults = Math.min(Math.max(flags.limit, PAGE.least), PAGE.most);
    const found = await onTarget(io, flags, async ({ app }) => {
      const names = new Map<string, string>();
      const pages = app.posts.searchRecent({
        query,
        maxResults,
        postFields: FIELDS,
        expansions: ["author_id"],
      });
      const rows = [];
      for await (const { data, includes } of pages.pages()) {
        for (const { id, username } of includes.users) names.set(id, `@${username}`);
        rows.push(...data);
        if (rows.length >= flags.limit) break;
      }
      return { rows: rows.slice(0, flags.limit), names };
    });
    printList(
      io,
      flags.json,
      found.rows,
      [
        { title: "ID", of: ({ id }) => id },
        { title: "AT", of: ({ created_at }) => shownTime(created_at) },
        { title: "BY", of: ({ author_id }) => found.names.get(author_id) ?? author_id },
        { title: "TEXT", of: ({ text }) => text },
      ],
      "No post was found.",
    );
  });
}

function get(io: Io): Command {
  const command = withJson(withSettings(new Command("get")), "as JSON")
    .description("one post")
    .argument("<id>", "of the post");
  return withExamples(command, ['answerback posts get "$POST_ID"']).action(
    async (id: string, flags: SettingsFlags & JsonFlag) => {
      const { onTarget } = await import("../target/target.ts");
      const { data, includes } = await onTarget(io, flags, ({ app }) =>
        app.posts.get(id, { postFields: FIELDS, expansions: ["author_id"] }),
      );
      const author = includes.users.find((user) => user.id === data.author_id);
      const { repost_count, reply_count, like_count, quote_count } = data.public_metrics;
      printRecord(io, flags.json, { ...data, author }, [
        ["post", data.id],
        ["by", author === undefined ? data.author_id : `@${author.username}`],
        ["at", shownTime(data.created_at)],
        ["text", data.text],
        [
          "counts",
          `${reply_count} replies, ${repost_count} reposts, ${like_count} likes, ${quote_count} quotes`,
        ],
      ]);
    },
  );
}

interface CreateFlags extends ActingFlags, JsonFlag {
  readonly replyTo?: string;
  readonly quote?: string;
}

function create(io: Io): Command {
  const command = withJson(withActor(new Command("create")), "as JSON")
    .description("publish a post as an account")
    .argument("<text>", "what to say; - reads it from stdin")
    .option("--reply-to <id>", "of the post it answers")
    .option("--quote <id>", "of the post it quotes");
  const examples = [
    'answerback posts create "We are open again."',
    'answerback posts create "Thanks!" --reply-to "$POST_ID"',
  ];
  return withExamples(command, examples).action(async (given: string, flags: CreateFlags) => {
    const text = given === "-" ? (await io.input.text()).trim() : given;
    if (text === "") throw new UsageError("there is nothing to say");
    const { onTarget } = await import("../target/target.ts");
    const made = await onTarget(io, flags, async (target) => {
      const { client, username } = await target.as(flags.as);
      const { replyTo, quote: quotePostId } = flags;
      return { by: username, ...(await client.posts.create({ text, replyTo, quotePostId })) };
    });
    printRecord(io, flags.json, made, [
      ["post", made.id],
      ["by", `@${made.by}`],
      ["text", made.text],
    ]);
  });
}

function remove(io: Io): Command {
  const command = withJson(withActor(new Command("delete")), "as JSON")
    .description("delete a post of the account's own")
    .argument("<id>", "of the post");
  return withExamples(command, ['answerback posts delete "$OWN_POST_ID"']).action(
    async (id: string, flags: ActingFlags & JsonFlag) => {
      const { onTarget } = await import("../target/target.ts");
      const told = await onTarget(io, flags, async (target) => {
        const { client } = await target.as(flags.as);
        return client.posts.delete(id);
      });
      printRecord(io, flags.json, told, [["deleted", told.deleted ? "yes" : "no"]]);
    },
  );
}
