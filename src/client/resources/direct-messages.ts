import { z } from "zod";
import { checkedPart, dataOf } from "../reading/response.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { type Endpoint, type Endpoints, SIGNED, USER } from "../http/endpoint.ts";
import { messageBody, type NewMessage } from "./new-message.ts";
import type { DmEventType } from "../objects/dm-event.ts";
import type { Paged } from "../reading/paging.ts";
import { type DmEventResult, type DmEventPage, readOne, readPages } from "../reading/read.ts";
import type {
  ValidDmEventSelection,
  DmEventOf,
  DmEventSelection,
  EmptySelection,
} from "../reading/selection.ts";
import { dmEventsWith } from "../reading/shapes.ts";
import { type PageParams, listQuery } from "../reading/list-params.ts";

const Sent = z.object({ dm_conversation_id: z.string(), dm_event_id: z.string() });
const Deleted = z.object({ deleted: z.boolean() });
const Downloaded = z.object({ media_type: z.string(), base64: z.string() });

/** Ids of a sent message's conversation and event. */
export type SentMessage = z.infer<typeof Sent>;

/** Parameters of a list of message events. */
export interface DmListParams extends PageParams, DmEventSelection {
  readonly eventTypes?: readonly DmEventType[] | undefined;
}

/** A new group: two to 49 other participants, and its first message. */
export interface NewGroup {
  readonly participantIds: readonly string[];
  readonly message: NewMessage;
}

/** A downloaded media file of a message. */
export interface DownloadedMedia {
  readonly bytes: Buffer;
  /** MIME type such as `image/jpeg`. */
  readonly mediaType: string;
}

/** Direct messages: send, read, delete. All methods need the permission level for direct messages. */
export interface DirectMessagesMethods {
  /**
   * Sends a message to one user. Webhooks receive these messages too.
   *
   * @example
   * const sent = await client.dms.send({ participantId: "42", text: "Your order has left." });
   * console.log(sent.dm_event_id);
   */
  send(
    message: NewMessage & { readonly participantId: string },
    options?: CallOptions,
  ): Promise<SentMessage>;
  /** Sends a message to a conversation, such as a group. */
  sendTo(
    message: NewMessage & { readonly conversationId: string },
    options?: CallOptions,
  ): Promise<SentMessage>;
  /** Creates a group. */
  createGroup(group: NewGroup, options?: CallOptions): Promise<SentMessage>;
  /** Events of all the user's conversations in the last 30 days, newest first. */
  events<const S extends DmListParams = EmptySelection>(
    params?: ValidDmEventSelection<S, DmListParams>,
    options?: CallOptions,
  ): Paged<DmEventOf<S>, DmEventPage<S>>;
  /** Events of the conversation with one user, newest first. */
  eventsWith<const S extends DmListParams = EmptySelection>(
    participantId: string,
    params?: ValidDmEventSelection<S, DmListParams>,
    options?: CallOptions,
  ): Paged<DmEventOf<S>, DmEventPage<S>>;
  /** Events of a conversation, newest first. */
  eventsIn<const S extends DmListParams = EmptySelection>(
    conversationId: string,
    params?: ValidDmEventSelection<S, DmListParams>,
    options?: CallOptions,
  ): Paged<DmEventOf<S>, DmEventPage<S>>;
  /** Returns an event. @throws PlatformError with `notFound` if it does not exist */
  event<const S extends DmEventSelection = EmptySelection>(
    eventId: string,
    selection?: ValidDmEventSelection<S>,
    options?: CallOptions,
  ): Promise<DmEventResult<S>>;
  /**
   * Downloads a message's picture, GIF or video, of up to 32 MiB, by its URL in the message.
   *
   * @example
   * const { bytes, mediaType } = await client.dms.downloadMedia(ctx.event.message.mediaUrl ?? "");
   *
   * @throws PlatformError with `notFound` if the user is not a participant, UsageError for another URL
   */
  downloadMedia(url: string, options?: CallOptions): Promise<DownloadedMedia>;
  /** Deletes an event from the user's own view. */
  deleteEvent(eventId: string, options?: CallOptions): Promise<{ deleted: boolean }>;
}

/** Endpoints of the direct message methods. */
export const DMS = {
  send: { method: "POST", path: "/2/dm_conversations/with/:participant_id/messages", takes: USER },
  sendTo: { method: "POST", path: "/2/dm_conversations/:dm_conversation_id/messages", takes: USER },
  createGroup: { method: "POST", path: "/2/dm_conversations", takes: USER },
  events: { method: "GET", path: "/2/dm_events", takes: USER },
  eventsWith: { method: "GET", path: "/2/dm_conversations/with/:user_id/dm_events", takes: USER },
  eventsIn: {
    method: "GET",
    path: "/2/dm_conversations/:dm_conversation_id/dm_events",
    takes: USER,
  },
  event: { method: "GET", path: "/2/dm_events/:event_id", takes: USER },
  downloadMedia: {
    method: "GET",
    path: "/1.1/ton/data/dm/:message_id/:media_id/:file",
    takes: SIGNED,
  },
  deleteEvent: { method: "DELETE", path: "/2/dm_events/:event_id", takes: USER },
} as const satisfies Endpoints<DirectMessagesMethods>;

/** Reads a list of message events page by page. */
function eventList<S extends DmListParams>(
  caller: Caller,
  endpoint: Endpoint,
  path: Readonly<Record<string, string>>,
  params: ValidDmEventSelection<S, DmListParams> | undefined,
  options: CallOptions | undefined,
): Paged<DmEventOf<S>, DmEventPage<S>> {
  const query = { event_types: params?.eventTypes, ...listQuery(params ?? {}) };
  const shape = dmEventsWith<S>(params);
  const read = { endpoint, input: { path, query }, selection: params, shape, options };
  return readPages<DmEventOf<S>, S>(caller, read);
}

/** Creates the methods of direct messages, which send their requests through `caller`. */
export function directMessages(caller: Caller): DirectMessagesMethods {
  return {
    send: async ({ participantId, ...message }, options) => {
      const input = { path: { participant_id: participantId }, json: messageBody(message) };
      return dataOf(await caller.call(DMS.send, input, options), Sent);
    },
    sendTo: async ({ conversationId, ...message }, options) => {
      const input = { path: { dm_conversation_id: conversationId }, json: messageBody(message) };
      return dataOf(await caller.call(DMS.sendTo, input, options), Sent);
    },
    createGroup: async ({ participantIds, message }, options) => {
      const group = { conversation_type: "Group", participant_ids: participantIds };
      const input = { json: { ...group, message: messageBody(message) } };
      return dataOf(await caller.call(DMS.createGroup, input, options), Sent);
    },
    events: <S extends DmListParams>(
      params?: ValidDmEventSelection<S, DmListParams>,
      options?: CallOptions,
    ) => eventList<S>(caller, DMS.events, {}, params, options),
    eventsWith: <S extends DmListParams>(
      userId: string,
      params?: ValidDmEventSelection<S, DmListParams>,
      options?: CallOptions,
    ) => eventList<S>(caller, DMS.eventsWith, { user_id: userId }, params, options),
    eventsIn: <S extends DmListParams>(
      conversationId: string,
      params?: ValidDmEventSelection<S, DmListParams>,
      options?: CallOptions,
    ) =>
      eventList<S>(caller, DMS.eventsIn, { dm_conversation_id: conversationId }, params, options),
    event: <S extends DmEventSelection>(
      eventId: string,
      selection?: ValidDmEventSelection<S>,
      options?: CallOptions,
    ) => {
      const input = { path: { event_id: eventId } };
      const read = {
        endpoint: DMS.event,
        input,
        selection,
        shape: dmEventsWith<S>(selection),
        options,
      };
      return readOne<DmEventOf<S>, S>(caller, read);
    },
    downloadMedia: async (url, options) => {
      const answer = await caller.call(DMS.downloadMedia, { url }, options);
      const { base64, media_type } = checkedPart(answer, answer.body, Downloaded, "body");
      return { bytes: Buffer.from(base64, "base64"), mediaType: media_type };
    },
    deleteEvent: async (eventId, options) =>
      dataOf(await caller.call(DMS.deleteEvent, { path: { event_id: eventId } }, options), Deleted),
  };
}
