import { z } from "zod";

/** Link between an event in an app and a kind of conversion. */
export const AppEventTag = z.object({
  id: z.string(),
  app_store_identifier: z.string(),
  /** Operating system, such as `IOS`. */
  os_type: z.string(),
  /** Kind of conversion, such as `INSTALL`. The platform may add kinds. */
  conversion_type: z.string(),
  provider_app_event_id: z.string().nullable(),
  provider_app_event_name: z.string().nullable(),
  deep_link_scheme: z.string().nullish(),
  /** Attribution window of clicks in days: 1, 7, 14 or 30. */
  post_engagement_attribution_window: z.number(),
  /** Attribution window of views in days: 0, 1, 7, 14 or 30. */
  post_view_attribution_window: z.number(),
  retargeting_enabled: z.boolean(),
  /** Status of the tag; missing in the response to a creation. The platform documents only `TRACKING`. */
  status: z.string().optional(),
  last_tracked_at: z.string().nullish(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted: z.boolean(),
});

export type AppEventTag = z.infer<typeof AppEventTag>;

/** A named list of apps. The platform documents `id` and `name`; the response for a single list has more fields. */
export const AppList = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  deleted: z.boolean().optional(),
  apps: z.array(z.object({ app_store_identifier: z.string(), os_type: z.string() })).optional(),
});

export type AppList = z.infer<typeof AppList>;
