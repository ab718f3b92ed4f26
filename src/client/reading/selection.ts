import {
  DEFAULT_FIELDS,
  type DmEventExpansion,
  type DmEventField,
  type ListExpansion,
  type ListField,
  type MediaField,
  type PlaceField,
  type PollField,
  type PostExpansion,
  type PostField,
  type SpaceExpansion,
  type SpaceField,
  type TopicField,
  type UserExpansion,
  type UserField,
} from "../../protocol/fields.ts";
import type { Media, Place, Poll } from "../objects/attachment.ts";
import type { DmEvent } from "../objects/dm-event.ts";
import type { PeopleList } from "../objects/people-list.ts";
import type { Post } from "../objects/post.ts";
import type { Space, SpaceTopic } from "../objects/space.ts";
import type { User } from "../objects/user.ts";

/** Kinds of objects in the `includes` of a response. */
export type IncludeKind = "users" | "posts" | "media" | "polls" | "places" | "topics";

/** Kinds of objects that each expansion adds to `includes`. */
export const EXPANSION_INCLUDES = {
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
  owner_id: ["users"],
  creator_id: ["users"],
  host_ids: ["users"],
  invited_user_ids: ["users"],
  speaker_ids: ["users"],
  topic_ids: ["topics"],
} as const satisfies Record<Expansion, readonly IncludeKind[]>;

/** Names of all expansions: those of posts, users, message events, lists and spaces. */
export type Expansion =
  | PostExpansion
  | UserExpansion
  | DmEventExpansion
  | ListExpansion
  | SpaceExpansion;

type KindsIncludedBy<E extends Expansion> = (typeof EXPANSION_INCLUDES)[E][number];

/** Names of the expansions that add objects of type `Kind` to `includes`. */
export type ExpansionsIncluding<Kind extends IncludeKind> = {
  [E in Expansion]: Kind extends KindsIncludedBy<E> ? E : never;
}[Expansion];

/** Fields to request of the objects that expansions add to `includes`. */
interface IncludedFields {
  readonly userFields?: readonly UserField[];
  readonly postFields?: readonly PostField[];
  readonly mediaFields?: readonly MediaField[];
  readonly pollFields?: readonly PollField[];
  readonly placeFields?: readonly PlaceField[];
}

/** Fields and expansions of posts. `postFields` also apply to included posts. */
export interface PostSelection extends IncludedFields {
  readonly expansions?: readonly PostExpansion[];
}

/** Fields and expansions of users. `userFields` also apply to included users. */
export interface UserSelection extends Pick<IncludedFields, "userFields" | "postFields"> {
  readonly expansions?: readonly UserExpansion[];
}

/** Fields and expansions of message events. */
export interface DmEventSelection extends Pick<
  IncludedFields,
  "userFields" | "postFields" | "mediaFields"
> {
  readonly dmEventFields?: readonly DmEventField[];
  readonly expansions?: readonly DmEventExpansion[];
}

/** Fields and expansions of lists. */
export interface PeopleListSelection extends Pick<IncludedFields, "userFields"> {
  readonly listFields?: readonly ListField[];
  readonly expansions?: readonly ListExpansion[];
}

/** Fields and expansions of spaces. */
export interface SpaceSelection extends Pick<IncludedFields, "userFields"> {
  readonly spaceFields?: readonly SpaceField[];
  readonly topicFields?: readonly TopicField[];
  readonly expansions?: readonly SpaceExpansion[];
}

/** Fields of media. */
export interface MediaSelection {
  readonly mediaFields?: readonly MediaField[];
}

/** Kind of included objects to which each `…Fields` parameter applies. */
interface FieldsFor {
  readonly userFields: "users";
  readonly postFields: "posts";
  readonly mediaFields: "media";
  readonly pollFields: "polls";
  readonly placeFields: "places";
  readonly topicFields: "topics";
}

/** TypeScript type of a `…Fields` parameter that has no effect without one of the expansions `E`. */
export interface NeedsExpansion<E> {
  readonly "ask for one of these expansions too": E;
}

/** Element type of the list `S[Key]`; `never` if `S` has no such list. */
type SelectedValues<S, Key extends string> = Key extends keyof S
  ? NonNullable<S[Key]> extends readonly (infer Value)[]
    ? Value
    : never
  : never;

type SelectedExpansion<S> = Extract<SelectedValues<S, "expansions">, Expansion>;

/**
 * `S`, a type of requested fields and expansions, if it is valid. A valid `S` has no key that `Params` lacks, and no
 * `…Fields` without an expansion that adds such objects. Fields in `Own` need no expansion, because they apply to the
 * primary objects.
 */
export type ValidSelection<S, Params, Own extends string> = S & {
  readonly [Key in keyof S]: Key extends Own
    ? S[Key]
    : Key extends keyof FieldsFor
      ? Extract<KindsIncludedBy<SelectedExpansion<S>>, FieldsFor[Key]> extends never
        ? NeedsExpansion<Extract<ExpansionsIncluding<FieldsFor[Key]>, AllowedExpansion<Params>>>
        : S[Key]
      : Key extends keyof Params
        ? S[Key]
        : never;
};

/** Valid fields and expansions for a request of posts, alone or among an endpoint's own parameters. */
export type ValidPostSelection<S, Params = PostSelection> = ValidSelection<S, Params, "postFields">;

/** Valid fields and expansions for a request of users. */
export type ValidUserSelection<S, Params = UserSelection> = ValidSelection<S, Params, "userFields">;

/** Valid fields and expansions for a request of message events. */
export type ValidDmEventSelection<S, Params = DmEventSelection> = ValidSelection<
  S,
  Params,
  "dmEventFields"
>;

/** Valid fields and expansions for a request of lists of people. */
export type ValidPeopleListSelection<S, Params = PeopleListSelection> = ValidSelection<
  S,
  Params,
  "listFields"
>;

/** Valid fields and expansions for a request of spaces. */
export type ValidSpaceSelection<S, Params = SpaceSelection> = ValidSelection<
  S,
  Params,
  "spaceFields"
>;

/** Valid fields for a request of media objects. */
export type ValidMediaSelection<S, Params = MediaSelection> = ValidSelection<
  S,
  Params,
  "mediaFields"
>;

/** A request without fields and expansions. */
export type EmptySelection = object;

type AllowedExpansion<Params> = Params extends { readonly expansions?: readonly (infer E)[] }
  ? E
  : never;

/**
 * `All` reduced to its default and selected fields. If the compiler does not know the selected names (`PostField[]`),
 * every other field is optional.
 */
export type WithFields<All, Defaults extends keyof All, Fields, Every> = [Every] extends [Fields]
  ? Pick<All, Defaults> & Partial<Omit<All, Defaults>>
  : Flat<Pick<All, Defaults | Extract<Fields, keyof All>>>;

type Flat<T> = { [Key in keyof T]: T[Key] };

type Default<Kind extends keyof typeof DEFAULT_FIELDS> = (typeof DEFAULT_FIELDS)[Kind][number];

/** A post with its default fields and the fields that `S` selects. */
export type PostOf<S> = WithFields<
  Post,
  Default<"post">,
  SelectedValues<S, "postFields">,
  PostField
>;

/** A user with its default fields and the fields that `S` selects. */
export type UserOf<S> = WithFields<
  User,
  Default<"user">,
  SelectedValues<S, "userFields">,
  UserField
>;

/** A message event with its default fields and the fields that `S` selects. */
export type DmEventOf<S> = WithFields<
  DmEvent,
  Default<"dm_event"> | "participant_ids",
  SelectedValues<S, "dmEventFields">,
  DmEventField
>;

/** A list with its default fields and the fields that `S` selects. */
export type PeopleListOf<S> = WithFields<
  PeopleList,
  Default<"list">,
  SelectedValues<S, "listFields">,
  ListField
>;

/** A space with its default fields and the fields that `S` selects. */
export type SpaceOf<S> = WithFields<
  Space,
  Default<"space">,
  SelectedValues<S, "spaceFields">,
  SpaceField
>;

/** A media object with its default fields and the fields that `S` selects. */
export type MediumOf<S> = WithFields<
  Media,
  Default<"media">,
  SelectedValues<S, "mediaFields">,
  MediaField
>;

interface Included<S> {
  readonly users: UserOf<S>;
  readonly posts: PostOf<S>;
  readonly media: MediumOf<S>;
  readonly polls: WithFields<Poll, Default<"poll">, SelectedValues<S, "pollFields">, PollField>;
  readonly places: WithFields<
    Place,
    Default<"place">,
    SelectedValues<S, "placeFields">,
    PlaceField
  >;
  readonly topics: WithFields<
    SpaceTopic,
    Default<"topic">,
    SelectedValues<S, "topicFields">,
    TopicField
  >;
}

/** Included objects by kind, for the kinds that the expansions of `S` add. A kind without objects has an empty list. */
export type IncludesOf<S> = {
  readonly [Kind in KindsIncludedBy<SelectedExpansion<S>>]: readonly Included<S>[Kind][];
};
