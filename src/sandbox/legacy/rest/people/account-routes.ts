import type { UserRow } from "../../../model/accounts.ts";
import { userOf } from "../../../auth/caller.ts";
import { changeSettings, changeUser } from "../../../accounts/users.ts";
import type { Route, RouteCall, RouteResponse } from "../../../server/route.ts";
import { LEGACY } from "../../ledger.ts";
import { badParameter, coded } from "../coded-errors.ts";
import { LegacyParameters } from "../parameters.ts";
import { personInStatus } from "../render-status.ts";
import { renderPerson } from "../render-person.ts";
import { legacyBody } from "../respond.ts";
import { viewOf } from "../status-view.ts";
import { renderSettings, settingsIn } from "./account-settings.ts";
import { fileIn, pictureUrl } from "./pictures.ts";

/** Body limit of a request with a picture, in bytes, which allows for base64. */
const PICTURE = { maxBytes: 8 * 1024 * 1024 };

/** Maximum lengths of the texts of a profile, in characters, by the parameter that sets the text. */
const LENGTHS = { name: 50, url: 100, location: 30, description: 160 } as const;

const ofOneself = { ledger: LEGACY, auth: ["oauth1"] } as const;
const writing = {
  ...ofOneself,
  method: "POST",
  level: "read-write",
  limits: { user: 15 },
} as const;

/** Routes for the caller's own profile and settings. */
export const accountRoutes: readonly Route[] = [
  {
    ...ofOneself,
    method: "GET",
    path: "/1.1/account/settings.json",
    limits: { user: 15 },
    handle: ({ caller }) => legacyBody(renderSettings(userOf(caller))),
  },
  {
    ...writing,
    path: "/1.1/account/settings.json",
    handle: (call) => {
      const settings = settingsIn(new LegacyParameters(call));
      return legacyBody(
        renderSettings(changeSettings(call.sandbox, userOf(call.caller), settings)),
      );
    },
  },
  { ...writing, path: "/1.1/account/update_profile.json", handle: updateProfile },
  {
    ...writing,
    body: PICTURE,
    path: "/1.1/account/update_profile_image.json",
    handle: (call) => {
      const url = pictureUrl(fileIn(call, "image"));
      const patch = { profile_image_url: url };
      return shown(call, changeUser(call.sandbox, userOf(call.caller), patch));
    },
  },
  {
    ...writing,
    body: PICTURE,
    path: "/1.1/account/update_profile_banner.json",
    handle: (call) => {
      const url = pictureUrl(fileIn(call, "banner"));
      changeUser(call.sandbox, userOf(call.caller), { profile_banner_url: url });
      return { status: 200, text: "" };
    },
  },
  {
    ...writing,
    path: "/1.1/account/remove_profile_banner.json",
    handle: (call) => {
      changeUser(call.sandbox, userOf(call.caller), { profile_banner_url: "" });
      return { status: 200, text: "" };
    },
  },
];

/**
 * Changes the texts of a profile. An empty text removes the old text.
 *
 * @throws {ApiError} 400: code 44 for an invalid value, code 25 for an empty name.
 */
function updateProfile(call: RouteCall): RouteResponse {
  const params = new LegacyParameters(call);
  const text = (name: keyof typeof LENGTHS): string | undefined => {
    const value = params.sent(name);
    if (Array.from(value ?? "").length > LENGTHS[name]) throw badParameter(name);
    return value;
  };
  const color = params.text("profile_link_color");
  if (color !== undefined && !/^[0-9a-f]{3}(?:[0-9a-f]{3})?$/i.test(color)) {
    throw badParameter("profile_link_color");
  }
  const [name, url, place, description] = [
    text("name"),
    text("url"),
    text("location"),
    text("description"),
  ];
  if (name === "") throw coded("missing");
  const { sandbox } = call;
  const changed = changeUser(sandbox, userOf(call.caller), {
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(place === undefined ? {} : { location: place }),
    ...(description === undefined ? {} : { description }),
  });
  const linkColor = color === undefined ? {} : { linkColor: color.toUpperCase() };
  return shown(call, changeSettings(sandbox, changed, linkColor));
}

function shown(call: RouteCall, user: UserRow): RouteResponse {
  const params = new LegacyParameters(call);
  const render = params.flag("skip_status") ? personInStatus : renderPerson;
  return legacyBody(render(viewOf(call, params), user));
}
