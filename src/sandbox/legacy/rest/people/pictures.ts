import { contentHash } from "../../../../system/content-hash.ts";
import type { UserRow } from "../../../model/accounts.ts";
import { measure } from "../../../media/measure.ts";
import type { Route, RouteCall } from "../../../server/route.ts";
import type { WireObject } from "../../../rendering/selection.ts";
import { LEGACY } from "../../ledger.ts";
import { badParameter, coded } from "../coded-errors.ts";
import { requiredPerson } from "../find.ts";
import { LegacyParameters } from "../parameters.ts";
import { legacyBody } from "../respond.ts";

/** Width and height in pixels of each form of a banner. */
const BANNER_SIZES: Readonly<Record<string, readonly [number, number]>> = {
  ipad: [626, 313],
  ipad_retina: [1252, 626],
  web: [520, 260],
  web_retina: [1040, 520],
  mobile: [320, 160],
  mobile_retina: [640, 320],
  "300x100": [300, 100],
  "600x200": [600, 200],
  "1500x500": [1500, 500],
};

/** Route that returns the sizes of a person's banner. */
export const pictureRoutes: readonly Route[] = [
  {
    ledger: LEGACY,
    auth: ["oauth1", "bearer"],
    method: "GET",
    path: "/1.1/users/profile_banner.json",
    limits: { app: 180, user: 180 },
    handle: (call) => {
      const sizes = bannerSizes(requiredPerson(call, new LegacyParameters(call)));
      if (sizes === undefined) throw coded("pageMissing");
      return legacyBody({ sizes });
    },
  },
];

function bannerSizes({ profile }: UserRow): WireObject | undefined {
  const url = profile["profile_banner_url"];
  if (typeof url !== "string" || url === "") return undefined;
  const sizes = Object.entries(BANNER_SIZES);
  return Object.fromEntries(sizes.map(([name, [w, h]]) => [name, { h, w, url: `${url}/${name}` }]));
}

/** Returns the bytes of an uploaded picture: a file, or base64 in a form. @throws {ApiError} 400, code 25 or 44. */
export function fileIn(call: RouteCall, field: string): Buffer {
  const files = call.body.kind === "multipart" ? call.body.files : [];
  const file = files.find((one) => one.field === field)?.data;
  const encoded = new LegacyParameters(call).text(field);
  if (file === undefined && encoded === undefined) throw coded("missing");
  const bytes = file ?? Buffer.from(encoded ?? "", "base64");
  if (measure(bytes) === undefined) throw badParameter(field);
  return bytes;
}

/** Returns the address of a picture, computed from the picture's bytes. The bytes are not stored. */
export function pictureUrl(bytes: Buffer): string {
  return `https://images.example/${contentHash(bytes.toString("base64")).slice(0, 16)}`;
}
