import type { ControlClient } from "../sandbox/index.ts";

/** A visible action of the bot. */
export interface BotDeed {
  /** A `post` addresses no person; all other kinds concern the person in `to`. */
  readonly kind: "message" | "reply" | "post" | "quote" | "repost" | "like";
  /** Handle of the person, without `@`; absent for a post. */
  readonly to?: string;
  /** Text of the message or post; absent for a repost or a like. */
  readonly text?: string;
}

/** A visible action of the bot, with the id of the person in `to`: the person's handle may change. */
export interface DeedToPerson {
  readonly deed: BotDeed;
  readonly person: string | undefined;
}

interface PostRow {
  readonly id: string;
  readonly authorId: string;
  readonly text: string;
  readonly replyTo?: string;
  readonly replyToUserId?: string;
  readonly quoteOf?: string;
  readonly repostOf?: string;
}

/** The rows of the sandbox's saved state that {@link newDeeds} reads. */
interface World {
  readonly tables: {
    readonly users: readonly { readonly id: string; readonly username: string }[];
    readonly messages: readonly {
      readonly id: string;
      readonly senderId: string;
      readonly recipientId?: string;
      readonly text: string;
    }[];
    readonly posts: readonly PostRow[];
    readonly likes: readonly {
      readonly id: string;
      readonly userId: string;
      readonly postId: string;
    }[];
  };
}

/** Returns the actions of the accounts `bots` that are not in `seen`, by kind and time, and adds them to `seen`. */
export async function newDeeds(
  control: Pick<ControlClient, "get">,
  bots: ReadonlySet<string>,
  seen: Set<string>,
): Promise<readonly DeedToPerson[]> {
  const { tables } = await control.get<World>("/state");
  const handles = new Map(tables.users.map(({ id, username }) => [id, username]));
  const posts = new Map(tables.posts.map((post) => [post.id, post]));
  const authorOf = (id = ""): string | undefined => posts.get(id)?.authorId;
  const concerning = (id: string | undefined, what: Omit<BotDeed, "to">): DeedToPerson => {
    const to = handles.get(id ?? "");
    const { kind, ...rest } = what;
    return { person: id, deed: to === undefined ? what : { kind, to, ...rest } };
  };
  const keyedDeeds: (readonly [key: string, deed: DeedToPerson])[] = [
    ...tables.messages
      .filter(({ senderId }) => bots.has(senderId))
      .map(({ id, recipientId, text }) => {
        const deed = concerning(recipientId, { kind: "message", text });
        return [`message ${id}`, deed] as const;
      }),
    ...tables.posts
      .filter(({ authorId }) => bots.has(authorId))
      .map((post) => {
        const { id, text, quoteOf, repostOf } = post;
        const first = firstOfThread(post, posts);
        const person = first.replyToUserId ?? authorOf(first.quoteOf);
        const isReply = first.replyTo !== undefined || first.quoteOf !== undefined;
        const deed =
          repostOf !== undefined
            ? concerning(authorOf(repostOf), { kind: "repost" })
            : quoteOf !== undefined
              ? concerning(authorOf(quoteOf), { kind: "quote", text })
              : concerning(person, { kind: isReply ? "reply" : "post", text });
        return [`post ${id}`, deed] as const;
      }),
    ...tables.likes
      .filter(({ userId }) => bots.has(userId))
      .map(({ id, postId }) => {
        const deed = concerning(authorOf(postId), { kind: "like" });
        return [`like ${id}`, deed] as const;
      }),
  ];
  return keyedDeeds.flatMap(([key, deed]) => {
    if (seen.has(key)) return [];
    seen.add(key);
    return [deed];
  });
}

/** Returns the post with which a thread begins if the post continues a post of its own author, as a long text does. */
function firstOfThread(post: PostRow, posts: ReadonlyMap<string, PostRow>): PostRow {
  const before = posts.get(post.replyTo ?? "");
  return before?.authorId === post.authorId ? firstOfThread(before, posts) : post;
}
