import { counted } from "../../../text/counted.ts";
import type { WorldObjects } from "../../../sandbox/control/world-objects.ts";
import type { DataScene } from "./scene.ts";
import type { ShownTable, TableCell } from "./table.ts";

/** Kinds of objects on the page Data, as in the page's address. */
export const DATA_KINDS = [
  "users",
  "posts",
  "messages",
  "media",
  "polls",
  "places",
  "lists",
  "spaces",
] as const;

export type DataKind = (typeof DATA_KINDS)[number];

/** Maximum number of rows of a table on the page Data; below, of objects that are read from the sandbox for a table. */
const MAX_SHOWN_ROWS = 200;
export const MAX_READ_OBJECTS = 1_000;

type TableOf = (scene: DataScene) => Promise<ShownTable>;

/** Functions that build the table of a kind of objects, by kind. */
export const DATA_TABLES: Readonly<Record<DataKind, TableOf>> = {
  users: async ({ people, bot }) =>
    table(
      ["Handle", "Name", "Followers", "Posts", "Id", "Talk"],
      "Nobody is in the sandbox yet. Add somebody with the form above.",
      people.map((person) => {
        const { id, username, name } = person;
        const { followers_count: followers = 0, post_count: posts = 0 } = Object(
          person["public_metrics"],
        );
        const talk =
          bot === undefined
            ? ""
            : id === bot
              ? "the bot"
              : { to: `/chat?as=${username}`, text: `speak as @${username}` };
        const handle = { to: `/data/users/${id}`, text: `@${username}` };
        return [id, [handle, name, Number(followers), Number(posts), id, talk]];
      }),
    ),
  posts: (scene) =>
    listed(scene, "posts", {
      columns: ["When", "By", "Text", "With", "Id"],
      empty: "There is no post yet. Create one with the form above.",
      cells: (post) => [
        { at: post.created_at },
        scene.person(post.author_id),
        post.text,
        withOf(post),
        { to: `/data/posts/${post.id}`, text: post.id },
      ],
    }),
  messages: (scene) =>
    listed(scene, "dm_events", {
      columns: ["When", "By", "To", "Text", "Id"],
      empty: "There is no message yet. Write one with the form above.",
      cells: ({ id, sender_id, recipient_id, created_at, text, event_type }) => [
        { at: created_at },
        scene.person(sender_id),
        recipient_id === undefined ? "a group" : scene.person(recipient_id),
        event_type === "MessageCreate" ? text : event_type,
        { to: `/data/messages/${id}`, text: id },
      ],
    }),
  media: (scene) =>
    listed(scene, "media", {
      columns: ["Media key", "Kind", "State", "Bytes", "Owner", "Can be attached until", "Id"],
      empty:
        "Nothing was uploaded yet. Upload a sample above, or send your own to POST /2/media/upload.",
      cells: (medium) => [
        { to: `/data/media/${medium.id}`, text: medium.media_key },
        medium.media_category,
        medium.state,
        medium.bytes,
        scene.person(medium.owner_id),
        { at: medium.expires_at },
        medium.id,
      ],
    }),
  polls: (scene) =>
    listed(scene, "polls", {
      columns: ["Options", "Votes", "State", "Closes", "Id"],
      empty: "There is no poll yet. Post one with the form above.",
      cells: ({ id, options, voting_status, end_datetime }) => [
        options.map(({ label }) => label).join(", "),
        options.reduce((sum, { votes }) => sum + votes, 0),
        voting_status,
        { at: end_datetime },
        { to: `/data/polls/${id}`, text: id },
      ],
    }),
  places: (scene) =>
    listed(scene, "places", {
      columns: ["Name", "Kind", "Country", "Id"],
      empty: "There is no place yet. Create one above: posts name it by geo.place_id.",
      cells: ({ id, full_name, place_type, country }) => [
        { to: `/data/places/${id}`, text: full_name },
        place_type,
        country,
        id,
      ],
    }),
  lists: (scene) =>
    listed(scene, "lists", {
      columns: ["Name", "Owner", "Members", "Followers", "Seen by", "Id"],
      empty: "There is no list yet. Create one with the form above.",
      cells: (list) => [
        { to: `/data/lists/${list.id}`, text: list.name },
        scene.person(list.owner_id),
        list.member_ids.length,
        list.follower_ids.length,
        list.private ? "its owner" : "everybody",
        list.id,
      ],
    }),
  spaces: (scene) =>
    listed(scene, "spaces", {
      columns: ["Title", "By", "State", "Created", "Id"],
      empty: "Nobody has opened a space yet. Open one with the form above.",
      cells: ({ id, title = "", creator_id, state, created_at }) => [
        title,
        scene.person(creator_id),
        state,
        { at: created_at },
        { to: `/data/spaces/${id}`, text: id },
      ],
    }),
};

interface Listed<Row> {
  readonly columns: readonly string[];
  readonly empty: string;
  readonly cells: (row: Row) => readonly TableCell[];
}

async function listed<Kind extends keyof WorldObjects>(
  { control }: DataScene,
  kind: Kind,
  { columns, empty, cells }: Listed<WorldObjects[Kind]>,
): Promise<ShownTable> {
  const rows = await control.objects(kind, MAX_READ_OBJECTS);
  return table(
    columns,
    empty,
    rows.map((row) => [row.id, cells(row)]),
  );
}

type Row = readonly [id: string, cells: readonly TableCell[]];

/**
 * Builds a table of the latest rows, newest first.
 *
 * @param rows All rows, oldest first.
 */
export function table(columns: readonly string[], empty: string, rows: readonly Row[]): ShownTable {
  const shown = rows.slice(-MAX_SHOWN_ROWS).toReversed();
  return {
    columns,
    rows: shown.map(([id, cells]) => ({ id, cells })),
    empty,
    ...(shown.length < rows.length && { note: `The latest ${MAX_SHOWN_ROWS} are shown.` }),
  };
}

/** Describes what a post has besides its text, such as `a reply`. */
function withOf(post: WorldObjects["posts"]): string {
  return [
    post.in_reply_to_post_id !== undefined && "a reply",
    post.quoted_post_id !== undefined && "a quote",
    post.reposted_post_id !== undefined && "a repost",
    post.media_ids !== undefined && counted(post.media_ids.length, "medium", "media"),
    post.poll_id !== undefined && "a poll",
    post.place_id !== undefined && "a place",
    post.deleted && "deleted",
  ]
    .filter((word) => word !== false)
    .join(", ");
}
