/** Reason why no rule field corresponds to a payload field and everything below it. */
interface Reason {
  readonly because: string;
}

/** A payload field that holds an object, or a list of them. `as` is the prefix of the rule fields in the object. */
interface Part {
  /** Name of the table in {@link PARTS} that describes the object's fields. */
  readonly of: string;
  readonly as?: string;
}

/** Meaning of a payload field: a rule field, a reason why there is none, or an object. */
export type Cover = string | Reason | Part;
export type PayloadFields = Readonly<Record<string, Cover>>;

const because = (reason: string): Reason => ({ because: reason });
const part = (of: string, as?: string): Part => ({
  of,
  ...(as === undefined ? {} : { as }),
});

const PLACE_IN_TEXT = because("a position; texts come decoded, with links expanded");
const SHORT_LINK = because("the short link; `urls` has its target");
const LOOKS = because("colours and pictures of the profile page");
const RETIRED = because("the platform always sends the same value");
const RECEIVER = because("about the receiving app's own user, which events do not know");
const KIND = because("the trigger has it");
const AUTHOR_EDITS = because("only the author can edit; `version` and `edit_of` tell about edits");
const OWN_VIEW = because("only the author's statistics");

/** The `user` objects of posts, likes, relations and messages. Source: page "Account activity event data object". */
const PERSON: PayloadFields = {
  id: "id",
  id_str: "id",
  name: "name",
  screen_name: "username",
  location: "location",
  description: "description",
  url: "url",
  protected: "protected",
  verified: "verified",
  followers_count: "followers_count",
  friends_count: "following_count",
  listed_count: "listed_count",
  favourites_count: "like_count",
  statuses_count: "post_count",
  created_at: "created_at",
  created_timestamp: "created_at",
  profile_image_url: "profile_image_url",
  profile_image_url_https: "profile_image_url",
  ...Object.fromEntries(
    ["background_color", "link_color", "sidebar_border_color", "sidebar_fill_color"]
      .concat(["text_color", "use_background_image", "background_tile"])
      .concat(["background_image_url", "background_image_url_https"])
      .map((name) => [`profile_${name}`, LOOKS]),
  ),
  default_profile: LOOKS,
  default_profile_image: LOOKS,
  translator_type: RETIRED,
  is_translator: RETIRED,
  utc_offset: RETIRED,
  time_zone: RETIRED,
  geo_enabled: RETIRED,
  lang: RETIRED,
  contributors_enabled: RETIRED,
  withheld_in_countries: RETIRED,
  following: RECEIVER,
  follow_request_sent: RECEIVER,
  notifications: RECEIVER,
};

const ENTITIES: PayloadFields = {
  hashtags: part("hashtag"),
  symbols: part("symbol"),
  user_mentions: part("mention"),
  urls: part("link"),
  media: because("the link at the end of the text; `media_urls` has the files"),
};

const MEDIUM: PayloadFields = {
  id: because("no action takes the id of another person's medium"),
  id_str: because("no action takes the id of another person's medium"),
  media_url: "media_urls",
  media_url_https: "media_urls",
  type: "media_types",
  url: SHORT_LINK,
  expanded_url: because("the page of the post or message itself"),
  display_url: SHORT_LINK,
  indices: PLACE_IN_TEXT,
  sizes: because("the file has its size"),
};

/** A post in webhook deliveries. Sources: the platform's pages "Event kinds" and "Longform posts". */
const POST: PayloadFields = {
  created_at: "created_at",
  timestamp_ms: "created_at",
  id: "id",
  id_str: "id",
  text: "raw_text",
  truncated: because("`text` has the whole text"),
  display_text_range: because("`text` is the text in this range, `full_text` the whole"),
  extended_post: part("longform"),
  entities: part("entities"),
  extended_entities: part("extended"),
  source: "source_app_name",
  in_reply_to_status_id: "in_reply_to_post_id",
  in_reply_to_status_id_str: "in_reply_to_post_id",
  in_reply_to_user_id: "in_reply_to_user_id",
  in_reply_to_user_id_str: "in_reply_to_user_id",
  in_reply_to_screen_name: "in_reply_to_username",
  user: part("person", "author"),
  quoted_status_id: "quoted_post_id",
  quoted_status_id_str: "quoted_post_id",
  quoted_status: part("post", "quoted"),
  quoted_status_permalink: because("the page of `quoted_post_id`"),
  is_quote_status: because("`has(post.quoted_post_id)` is the same"),
  reposted_status: part("post", "reposted"),
  quote_count: "quote_count",
  reply_count: "reply_count",
  repost_count: "repost_count",
  favorite_count: "like_count",
  lang: "lang",
  possibly_sensitive: "sensitive",
  edit_history: part("edits"),
  edit_controls: AUTHOR_EDITS,
  geo: RETIRED,
  coordinates: RETIRED,
  place: RETIRED,
  contributors: RETIRED,
  filter_level: RETIRED,
  favorited: RECEIVER,
  reposted: RECEIVER,
};

const MESSAGE_CONTENT: PayloadFields = {
  text: "raw_text",
  entities: part("entities"),
  attachment: part("attachment"),
};

/** A person in the form of the platform's API version 2. */
const DATA_PERSON: PayloadFields = {
  id: "id",
  name: "name",
  username: "username",
  created_at: "created_at",
  description: "description",
  location: "location",
  url: "url",
  profile_image_url: "profile_image_url",
  protected: "protected",
  verified: "verified",
  public_metrics: part("data-person-counters"),
  verified_type: because("account activity has `verified` only"),
  subscription_type: because("account activity lacks it"),
  most_recent_post_id: because("changes with each post"),
};

/** A post in the form of the platform's API version 2, as events of the activity interface contain it. */
const DATA_POST: PayloadFields = {
  id: "id",
  text: "raw_text",
  note_post: part("data-longform"),
  created_at: "created_at",
  author_id: "author.id",
  lang: "lang",
  source: "source_app_name",
  display_text_range: because("`text` is the text in this range, `full_text` the whole"),
  possibly_sensitive: "sensitive",
  entities: part("data-entities"),
  edit_history_post_ids: "version",
  edit_controls: AUTHOR_EDITS,
  conversation_id: because("account activity lacks it"),
  in_reply_to_user_id: "in_reply_to_user_id",
  referenced_posts: because("`in_reply_to_post_id`, `quoted_post_id` and `reposted` have the ids"),
  reply_settings: because(
    "account activity lacks it; the platform refuses answers that it forbids",
  ),
  attachments: because("keys of the media; `media_urls` has the files"),
  media_metadata: because("account activity lacks alternative texts"),
  public_metrics: part("data-post-counters"),
};

/**
 * Every field of the payloads that the platform delivers, by object. The tables follow the page "Event kinds" of the
 * platform's documentation, and recorded bodies of the live service.
 */
export const PARTS: Readonly<Record<string, PayloadFields>> = {
  person: PERSON,
  entities: ENTITIES,
  hashtag: { text: "hashtags", indices: PLACE_IN_TEXT },
  symbol: { text: "cashtags", indices: PLACE_IN_TEXT },
  mention: {
    screen_name: "mentions",
    id: "mention_ids",
    id_str: "mention_ids",
    name: because("a name; `mentions` has the handle"),
    indices: PLACE_IN_TEXT,
  },
  link: {
    expanded_url: "urls",
    url: SHORT_LINK,
    display_url: SHORT_LINK,
    indices: PLACE_IN_TEXT,
  },
  medium: MEDIUM,
  extended: { media: part("medium") },
  longform: {
    full_text: "full_text",
    entities: part("entities"),
    extended_entities: part("extended"),
    display_text_range: PLACE_IN_TEXT,
  },
  edits: { initial_post_id: "edit_of", edit_post_ids: "version" },
  post: POST,
  content: MESSAGE_CONTENT,
  attachment: {
    type: because("always `media`"),
    media: part("attached"),
  },
  attached: {
    ...MEDIUM,
    media_url: "media_url",
    media_url_https: "media_url",
    type: "media_type",
  },
  "message-recipient": {
    recipient_id: "recipient_id",
    dm_conversation_id: "conversation_id",
    participant_ids: "conversation.participants",
  },
  "message-create": {
    target: part("message-recipient"),
    sender_id: "sender_id",
    source_app_id: "source_app_id",
    message_data: part("content"),
  },
  message: {
    type: KIND,
    id: "id",
    created_timestamp: "event.time",
    message_create: part("message-create"),
  },
  app: { id: "source_app_id", name: "source_app_name", url: "source_app_url" },
  "signal-recipient": { recipient_id: "account.id" },
  signal: {
    created_timestamp: "event.time",
    sender_id: "sender.id",
    target: part("signal-recipient"),
    last_read_event_id: "read.last_message_id",
  },
  like: {
    id: "event.key",
    created_at: "event.time",
    timestamp_ms: "event.time",
    favorited_status: part("post", "post"),
    user: part("person", "sender"),
  },
  relation: {
    type: KIND,
    created_timestamp: "event.time",
    target: part("person", "target"),
    source: part("person", "sender"),
  },
  "deleted-status": { id: "post.id", user_id: "sender.id" },
  deletion: { status: part("deleted-status"), timestamp_ms: "event.time" },
  "revoking-app": { app_id: "app.id" },
  "revoking-person": { user_id: "sender.id" },
  "revoke-facts": {
    date_time: "event.time",
    target: part("revoking-app"),
    source: part("revoking-person"),
  },
  revoke: { revoke: part("revoke-facts") },
  replay: {
    webhook_id: "replay.webhook_id",
    job_id: "replay.job_id",
    job_state: "replay.complete",
    job_state_description: "replay.description",
  },
  "data-person": DATA_PERSON,
  "data-person-counters": {
    followers_count: "followers_count",
    following_count: "following_count",
    post_count: "post_count",
    listed_count: "listed_count",
    like_count: "like_count",
    media_count: because("account activity lacks it"),
  },
  "data-message-person": { data: part("data-person") },
  "data-post": DATA_POST,
  "data-longform": { text: "full_text", entities: part("data-entities") },
  "data-entities": {
    hashtags: part("data-hashtag"),
    cashtags: part("data-cashtag"),
    mentions: part("data-mention"),
    urls: part("data-link"),
  },
  "data-hashtag": { tag: "hashtags", start: PLACE_IN_TEXT, end: PLACE_IN_TEXT },
  "data-cashtag": { tag: "cashtags", start: PLACE_IN_TEXT, end: PLACE_IN_TEXT },
  "data-mention": {
    username: "mentions",
    id: "mention_ids",
    start: PLACE_IN_TEXT,
    end: PLACE_IN_TEXT,
  },
  "data-link": {
    expanded_url: "urls",
    url: SHORT_LINK,
    display_url: SHORT_LINK,
    media_key: because("the key; `media_urls` has the file"),
    start: PLACE_IN_TEXT,
    end: PLACE_IN_TEXT,
  },
  "data-post-counters": {
    repost_count: "repost_count",
    reply_count: "reply_count",
    like_count: "like_count",
    quote_count: "quote_count",
    bookmark_count: because("account activity lacks it"),
    impression_count: OWN_VIEW,
  },
  "data-medium": {
    media_key: because("the key; `media_urls` has the file"),
    type: "media_types",
    url: "media_urls",
    preview_image_url: "media_urls",
    width: because("the file has its size"),
    height: because("the file has its size"),
  },
  delivery: {
    for_user_id: "account.id",
    user_has_blocked: "sender.blocked",
    is_blocked_by: "sender.blocked",
    post_create_events: part("post", "post"),
    favorite_events: part("like"),
    follow_events: part("relation"),
    block_events: part("relation"),
    mute_events: part("relation"),
    user_event: part("revoke"),
    direct_message_events: part("message", "message"),
    direct_message_indicate_typing_events: part("signal"),
    direct_message_mark_read_events: part("signal"),
    post_delete_events: part("deletion"),
    replay_job_status: part("replay"),
    apps: part("app", "message"),
    users: part("person", "sender"),
  },
  activity: {
    event_type: KIND,
    event_uuid: because("`event.key` has the id of what happened"),
    filter: because("the account: `account.id`"),
    payload: part("payload"),
    includes: part("includes"),
  },
  includes: {
    users: part("data-person", "sender"),
    posts: part("data-post", "post"),
    media: part("data-medium", "post"),
  },
  "payload of post.delete": { id: "post.id", author_id: "sender.id" },
  "payload of post": DATA_POST,
  "payload of dm": {
    direct_message_events: part("message", "message"),
    direct_message_indicate_typing_events: part("signal"),
    direct_message_mark_read_events: part("signal"),
    users: part("data-message-person", "sender"),
  },
  "payload of like": {
    id: "event.key",
    liked_tweet_id: "post.id",
    tweet_author_id: "post.author.id",
    created_at: "event.time",
    timestamp_ms: "event.time",
  },
  "payload of relation": {
    source: part("data-person", "sender"),
    target: part("data-person", "target"),
  },
};
