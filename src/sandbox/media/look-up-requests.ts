import { Query } from "../data-query/query.ts";
import { readSelection } from "../data-query/read-selection.ts";
import { renderContext } from "../data-query/viewer.ts";
import { CATEGORIES, type MediaRow, media } from "../model/media.ts";
import { Includes } from "../rendering/includes.ts";
import { renderMedia } from "../rendering/media.ts";
import { hiddenObjectError } from "../rendering/partial-errors.ts";
import type { RenderContext } from "../rendering/render-context.ts";
import { pickFrom } from "../rendering/selection.ts";
import type { RouteCall, RouteResponse } from "../server/route.ts";

const MEDIA_KEY = /^[0-9]+_[0-9]+$/;
const MAX_KEYS = 100;

/** Returns one medium by its key. */
export function getMedium(call: RouteCall): RouteResponse {
  const key = call.params["media_key"] ?? "";
  const query = new Query(call);
  const { fields } = readSelection(query, ["media"], []);
  if (!MEDIA_KEY.test(key)) {
    const message = `The \`media_key\` query parameter value [${key}] does not match ${MEDIA_KEY.source}`;
    query.addFaultMessage("media_key", key, message);
  }
  query.finish();
  const context = renderContext(call);
  const medium = mediumOf(context, key);
  if (medium === undefined) {
    const reference = { resource: "media", parameter: "media_key", value: key } as const;
    throw hiddenObjectError(context, "missing", reference);
  }
  return { body: { data: pickFrom("media", fields.media, renderMedia(context.baseUrl, medium)) } };
}

/** Returns the existing media as `data`, and errors for all other requested keys, both in the order of the request. */
export function lookUpMedia(call: RouteCall): RouteResponse {
  const query = new Query(call);
  query.require("media_keys");
  const keys = query.list("media_keys", { max: MAX_KEYS, pattern: MEDIA_KEY }) ?? [];
  const selection = readSelection(query, ["media"], []);
  query.finish();
  const context = renderContext(call);
  const includes = new Includes(context, selection);
  const data = keys.flatMap((key) => {
    const medium = mediumOf(context, key);
    if (medium === undefined) includes.addHidden("missing", "media", "media_keys", key);
    if (medium === undefined) return [];
    return [pickFrom("media", selection.fields.media, renderMedia(context.baseUrl, medium))];
  });
  return { body: { ...(data.length === 0 ? {} : { data }), ...includes.body() } };
}

/** Returns a medium by its key if it is for posts. Media of messages are private, and subtitles have no key. */
function mediumOf({ world }: RenderContext, key: string): MediaRow | undefined {
  const [medium] = media.in(world).where("key", key);
  return medium && CATEGORIES[medium.category].place === "post" ? medium : undefined;
}
