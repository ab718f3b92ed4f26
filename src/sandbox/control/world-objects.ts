/** A post as the sandbox keeps it; a deleted one stays, since replies to it do. */
export interface SandboxPost {
  readonly id: string;
  readonly author_id: string;
  readonly text: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly deleted: boolean;
  readonly in_reply_to_post_id?: string;
  readonly quoted_post_id?: string;
  readonly reposted_post_id?: string;
  readonly media_ids?: readonly string[];
  readonly poll_id?: string;
  readonly place_id?: string;
  /** App that sent it; absent for people at their own clients. */
  readonly app_id?: string;
}

/** A direct message, or somebody who came to a group or left it. */
export interface SandboxMessage {
  readonly id: string;
  readonly dm_conversation_id: string;
  readonly event_type: "MessageCreate" | "ParticipantsJoin" | "ParticipantsLeave";
  readonly sender_id: string;
  /** Of a conversation of two. */
  readonly recipient_id?: string;
  /** Of a group: who came or left. */
  readonly participant_ids?: readonly string[];
  readonly text: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly media_ids?: readonly string[];
  /** App that sent it; absent for people at their own clients. */
  readonly app_id?: string;
}

/** A medium that was uploaded, or is. */
export interface SandboxMedium {
  readonly id: string;
  /** As posts name it. */
  readonly media_key: string;
  readonly owner_id: string;
  /** Such as `tweet_image`. */
  readonly media_category: string;
  /** Such as `image/png`. */
  readonly media_type: string;
  /** `expired`: it can't be attached any more; what has it keeps it. */
  readonly state: "uploading" | "processing" | "ready" | "failed" | "expired";
  /** Those that came, of an upload that is under way. */
  readonly bytes: number;
  /** Pixels, of pictures whose bytes show it. */
  readonly width?: number;
  /** Pixels. */
  readonly height?: number;
  readonly alt_text?: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

/** A poll, with every field of the poll object. */
export interface SandboxPoll {
  readonly id: string;
  readonly options: readonly {
    /** 1 for the first. */
    readonly position: number;
    readonly label: string;
    readonly votes: number;
  }[];
  readonly duration_minutes: number;
  /** ISO 8601. */
  readonly end_datetime: string;
  readonly voting_status: "open" | "closed";
}

/** A place that posts can name, with every field of the place object. */
export interface SandboxPlace extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly full_name: string;
  readonly country: string;
  readonly country_code: string;
  readonly place_type: string;
}

/** A list of people that somebody keeps. */
export interface SandboxList {
  readonly id: string;
  readonly owner_id: string;
  readonly name: string;
  readonly description: string;
  readonly private: boolean;
  /** ISO 8601. */
  readonly created_at: string;
  readonly member_ids: readonly string[];
  readonly follower_ids: readonly string[];
}

/** A conversation by voice, with every field of the space object that it has. */
export interface SandboxSpace extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly creator_id: string;
  readonly state: "scheduled" | "live" | "ended";
  readonly title?: string;
  /** ISO 8601. */
  readonly created_at: string;
}

/** What there is in a sandbox besides people, by the name of its list. */
export interface WorldObjects {
  readonly posts: SandboxPost;
  readonly dm_events: SandboxMessage;
  readonly media: SandboxMedium;
  readonly polls: SandboxPoll;
  readonly places: SandboxPlace;
  readonly lists: SandboxList;
  readonly spaces: SandboxSpace;
}
