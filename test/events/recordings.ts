/**
 * Bodies in the form that the platform's own pages and recorded deliveries show, with made-up people and texts. The
 * sandbox follows the published API description. Where the two differ, a bot must read both.
 */

export const BOT = "100";
export const ANA = "200";

/** Entry of a `users` map: texts that a person has not written are absent, and a missing picture is the text `null`. */
function inMap(id: string, screen_name: string): object {
  return {
    id,
    created_timestamp: "1422556069340",
    name: screen_name,
    screen_name,
    protected: false,
    verified: false,
    followers_count: 22,
    friends_count: 45,
    statuses_count: 494,
    profile_image_url: "null",
    profile_image_url_https: "https://pictures.example/a.jpg",
  };
}
const users = { [BOT]: inMap(BOT, "hello_bot"), [ANA]: inMap(ANA, "ana") };

function message(id: string, message_data: object, more: object = {}): object {
  const target = { recipient_id: BOT };
  const message_create = { target, sender_id: ANA, source_app_id: "9", message_data };
  const created_timestamp = "1516403560557";
  return {
    for_user_id: BOT,
    direct_message_events: [
      { type: "message_create", id, created_timestamp, ...more, message_create },
    ],
    apps: { 9: { id: "9", name: "An app", url: "https://app.example" } },
    users,
  };
}
const NONE = { hashtags: [], symbols: [], user_mentions: [], urls: [] };
const PICTURE_LINK = {
  url: "https://t.co/aZPx3xG5bD",
  expanded_url: "https://twitter.com/messages/media/954491830116155396",
  display_url: "pic.twitter.com/aZPx3xG5bD",
  indices: [1, 24],
};
const PICTURE = {
  // the number has lost its last digits, as in every delivery
  id: 954491825024225300,
  id_str: "954491825024225280",
  media_url: "http://pictures.example/b.jpg",
  media_url_https: "https://pictures.example/b.jpg",
  ...PICTURE_LINK,
  type: "photo",
  sizes: { small: { w: 340, h: 340, resize: "fit" } },
};

/** Bodies of account activity, by what happened. */
export const ACCOUNT_ACTIVITY = {
  ...Object.fromEntries(
    ["follow", "unfollow", "block", "unblock", "mute", "unmute"].map((type) => [
      type,
      {
        for_user_id: BOT,
        [`${type.replace(/^un/, "")}_events`]: [
          {
            type,
            created_timestamp: "1517588749178",
            target: { id: ANA, screen_name: "ana", name: "Ana", profile_link_color: -1, url: "" },
            source: { id: BOT, screen_name: "hello_bot", name: "Hello", utc_offset: 0, lang: "" },
          },
        ],
      },
    ]),
  ),
  typing: {
    for_user_id: BOT,
    direct_message_indicate_typing_events: [
      { created_timestamp: "1518127183443", sender_id: ANA, target: { recipient_id: BOT } },
    ],
    users,
  },
  read: {
    for_user_id: BOT,
    direct_message_mark_read_events: [
      {
        created_timestamp: "1518452444662",
        sender_id: ANA,
        target: { recipient_id: BOT },
        last_read_event_id: "963085315333238788",
      },
    ],
    users,
  },
  revoke: {
    user_event: {
      revoke: {
        date_time: "2018-05-24T09:48:12+00:00",
        target: { app_id: "13090192" },
        source: { user_id: BOT },
      },
    },
  },
  delete: {
    for_user_id: BOT,
    tweet_delete_events: [
      { status: { id: "1045405559317569537", user_id: BOT }, timestamp_ms: "1432228155593" },
    ],
  },
  like: {
    for_user_id: BOT,
    favorite_events: [
      {
        id: "a7ba59eab0bfcba386f7acedac279542",
        created_at: "Mon Mar 26 16:33:26 +0000 2018",
        timestamp_ms: 1_522_082_006_140,
        favorited_status: {
          created_at: "Mon Mar 26 16:33:09 +0000 2018",
          id: 978310000000000000,
          id_str: "978310000000000001",
          text: "We are open",
          user: { id: 100, id_str: BOT, screen_name: "hello_bot" },
          entities: { hashtags: [], urls: [], user_mentions: [], symbols: [] },
        },
        user: { id: 200, id_str: ANA, screen_name: "ana" },
      },
    ],
  },
  message: message("954491830116155395", { text: "Hello", entities: NONE }),
  picture: message("954491830116155396", {
    text: ` ${PICTURE_LINK.url}`,
    entities: { ...NONE, urls: [PICTURE_LINK] },
    attachment: { type: "media", media: PICTURE },
  }),
  quickReply: message(
    "954491830116155397",
    {
      text: "Red",
      entities: NONE,
      quick_reply_response: { type: "options", metadata: "color_1" },
    },
    { initiated_via: { welcome_message_id: "853645447670906880" } },
  ),
};

/** A person of the activity interface. */
function person(id: string, username: string): object {
  return {
    id,
    username,
    name: username,
    created_at: "2023-10-23T13:44:53.000Z",
    description: "",
    url: "",
    profile_banner_url: "",
    protected: false,
    verified: true,
    verified_type: "blue",
    affiliation: {
      description: "Automated",
      badge_url: "https://pictures.example/badge?name=orig",
    },
    public_metrics: { followers_count: 97, followers_count_str: "97" },
    profile_geo_enrichment: { potential_locations: [{ geo_entity: { country_code: "US" } }] },
  };
}

function activity(event_type: string, payload: object, more: object = {}): object {
  const data = { event_uuid: "-3402274206530057851", filter: { user_id: BOT }, event_type };
  return { data: { ...data, tag: "all", payload, ...more } };
}

/** A relation: each person is under `data`, and there is no time. */
const relation = {
  source: { data: person(ANA, "ana") },
  target: { data: person(BOT, "hello_bot") },
};

const POST = {
  id: "2080765813578191303",
  text: "hey @hello_bot",
  author_id: ANA,
  conversation_id: "2080765813578191303",
  created_at: "2026-07-24T21:23:23.000Z",
  display_text_range: [0, 14],
  edit_history_tweet_ids: ["2080765813578191303"],
  edit_controls: { edits_remaining: 5, edits_remaining_str: "5", is_edit_eligible: true },
  entities: {
    mentions: [
      { start: 4, start_str: "4", end: 14, end_str: "14", username: "hello_bot", id: BOT },
    ],
  },
  public_metrics: { retweet_count: 0, retweet_count_str: "0", like_count: 0, like_count_str: "0" },
  paid_partnership: false,
  lang: "und",
};

/** Bodies of the activity interface, by what happened. */
export const ACTIVITY_INTERFACE = {
  mention: activity("post.mention.create", POST, {
    includes: { users: [person(ANA, "ana"), person(BOT, "hello_bot")], tweets: [POST] },
  }),
  delete: activity(
    "post.delete",
    { id: "2080761269309813134", author_id: BOT },
    { includes: { users: [{ data: person(BOT, "hello_bot") }] } },
  ),
  like: activity(
    "like.create",
    {
      id: "87719f50ee17bdfa06a3089098a2b9ed",
      created_at: "2026-07-24T21:12:45.000Z",
      timestamp_ms: "1784927565236",
      liked_tweet_author_id: ANA,
      liked_tweet_id: "2079814480427442556",
    },
    {
      filter: { user_id: BOT, direction: "outbound" },
      includes: {
        users: [person(ANA, "ana")],
        tweets: [
          {
            id: "2079814480427442556",
            text: "Great guide",
            author_id: ANA,
            created_at: "2026-07-22T06:23:07.000Z",
          },
        ],
      },
    },
  ),
  follow: activity("follow.follow", relation),
  unfollow: activity("follow.unfollow", relation),
  message: activity("dm.received", {
    direct_message_events: [
      {
        type: "message_create",
        id: "2080765901528535096",
        created_timestamp: "1784928224372",
        message_create: {
          target: { recipient_id: BOT },
          sender_id: ANA,
          message_data: { text: "hello!", entities: NONE },
        },
      },
    ],
    users: {
      [ANA]: { data: person(ANA, "ana") },
      [BOT]: { data: person(BOT, "hello_bot") },
    },
  }),
  revoke: activity(
    "oauth.revoke",
    { date_time: "2026-07-23T21:44:05+00:00", user_id: BOT, app_id: "29820954" },
    { filter: {} },
  ),
};
