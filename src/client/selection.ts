import {
  DEFAULT_FIELDS,
  type DmEventExpansion,
  type DmEventField,
  type MediaField,
  type PlaceField,
  type PollField,
  type PostExpansion,
  type PostField,
  type UserExpansion,
  type UserField,
} from "../interface/fields.ts";
import type { Media, Place, Poll } from "./objects/attachment.ts";
import type { DmEvent } from "./objects/dm-event.ts";
import type { Post } from "./objects/post.ts";
import type { User } from "./objects/user.ts";

/** Kinds of objects that come under `includes`. */
export type IncludeKind = "users" | "posts" | "media" | "polls" | "places";

/** What each expansion brings under `includes`. */
export const YIELDS = {
  "article.cover_media": ["media"],
  "article.media_entities": ["media"],
  "attachments.media_keys": ["media"],
  "attachments.media_source_tweet": ["posts"],
  "attachments.poll_ids": ["polls"],
  author_id: ["users"],
  edit_history_post_ids: ["posts"],
  "entities.mentions.username": ["users"],
  "entities.note.mentions.username": ["users"],
  "geo.place_id": ["places"],
  in_reply_to_user_id: ["users"],
  referenced_posts: ["posts"],
  "referenced_posts.id": ["posts"],
  "referenced_posts.id.attachments.media_keys": ["posts", "media"],
  "referenced_posts.id.author_id": ["posts", "users"],
  username: ["users"],
  affiliation: ["users"],
  "affiliation.user_id": ["users"],
  most_recent_post_id: ["posts"],
  pinned_post_id: ["posts"],
  participant_ids: ["users"],
  sender_id: ["users"],
} as const satisfies Record<Expansion, readonly IncludeKind[]>;

/** Any expansion of any object. */
export type Expansion = PostExpansion | UserExpansion | DmEventExpansion;

type Yields<E extends Expansion> = (typeof YIELDS)[E][number];

/** Expansions that bring objects of this kind. */
export type Yielding<Kind extends IncludeKind> = {
  [E in Expansion]: Kind extends Yields<E> ? E : never;
}[Expansion];

/** Fields of the objects that expansions bring. */
interface IncludedFields {
  readonly userFields?: readonly UserField[];
  readonly postFields?: readonly PostField[];
  readonly mediaFields?: readonly MediaField[];
  readonly pollFields?: readonly PollField[];
  readonly placeFields?: readonly PlaceField[];
}

/** Fields and related objects to bring along with posts. `postFields` also go for included posts. */
export interface PostSelection extends IncludedFields {
  readonly expansions?: readonly PostExpansion[];
}

/** Fields and related objects to bring along with users. `userFields` also go for included users. */
export interface UserSelection extends Pick<IncludedFields, "userFields" | "postFields"> {
  readonly expansions?: readonly UserExpansion[];
}

/** Fields and related objects to bring along with message events. */
export interface DmEventSelection extends Pick<
  IncludedFields,
  "userFields" | "postFields" | "mediaFields"
> {
  readonly dmEventFields?: readonly DmEventField[];
  readonly expansions?: readonly DmEventExpansion[];
}

/** Which `…Fields` are for which included objects. */
interface FieldsFor {
  readonly userFields: "users";
  readonly postFields: "posts";
  readonly mediaFields: "media";
  readonly pollFields: "polls";
  readonly placeFields: "places";
}

/** Stands for a `…Fields` parameter that nothing in the request would use: ask for one of these expansions too. */
export interface NeedsExpansion<E> {
  readonly "ask for one of these expansions too": E;
}

/** The values of a list under `Key`; never where there is none. */
type Asked<S, Key extends string> = Key extends keyof S
  ? NonNullable<S[Key]> extends readonly (infer Value)[]
    ? Value
    : never
  : never;

type ExpansionOf<S> = Extract<Asked<S, "expansions">, Expansion>;

/**
 * `S` as it may be asked: no key that `Params` lacks, and no `…Fields` without an expansion that
 * brings such objects. `Own` are the fields that need none, because the primary objects take them.
 */
export type Checked<S, Params, Own extends string> = S & {
  readonly [Key in keyof S]: Key extends Own
    ? S[Key]
    : Key extends keyof FieldsFor
      ? Extract<Yields<ExpansionOf<S>>, FieldsFor[Key]> extends never
        ? NeedsExpansion<Extract<Yielding<FieldsFor[Key]>, ExpansionsOf<Params>>>
        : S[Key]
      : Key extends keyof Params
        ? S[Key]
        : never;
};

/** A selection of posts as it may be asked, alone or among an endpoint's own parameters. */
export type AskPosts<S, Params = PostSelection> = Checked<S, Params, "postFields">;

/** A selection of users as it may be asked. */
export type AskUsers<S, Params = UserSelection> = Checked<S, Params, "userFields">;

/** A selection of message events as it may be asked. */
export type AskDmEvents<S, Params = DmEventSelection> = Checked<S, Params, "dmEventFields">;

/** A selection that asks for nothing. */
export type Plain = object;

type ExpansionsOf<Params> = Params extends { readonly expansions?: readonly (infer E)[] }
  ? E
  : never;

/**
 * `All` cut down to its default fields and those asked for. A list that is not known to the compiler
 * (`PostField[]`) makes every further field optional.
 */
export type Picked<All, Defaults extends keyof All, Fields, Every> = [Every] extends [Fields]
  ? Pick<All, Defaults> & Partial<Omit<All, Defaults>>
  : Flat<Pick<All, Defaults | Extract<Fields, keyof All>>>;

type Flat<T> = { [Key in keyof T]: T[Key] };

type Default<Kind extends keyof typeof DEFAULT_FIELDS> = (typeof DEFAULT_FIELDS)[Kind][number];

/** A post with its default fields and those that `S` asks for. */
export type PostOf<S> = Picked<Post, Default<"post">, Asked<S, "postFields">, PostField>;

/** A user with its default fields and those that `S` asks for. */
export type UserOf<S> = Picked<User, Default<"user">, Asked<S, "userFields">, UserField>;

/** A message event with its default fields and those that `S` asks for. */
export type DmEventOf<S> = Picked<
  DmEvent,
  Default<"dm_event"> | "participant_ids",
  Asked<S, "dmEventFields">,
  DmEventField
>;

interface Included<S> {
  readonly users: UserOf<S>;
  readonly posts: PostOf<S>;
  readonly media: Picked<Media, Default<"media">, Asked<S, "mediaFields">, MediaField>;
  readonly polls: Picked<Poll, Default<"poll">, Asked<S, "pollFields">, PollField>;
  readonly places: Picked<Place, Default<"place">, Asked<S, "placeFields">, PlaceField>;
}

/** The related objects that `S` asks for: a list of each kind, empty where there were none. */
export type IncludesOf<S> = {
  readonly [Kind in Yields<ExpansionOf<S>>]: readonly Included<S>[Kind][];
};
