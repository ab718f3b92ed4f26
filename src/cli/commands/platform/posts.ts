import { Command } from "commander";
import { withExamples } from "../../help/examples.ts";
import { textArgument } from "../../arguments/read-input.ts";
import type { Io } from "../../io.ts";
import { positiveInteger } from "../../arguments/numbers.ts";
import { printList, printRecord } from "../../output/print.ts";
import { formatTime } from "../../output/format-time.ts";
import { textAsWritten } from "../../output/text-as-written.ts";
import {
  type CommonFlags,
  type JsonFlag,
  withCommonFlags,
  withJson,
  whole,
} from "../../arguments/settings-flags.ts";
import { withActor, type ActingFlags, withTarget } from "../../target/target-flags.ts";

/** `posts`: finds, reads, publishes and deletes posts. */
export function posts(io: Io): Command {
  return new Command("posts")
    .description("search, show, publish and delete posts")
    .addCommand(search(io))
    .addCommand(get(io))
    .addCommand(create(io))
    .addCommand(remove(io));
}

const FIELDS = ["author_id", "created_at", "entities", "public_metrics"] as const;
const PAGE = { least: 10, most: 100 };

interface SearchFlags extends CommonFlags {
  readonly limit: number;
}

function search(io: Io): Command {
  const command = withCommonFlags(new Command("search"))
    .description("search posts of the last seven days, newest first")
    .argument("<query>", "search query with the platform's operators", whole("query"))
    .option("--limit <number>", "maximum number of results", positiveInteger, 20);
  const examples = [
    'answerback posts search "hello_bot"',
    'answerback posts search "from:ana" --json',
  ];
  return withExamples(command, examples).action(async (query: string, flags: SearchFlags) => {
    const maxResults = Math.min(Math.max(flags.limit, PAGE.least), PAGE.most);
    const searchResult = await withTarget(io, flags, async ({ app }) => {
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
    const { tellClock } = await import("../../target/platform-time.ts");
    if (searchResult.rows.length > 0) await tellClock(io, flags);
    printList(
      io,
      flags.json,
      searchResult.rows,
      [
        { title: "ID", of: ({ id }) => id },
        { title: "AT", of: ({ created_at }) => formatTime(created_at) },
        { title: "BY", of: ({ author_id }) => searchResult.names.get(author_id) ?? author_id },
        { title: "TEXT", of: textAsWritten },
      ],
      "No posts found.",
    );
  });
}

function get(io: Io): Command {
  const command = withCommonFlags(new Command("get"), "print JSON")
    .description("show a post")
    .argument("<id>", "id of the post", whole("id"));
  return withExamples(command, ['answerback posts get "$POST_ID"']).action(
    async (id: string, flags: CommonFlags) => {
      const { data, includes } = await withTarget(io, flags, ({ app }) =>
        app.posts.get(id, { postFields: FIELDS, expansions: ["author_id"] }),
      );
      const { tellClock } = await import("../../target/platform-time.ts");
      await tellClock(io, flags);
      const author = includes.users.find((user) => user.id === data.author_id);
      const { repost_count, reply_count, like_count, quote_count } = data.public_metrics;
      printRecord(io, flags.json, { ...data, author }, [
        ["post", data.id],
        ["by", author === undefined ? data.author_id : `@${author.username}`],
        ["at", formatTime(data.created_at)],
        ["text", textAsWritten(data)],
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
  const command = withJson(withActor(new Command("create")), "print JSON")
    .description("publish a post as an account")
    .argument("<text>", "text of the post; - for stdin")
    .option("--reply-to <id>", "id of the post to reply to", whole("id"))
    .option("--quote <id>", "id of the post to quote");
  const examples = [
    'answerback posts create "We are open again."',
    'answerback posts create "Thanks!" --reply-to "$POST_ID"',
  ];
  return withExamples(command, examples).action(async (postText: string, flags: CreateFlags) => {
    const text = await textArgument(io, postText);
    const createdPost = await withTarget(io, flags, async (target) => {
      const { client, username } = await target.as(flags.as);
      const { replyTo, quote: quotePostId } = flags;
      return { by: username, ...(await client.posts.create({ text, replyTo, quotePostId })) };
    });
    printRecord(io, flags.json, createdPost, [
      ["post", createdPost.id],
      ["by", `@${createdPost.by}`],
      ["text", textAsWritten(createdPost)],
    ]);
  });
}

function remove(io: Io): Command {
  const command = withJson(withActor(new Command("delete")), "print JSON")
    .description("delete a post of the account")
    .argument("<id>", "id of the post", whole("id"));
  return withExamples(command, ['answerback posts delete "$OWN_POST_ID"']).action(
    async (id: string, flags: ActingFlags & JsonFlag) => {
      const result = await withTarget(io, flags, async (target) => {
        const { client } = await target.as(flags.as);
        return client.posts.delete(id);
      });
      printRecord(io, flags.json, result, [["deleted", result.deleted ? "yes" : "no"]]);
    },
  );
}
