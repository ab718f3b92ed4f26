import type { ComponentType } from "preact";
import type { PAGES } from "../../pages.ts";
import type { PageProps } from "../page-props.ts";

type PagePath = (typeof PAGES)[number]["path"];

/** A page's program is loaded when it is first shown; each module's `Page` is the page. */
export const LOADERS: Readonly<
  Record<PagePath, () => Promise<{ readonly Page: ComponentType<PageProps> }>>
> = {
  "/chat": () => import("../pages/chat/chat.tsx"),
  "/traces": () => import("../pages/traces/traces.tsx"),
  "/events": () => import("../pages/events/events.tsx"),
  "/delivery": () => import("../pages/delivery/delivery.tsx"),
  "/rules": () => import("../pages/rules/rules.tsx"),
  "/outbox": () => import("../pages/outbox/outbox.tsx"),
  "/portal": () => import("../pages/portal/portal.tsx"),
  "/faults": () => import("../pages/faults/faults.tsx"),
  "/data": () => import("../pages/data/data.tsx"),
  "/ads": () => import("../pages/ads/ads.tsx"),
  "/api": () => import("../pages/api/api.tsx"),
  "/log": () => import("../pages/log/log.tsx"),
};
