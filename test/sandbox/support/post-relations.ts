type Wire = Readonly<Record<string, unknown>>;

/** An entity of a post (a mention, link or picture), with its offsets in the same form for every kind of body. */
interface PlacedEntity {
  readonly kind: "mention" | "url" | "media";
  /** Text that must be at the entity's offsets: a handle with its sign, or a link. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Checks that the fields of posts in a delivered body agree: texts and offsets of entities, the displayed range, the
 * versions of an edited post, and referenced objects.
 *
 * @returns a sentence for each fault.
 */
export function relationFaults(body: unknown): string[] {
  const posts = postsIn(body);
  if (posts.length === 0) return ["there is no post in the body"];
  const faults = posts.flatMap((post) => [
    ...textFaults(post),
    ...editFaults(post),
    ...quoteFaults(post),
    ...idFaults(post),
  ]);
  return [...faults, ...includeFaults(body)];
}

/** Returns all posts of a body, at any depth. Objects with an id and a text are posts. */
function postsIn(value: unknown): Wire[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(postsIn);
  return "text" in value && "id" in value ? [{ ...value }, ...inner] : inner;
}

function textFaults(post: Wire): string[] {
  const whole = wireOf(post["extended_post"] ?? post["extended_tweet"]);
  const note = wireOf(post["note_post"] ?? post["note_tweet"]);
  return [
    ...rangeFaults(String(post["text"]), post),
    ...("full_text" in whole ? rangeFaults(String(whole["full_text"]), whole) : []),
    ...("text" in note ? rangeFaults(String(note["text"]), note) : []),
    ...(whole["full_text"] !== undefined && post["truncated"] !== true
      ? ["a post with a full text is not truncated"]
      : []),
  ];
}

function rangeFaults(text: string, holder: Wire): string[] {
  const letters = Array.from(text);
  const slice = (from: number, to: number): string => letters.slice(from, to).join("");
  const [start, end] = (holder["display_text_range"] ?? [0, letters.length]) as [number, number];
  const placed = placedEntities(wireOf(holder["entities"]));
  const links = placed.filter(({ kind }) => kind !== "mention").map(({ word }) => word);
  const faults = placed.flatMap((one) => {
    const there = slice(one.start, one.end);
    if (there.toLowerCase() === one.word.toLowerCase()) return [];
    // The mention of a person who is tagged in a picture has the offsets of the picture's link.
    if (one.kind === "mention" && one.start >= end && links.includes(there)) return [];
    return [`“${there}” stands where ${one.kind} “${one.word}” should`];
  });
  const prefix = placed.filter((one) => one.end <= start).map(({ word }) => `${word} `);
  const before = slice(0, start);
  const behind = slice(end, letters.length);
  const isInside = 0 <= start && start <= end && end <= letters.length;
  return [
    ...faults,
    ...(isInside ? [] : [`the range ${start} to ${end} is not in the text`]),
    ...(before === prefix.join("") ? [] : [`“${before}” before the range is more than handles`]),
    ...(behind === "" || links.includes(behind.slice(1))
      ? []
      : [`“${behind}” behind the range is no link`]),
  ];
}

function placedEntities(entities: Wire): PlacedEntity[] {
  const list = (name: string): Wire[] => (entities[name] ?? []) as Wire[];
  const place = (one: Wire): Pick<PlacedEntity, "start" | "end"> => {
    const [start, end] = (one["indices"] ?? [one["start"], one["end"]]) as [number, number];
    return { start, end };
  };
  const link = (kind: "url" | "media") => (one: Wire) => ({
    kind,
    word: String(one["url"]),
    ...place(one),
  });
  const mentions = [...list("user_mentions"), ...list("mentions")];
  return [
    ...mentions.map((one) => ({
      kind: "mention" as const,
      word: `@${String(one["screen_name"] ?? one["username"])}`,
      ...place(one),
    })),
    ...list("urls").map(link("url")),
    ...list("media").map(link("media")),
  ];
}

function editFaults(post: Wire): string[] {
  const own = String(post["id"]);
  const history = wireOf(post["edit_history"]);
  const controls = wireOf(post["edit_controls"]);
  const idsIn = (holder: Wire): unknown =>
    holder["edit_post_ids"] ?? holder["edit_tweet_ids"] ?? holder["edit_history_post_ids"];
  const ids = (idsIn(history) ??
    post["edit_history_post_ids"] ??
    post["edit_history_tweet_ids"] ?? [own]) as string[];
  const first = history["initial_post_id"] ?? history["initial_tweet_id"] ?? ids[0];
  const remaining = Number(controls["edits_remaining"] ?? 6 - ids.length);
  const until = controls["editable_until_ms"] ?? Date.parse(String(controls["editable_until"]));
  return [
    ...(ids.at(-1) === own ? [] : [`${own} is not the latest of its versions`]),
    ...(first === ids[0] ? [] : ["the first version is another one"]),
    ...(JSON.stringify(idsIn(controls) ?? ids) === JSON.stringify(ids)
      ? []
      : ["history and controls name other versions"]),
    ...(remaining === 6 - ids.length ? [] : [`${remaining} edits remain after ${ids.length - 1}`]),
    ...(controls["edits_remaining"] === undefined || Number(until) > 0
      ? []
      : ["there is no end of the time to edit"]),
  ];
}

function quoteFaults(post: Wire): string[] {
  if (!("quoted_status_id_str" in post)) return [];
  const id = String(post["quoted_status_id_str"]);
  const quoted = wireOf(post["quoted_status"]);
  const permalink = wireOf(post["quoted_status_permalink"]);
  const links = placedEntities(wireOf(post["entities"])).map(({ word }) => word);
  return [
    ...(quoted["id_str"] === undefined || quoted["id_str"] === id
      ? []
      : ["another post is quoted"]),
    ...(links.includes(String(permalink["url"])) ? [] : ["the permalink is not in the text"]),
    ...(String(permalink["expanded"]).endsWith(`/status/${id}`)
      ? []
      : ["the permalink leads elsewhere"]),
  ];
}

/** Checks that each id is the same as a number and as a text. */
function idFaults(post: Wire): string[] {
  const names = ["id", "in_reply_to_status_id", "in_reply_to_user_id", "quoted_status_id"];
  const unequal = names.filter(
    (name) => `${name}_str` in post && String(post[name]) !== String(post[`${name}_str`]),
  );
  return unequal.map((name) => `${name} is not ${name}_str`);
}

/** Checks that the included posts of an activity event are those that its payload refers to. */
function includeFaults(body: unknown): string[] {
  const { payload, includes } = wireOf(wireOf(body)["data"]);
  const { referenced_posts: posts = [], referenced_tweets: references = posts } = wireOf(payload);
  const named = new Set((references as Wire[]).map(({ id }) => id));
  const { posts: held = [], tweets: included = held } = wireOf(includes);
  return (included as Wire[]).flatMap(({ id }) =>
    named.has(id) ? [] : [`${String(id)} is included, but not referred to`],
  );
}

function wireOf(value: unknown): Wire {
  return { ...Object(value) };
}
