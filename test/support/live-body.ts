/** Form of a delivery: by account activity (`classic`) or the activity interface, in one of the two dialects. */
export interface Interface {
  readonly kind: "classic" | "activity";
  readonly dialect: "tweet" | "post";
  /** Event type in the activity interface. */
  readonly type: "post.mention.create" | "post.reply.create" | "post.quote.create";
}

interface LivePerson {
  readonly id: string;
  readonly username: string;
}

/** A post as the platform delivers it. */
export interface LivePost {
  readonly id: string;
  readonly author: LivePerson;
  /** Account that receives the post. */
  readonly us: LivePerson;
  /** People whom the text may mention. */
  readonly people: readonly LivePerson[];
  /** Text, which in a reply begins with the handles of the people in the thread of posts. */
  readonly text: string;
  /** Number of leading characters of the text that the platform added. */
  readonly prefix?: number;
  readonly replyTo?: { readonly id: string; readonly author: string };
  /** Id of a post that this post quotes. The account `us` wrote it, and the delivery does not contain it. */
  readonly quoteOf?: string;
  /** Ids of all versions of an edited post, the first version first. */
  readonly versions?: readonly string[];
}

/** Creates the body of a delivery with one post, with the fields of live deliveries that the bot reads. */
export function liveBody(shape: Interface, post: LivePost): object {
  return shape.kind === "classic" ? classicBody(shape, post) : activityBody(shape, post);
}

function mentionsIn({ text, people, author }: LivePost) {
  const knownPeople = [...people, author, { ...author, username: "ben" }];
  return [...text.matchAll(/@(\w+)/g)].flatMap(({ 1: username, index }) => {
    const person = knownPeople.find((one) => one.username === username);
    return person ? [{ ...person, start: index, end: index + person.username.length + 1 }] : [];
  });
}

function classicBody({ dialect }: Interface, post: LivePost): object {
  const { id, author, us, text, prefix = 0, replyTo, quoteOf, versions = [id] } = post;
  const history = { [`initial_${dialect}_id`]: versions[0], [`edit_${dialect}_ids`]: versions };
  const answered = post.people.find((one) => one.id === replyTo?.author)?.username ?? "ben";
  const created = {
    created_at: new Date().toUTCString(),
    id: Number(id),
    id_str: id,
    text,
    truncated: false,
    ...(prefix > 0 && { display_text_range: [prefix, text.length] }),
    user: { id_str: author.id, name: "Ben", screen_name: author.username, followers_count: 3 },
    is_quote_status: quoteOf !== undefined,
    in_reply_to_status_id_str: replyTo?.id ?? null,
    in_reply_to_user_id_str: replyTo?.author ?? null,
    in_reply_to_screen_name: replyTo === undefined ? null : answered,
    ...(quoteOf !== undefined && {
      quoted_status_id_str: quoteOf,
      quoted_status_permalink: {
        url: "https://t.co/aaaaaaaaaa",
        expanded: `https://platform.example/${us.username}/status/${quoteOf}`,
        display: "platform.example/hello_b…",
      },
    }),
    entities: {
      hashtags: [],
      urls: [],
      symbols: [],
      user_mentions: mentionsIn(post).map(({ start, end, id: id_str, username }) => ({
        screen_name: username,
        name: username,
        id_str,
        indices: [start, end],
      })),
    },
    edit_history: history,
    edit_controls: { ...history, edits_remaining: 6 - versions.length },
    lang: "en",
    timestamp_ms: String(Date.now()),
  };
  return {
    for_user_id: us.id,
    user_has_blocked: "false",
    [`${dialect}_create_events`]: [created],
  };
}

function activityBody({ dialect, type }: Interface, post: LivePost): object {
  const { id, author, us, text, prefix = 0, replyTo, quoteOf, versions = [id] } = post;
  const referenced = [
    ...(replyTo === undefined ? [] : [{ type: "replied_to", id: replyTo.id }]),
    ...(quoteOf === undefined ? [] : [{ type: "quoted", id: quoteOf }]),
  ];
  const payload = {
    id,
    text,
    author_id: author.id,
    created_at: new Date().toISOString(),
    conversation_id: replyTo?.id ?? versions[0],
    display_text_range: [prefix, text.length],
    entities: { mentions: mentionsIn(post) },
    [`edit_history_${dialect}_ids`]: versions,
    ...(replyTo !== undefined && { in_reply_to_user_id: replyTo.author }),
    ...(referenced.length > 0 && { [`referenced_${dialect}s`]: referenced }),
    lang: "en",
  };
  const users = [author, ...post.people].map((one) => ({ ...one, name: one.username }));
  const event = { filter: { user_id: us.id }, event_type: type, event_uuid: id, tag: "bot" };
  return { data: { ...event, payload, includes: { users } } };
}
