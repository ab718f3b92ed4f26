import * as z from "zod";
import { OperationError } from "../operation.ts";
import { filled, maker, optionsOf, several, YES_NO, yesNo } from "./maker.ts";
import type { DataScene } from "./scene.ts";
import type { FormField } from "./table.ts";
import { handleOf } from "../../../text/handle.ts";

/** Smallest files that the platform accepts, as base64: PNG, and below GIF and MP4. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const MP4 = "AAAAGGZ0eXBpc29tAAACAGlzb21pc28yAAAACGZyZWU=";

/** Sample files for uploads, by media category. */
const SAMPLES = {
  tweet_image: { words: "a picture for posts", base64: PNG },
  tweet_gif: { words: "a GIF for posts", base64: GIF },
  tweet_video: { words: "a video for posts", base64: MP4 },
  dm_image: { words: "a picture for messages", base64: PNG },
} as const;

/**
 * Returns the sample file of a media category as base64.
 *
 * @throws {OperationError} for a category without a sample.
 */
function sampleOf(category: string): string {
  const sampleEntry = Object.entries(SAMPLES).find(([name]) => name === category);
  if (sampleEntry === undefined) throw new OperationError(`there is no sample of ${category}`);
  return sampleEntry[1].base64;
}

const text: FormField = { name: "text", label: "Text" };

export const person = maker(
  () => ({
    what: "person",
    title: "Add a person",
    fields: [
      { name: "username", label: "Handle" },
      { name: "name", label: "Name", optional: true },
    ],
    button: "Add",
  }),
  z.strictObject({ username: filled, name: z.string().trim() }),
  async ({ control }, { username, name }) => {
    const handle = handleOf(username);
    await control.user(handle, name === "" ? {} : { name });
    return `@${handle} is added.`;
  },
);

export const post = maker(
  ({ choice }: DataScene) => ({
    what: "post",
    title: "Post something",
    fields: [choice("by", "By"), text],
    button: "Post",
  }),
  z.strictObject({ by: filled, text: filled }),
  async ({ control }, { by, text: words }) => {
    await control.act(by, { type: "post", text: words });
    return "Posted.";
  },
);

export const message = maker(
  ({ choice, bot, people }: DataScene) => ({
    what: "message",
    title: "Write a message",
    fields: [choice("by", "By"), choice("to", "To", bot ?? people[1]?.id), text],
    button: "Send",
  }),
  z.strictObject({ by: filled, to: filled, text: filled }),
  async ({ control }, { by, to, text: words }) => {
    await control.act(by, { type: "dm", to, text: words });
    return "Sent.";
  },
);

export const medium = maker(
  ({ choice }: DataScene) => ({
    what: "medium",
    title: "Upload a sample",
    fields: [
      choice("by", "By"),
      {
        name: "kind",
        label: "What",
        options: Object.entries(SAMPLES).map(([kind, { words }]) => [kind, words] as const),
      },
    ],
    button: "Upload",
    keeps: true,
  }),
  z.strictObject({ by: filled, kind: filled }),
  async ({ perform }, { by, kind }) => {
    const body = JSON.stringify({ media: sampleOf(kind), media_category: kind });
    await perform({ method: "POST", path: "/2/media/upload", as: by, body });
    return "Uploaded.";
  },
);

export const poll = maker(
  ({ choice }: DataScene) => ({
    what: "poll",
    title: "Post a poll",
    fields: [
      choice("by", "By"),
      { ...text, label: "Question" },
      { name: "options", label: "Options, separated by commas", value: "yes, no" },
      { name: "minutes", label: "Duration in minutes", value: "60", type: "number" },
    ],
    button: "Post",
  }),
  z.strictObject({ by: filled, text: filled, options: several, minutes: z.coerce.number() }),
  async ({ perform }, { by, text: words, options, minutes }) => {
    const body = JSON.stringify({ text: words, poll: { options, duration_minutes: minutes } });
    await perform({ method: "POST", path: "/2/posts", as: by, body });
    return "The poll is open.";
  },
);

export const place = maker(
  () => ({
    what: "place",
    title: "Create a place",
    fields: [
      { name: "full_name", label: "Name", value: "Bonn, Germany" },
      { name: "country", label: "Country", value: "Germany" },
      { name: "country_code", label: "Country code", value: "DE" },
    ],
    button: "Create",
  }),
  z.strictObject({ full_name: filled, country: filled, country_code: filled }),
  async ({ control }, spec) => {
    await control.place(spec);
    return `${spec.full_name} is created.`;
  },
);

export const list = maker(
  ({ choice }: DataScene) => ({
    what: "list",
    title: "Create a list",
    fields: [
      choice("by", "Owner"),
      { name: "name", label: "Name" },
      { name: "description", label: "Description", optional: true },
      { name: "private", label: "Private", options: YES_NO },
    ],
    button: "Create",
  }),
  z.strictObject({
    by: filled,
    name: filled,
    description: z.string(),
    private: yesNo,
  }),
  async ({ perform }, { by, private: closed, ...said }) => {
    const body = JSON.stringify({ ...said, private: closed });
    await perform({ method: "POST", path: "/2/lists", as: by, body });
    return `The list ${said.name} is created.`;
  },
);

export const space = maker(
  ({ choice }: DataScene) => ({
    what: "space",
    title: "Open a space",
    fields: [
      choice("by", "By"),
      { name: "title", label: "Title" },
      { name: "state", label: "State", options: optionsOf(["live", "scheduled"]) },
    ],
    button: "Open",
  }),
  z.strictObject({ by: filled, title: filled, state: z.enum(["live", "scheduled"]) }),
  async ({ control }, { by, title, state }) => {
    await control.space({ creator_id: by, title, state });
    return "The space is created.";
  },
);
