import * as z from "zod";
import type { SandboxUser } from "../../../sandbox/control/objects.ts";
import type {
  SandboxList,
  SandboxMedium,
  SandboxPoll,
  SandboxSpace,
} from "../../../sandbox/control/world-objects.ts";
import { filled, hidden, maker, optionsOf, yesNo } from "./maker.ts";
import type { DataScene } from "./scene.ts";

const PROFILE = ["name", "description", "location", "url"] as const;

export const change = maker(
  (one: SandboxUser) => ({
    what: "change",
    title: `Change @${one.username}`,
    fields: [
      hidden("id", one.id),
      ...PROFILE.map((name) => {
        const value = one[name];
        return {
          name,
          label: name,
          value: typeof value === "string" ? value : "",
          optional: name !== "name",
        };
      }),
      {
        name: "protected",
        label: "protected",
        options: optionsOf(one["protected"] === true ? ["yes", "no"] : ["no", "yes"]),
      },
    ],
    button: "Save",
    keeps: true,
  }),
  z.strictObject({
    id: filled,
    name: filled,
    description: z.string(),
    location: z.string(),
    url: z.string(),
    protected: yesNo,
  }),
  async ({ control, people }, { id, ...filledIn }) => {
    const before = people.find((one) => one.id === id);
    const changed = Object.entries(filledIn).filter(
      ([name, value]) => value !== (before?.[name] ?? (name === "protected" ? false : "")),
    );
    const { username } = await control.changeUser(id, Object.fromEntries(changed));
    return `@${username} is changed.`;
  },
);

export const describe = maker(
  ({ id, owner_id, alt_text = "" }: SandboxMedium) => ({
    what: "describe",
    title: "Describe it",
    fields: [
      hidden("id", id),
      hidden("by", owner_id),
      { name: "text", label: "Alternative text", value: alt_text },
    ],
    button: "Save",
    keeps: true,
  }),
  z.strictObject({ id: filled, by: filled, text: filled }),
  async ({ perform }, { id, by, text: words }) => {
    const body = JSON.stringify({ id, metadata: { alt_text: { text: words } } });
    await perform({ method: "POST", path: "/2/media/metadata", as: by, body });
    return "Saved.";
  },
);

export const vote = maker(
  ({ choice }: DataScene, { id, options }: SandboxPoll) => ({
    what: "vote",
    title: "Vote",
    fields: [
      hidden("id", id),
      choice("by", "Who"),
      {
        name: "position",
        label: "Option",
        options: options.map(({ position, label }) => [String(position), label] as const),
      },
    ],
    button: "Vote",
    keeps: true,
  }),
  z.strictObject({ id: filled, by: filled, position: z.coerce.number() }),
  async ({ control }, { id, by, position }) => {
    await control.vote(id, by, position);
    return "The vote is counted.";
  },
);

const tie = z.strictObject({ id: filled, owner: filled, who: filled });

export const join = maker(
  ({ choice }: DataScene, one: SandboxList) => ({
    what: "join",
    title: "Add to the list",
    fields: [hidden("id", one.id), hidden("owner", one.owner_id), choice("who", "Who")],
    button: "Add",
  }),
  tie,
  async ({ perform }, { id, owner, who }) => {
    const body = JSON.stringify({ user_id: who });
    await perform({ method: "POST", path: `/2/lists/${id}/members`, as: owner, body });
    return "Added.";
  },
);

export const leave = maker(
  ({ choice }: DataScene, one: SandboxList) => ({
    what: "leave",
    title: "Remove from the list",
    fields: [
      hidden("id", one.id),
      hidden("owner", one.owner_id),
      {
        ...choice("who", "Who", one.member_ids[0]),
        options: [...(choice("who", "Who").options ?? [])].filter(([id]) =>
          one.member_ids.includes(id),
        ),
      },
    ],
    button: "Remove",
  }),
  tie,
  async ({ perform }, { id, owner, who }) => {
    await perform({ method: "DELETE", path: `/2/lists/${id}/members/${who}`, as: owner });
    return "Removed.";
  },
);

const states = z.enum(["scheduled", "live", "ended"]);

export const turn = maker(
  ({ id, state }: SandboxSpace) => ({
    what: "turn",
    title: "Start or end it",
    fields: [
      hidden("id", id),
      {
        name: "state",
        label: "State",
        options: optionsOf([...new Set([state, ...states.options])]),
      },
    ],
    button: "Save",
    keeps: true,
  }),
  z.strictObject({ id: filled, state: states }),
  async ({ control }, { id, state }) => {
    await control.changeSpace(id, { state });
    return `The space is ${state}.`;
  },
);
