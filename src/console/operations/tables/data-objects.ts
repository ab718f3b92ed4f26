import {
  DM_EVENT_EXPANSIONS,
  DM_EVENT_FIELDS,
  LIST_EXPANSIONS,
  LIST_FIELDS,
  MEDIA_FIELDS,
  PLACE_FIELDS,
  POLL_FIELDS,
  POST_EXPANSIONS,
  POST_FIELDS,
  SPACE_EXPANSIONS,
  SPACE_FIELDS,
  USER_EXPANSIONS,
  USER_FIELDS,
} from "../../../protocol/fields.ts";
import { type DataKind, MAX_READ_OBJECTS } from "./data-kinds.ts";
import { factsOfPost, findObject, linked, missing, peopleOr, within } from "./facts.ts";
import { change, describe, join, leave, turn, vote } from "./object-forms.ts";
import type { DataScene } from "./scene.ts";
import type { ShownObject } from "./table.ts";

type ObjectOf = (scene: DataScene, id: string) => Promise<ShownObject>;

/** Functions that build the details of an object, by kind. */
export const DATA_OBJECTS: Readonly<Record<DataKind, ObjectOf>> = {
  users: async (scene, id) => {
    const person = scene.people.find((one) => one.id === id);
    if (person === undefined) throw missing("person", id);
    const { username } = person;
    return {
      title: `@${username}`,
      facts: [
        ["Id", [id]],
        ["Since", [{ at: String(person["created_at"]) }]],
        ...(scene.bot === undefined || scene.bot === id
          ? []
          : [["Talk", [{ to: `/chat?as=${username}`, text: `speak as @${username}` }]] as const]),
      ],
      forms: [change.form(person)],
      lookUp: {
        path: `/2/users/${id}`,
        parameter: "user.fields",
        fields: USER_FIELDS,
        expansions: USER_EXPANSIONS,
        as: "app",
      },
    };
  },
  posts: async (scene, id) => {
    const post = (await scene.control.objects("posts", MAX_READ_OBJECTS)).find(
      (one) => one.id === id,
    );
    return {
      title: "A post",
      facts: post === undefined ? [] : factsOfPost(scene, post),
      forms: [],
      lookUp: {
        path: `/2/posts/${id}`,
        parameter: "post.fields",
        fields: POST_FIELDS,
        expansions: POST_EXPANSIONS,
        as: "app",
      },
    };
  },
  messages: async (scene, id) => {
    const message = await findObject(scene, "dm_events", id, "message");
    const { sender_id, recipient_id, dm_conversation_id, created_at, text, media_ids } = message;
    return {
      title: "A message",
      facts: [
        ["By", [scene.person(sender_id)]],
        ["To", [recipient_id === undefined ? "a group" : scene.person(recipient_id)]],
        ["When", [{ at: created_at }]],
        ["Text", [text]],
        ["Conversation", [dm_conversation_id]],
        ...linked("Media", "media", media_ids),
      ],
      forms: [],
      lookUp: {
        path: `/2/dm_events/${id}`,
        parameter: "dm_event.fields",
        fields: DM_EVENT_FIELDS,
        expansions: DM_EVENT_EXPANSIONS,
        // the sender makes the request, because only participants of the conversation may read the message
        as: sender_id,
      },
    };
  },
  media: async (scene, id) => {
    const medium = await findObject(scene, "media", id, "medium");
    const { posts, ...lookUp } = await within(
      scene,
      ({ media_ids }) => media_ids?.includes(id) === true,
      {
        parameter: "media.fields",
        fields: MEDIA_FIELDS,
        ticked: ["attachments.media_keys"],
      },
    );
    const { width, height, alt_text, state } = medium;
    return {
      title: medium.media_key,
      facts: [
        ["Owner", [scene.person(medium.owner_id)]],
        ["Kind", [`${medium.media_category}, ${medium.media_type}`]],
        ["State", [state]],
        ["Bytes", [medium.bytes]],
        ...(width === undefined ? [] : [["Pixels", [`${width} × ${height}`]] as const]),
        ...(alt_text === undefined ? [] : [["Alternative text", [alt_text]] as const]),
        ["Can be attached until", [{ at: medium.expires_at }]],
        ["In POST /2/posts", [`{"text": "…", "media": {"media_ids": ["${id}"]}}`]],
        ...posts,
      ],
      forms: state === "ready" ? [describe.form(medium)] : [],
      ...lookUp,
    };
  },
  polls: async (scene, id) => {
    const poll = await findObject(scene, "polls", id, "poll");
    const { posts, ...lookUp } = await within(scene, ({ poll_id }) => poll_id === id, {
      parameter: "poll.fields",
      fields: POLL_FIELDS,
      ticked: ["attachments.poll_ids"],
    });
    return {
      title: "A poll",
      facts: [
        ...poll.options.map(({ label, votes }) => [label, [votes]] as const),
        [poll.voting_status === "open" ? "Closes" : "Closed", [{ at: poll.end_datetime }]],
        ...posts,
      ],
      forms: poll.voting_status === "open" ? [vote.form(scene, poll)] : [],
      ...lookUp,
    };
  },
  places: async (scene, id) => {
    const place = await findObject(scene, "places", id, "place");
    const { posts, ...lookUp } = await within(scene, ({ place_id }) => place_id === id, {
      parameter: "place.fields",
      fields: PLACE_FIELDS,
      ticked: ["geo.place_id"],
    });
    return {
      title: place.full_name,
      facts: [
        ["Kind", [place.place_type]],
        ["Country", [`${place.country}, ${place.country_code}`]],
        ["In POST /2/posts", [`{"text": "…", "geo": {"place_id": "${id}"}}`]],
        ...posts,
      ],
      forms: [],
      ...lookUp,
    };
  },
  lists: async (scene, id) => {
    const list = await findObject(scene, "lists", id, "list");
    return {
      title: list.name,
      facts: [
        ["Owner", [scene.person(list.owner_id)]],
        ...(list.description === "" ? [] : [["Description", [list.description]] as const]),
        ["Seen by", [list.private ? "its owner" : "everybody"]],
        ["Members", peopleOr(scene, list.member_ids)],
        ["Followers", peopleOr(scene, list.follower_ids)],
      ],
      forms: [
        join.form(scene, list),
        ...(list.member_ids.length === 0 ? [] : [leave.form(scene, list)]),
      ],
      lookUp: {
        path: `/2/lists/${id}`,
        parameter: "list.fields",
        fields: LIST_FIELDS,
        expansions: LIST_EXPANSIONS,
        as: list.owner_id,
      },
    };
  },
  spaces: async (scene, id) => {
    const space = await findObject(scene, "spaces", id, "space");
    return {
      title: space.title ?? "A space",
      facts: [
        ["By", [scene.person(space.creator_id)]],
        ["State", [space.state]],
        ["Created", [{ at: space.created_at }]],
      ],
      forms: [turn.form(space)],
      lookUp: {
        path: `/2/spaces/${id}`,
        parameter: "space.fields",
        fields: SPACE_FIELDS,
        expansions: SPACE_EXPANSIONS,
        as: "app",
      },
    };
  },
};
