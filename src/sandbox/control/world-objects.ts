/** A post as the sandbox stores it. A deleted post stays stored, because replies may refer to it. */
export interface SandboxPost {
  readonly id: string;
  readonly author_id: string;
  readonly text: string;
  /** Time of creation in ISO 8601. */
  readonly created_at: string;
  readonly deleted: boolean;
  readonly in_reply_to_post_id?: string;
  readonly quoted_post_id?: string;
  readonly reposted_post_id?: string;
  readonly media_ids?: readonly string[];
  readonly poll_id?: string;
  readonly place_id?: string;
  /** App that sent the post; absent if the person used the platform's own app. */
  readonly app_id?: string;
}

/** A direct message, or the event that people joined or left a group conversation. */
export interface SandboxMessage {
  readonly id: string;
  readonly dm_conversation_id: string;
  readonly event_type: "MessageCreate" | "ParticipantsJoin" | "ParticipantsLeave";
  readonly sender_id: string;
  /** Id of the recipient, in conversations of two people. */
  readonly recipient_id?: string;
  /** Ids of the people who joined or left, in groups. */
  readonly participant_ids?: readonly string[];
  readonly text: string;
  /** Time of sending in ISO 8601. */
  readonly created_at: string;
  readonly media_ids?: readonly string[];
  /** App that sent the message; absent if the person used the platform's own app. */
  readonly app_id?: string;
}

/** A medium whose upload is complete or in progress. */
export interface SandboxMedium {
  readonly id: string;
  /** Media key, by which posts refer to the medium. */
  readonly media_key: string;
  readonly owner_id: string;
  /** Category, for example `tweet_image`. */
  readonly media_category: string;
  /** MIME type, for example `image/png`. */
  readonly media_type: string;
  /** Processing state. An `expired` medium can't be attached any more, but stays in its posts. */
  readonly state: "uploading" | "processing" | "ready" | "failed" | "expired";
  /** Size in bytes; during the upload, the number of bytes received. */
  readonly bytes: number;
  /** Width in pixels; only for pictures whose file format states it. */
  readonly width?: number;
  /** Height in pixels; present together with `width`. */
  readonly height?: number;
  readonly alt_text?: string;
  /** Time from which the medium can no longer be attached, in ISO 8601. */
  readonly expires_at: string;
}

/** A poll, with every field of the poll object. */
export interface SandboxPoll {
  readonly id: string;
  readonly options: readonly {
    /** Position of the option; 1 for the first. */
    readonly position: number;
    readonly label: string;
    readonly votes: number;
  }[];
  readonly duration_minutes: number;
  /** Time at which the poll closes, in ISO 8601. */
  readonly end_datetime: string;
  readonly voting_status: "open" | "closed";
}

/** A geographic place that posts can be tagged with, with every field of the platform's place object. */
export interface SandboxPlace extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly full_name: string;
  readonly country: string;
  readonly country_code: string;
  readonly place_type: string;
}

/** A list of people, owned by a user. */
export interface SandboxList {
  readonly id: string;
  readonly owner_id: string;
  readonly name: string;
  readonly description: string;
  readonly private: boolean;
  /** Time of creation in ISO 8601. */
  readonly created_at: string;
  readonly member_ids: readonly string[];
  readonly follower_ids: readonly string[];
}

/** A space (live audio conversation), with all fields of the platform's space object that have a value. */
export interface SandboxSpace extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly creator_id: string;
  readonly state: "scheduled" | "live" | "ended";
  readonly title?: string;
  /** Time of creation in ISO 8601. */
  readonly created_at: string;
}

/** TypeScript type of each kind of object that `ControlClient.objects` returns. */
export interface WorldObjects {
  readonly posts: SandboxPost;
  readonly dm_events: SandboxMessage;
  readonly media: SandboxMedium;
  readonly polls: SandboxPoll;
  readonly places: SandboxPlace;
  readonly lists: SandboxList;
  readonly spaces: SandboxSpace;
}
