import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { PAGES } from "../../pages.ts";
import type { PageProps } from "../page-props.ts";
import { Page as Api } from "../pages/api/api.tsx";
import { Page as Chat } from "../pages/chat/chat.tsx";
import { Page as Conversations } from "../pages/conversations/conversations.tsx";
import { Page as Data } from "../pages/data/data.tsx";
import { Page as Delivery } from "../pages/delivery/delivery.tsx";
import { Page as Events } from "../pages/events/events.tsx";
import { Page as Log } from "../pages/log/log.tsx";
import { Page as Outbox } from "../pages/outbox/outbox.tsx";
import { Page as Rules } from "../pages/rules/rules.tsx";
import { Page as Traces } from "../pages/traces/traces.tsx";

type PagePath = (typeof PAGES)[number]["path"];

/** Component of each page by path. Rarely used pages are loaded when they are opened, the others with the program. */
export const PAGE_COMPONENTS: Readonly<Record<PagePath, ComponentType<PageProps>>> = {
  "/conversations": Conversations,
  "/chat": Chat,
  "/traces": Traces,
  "/events": Events,
  "/delivery": Delivery,
  "/rules": Rules,
  "/outbox": Outbox,
  "/portal": laterPage(() => import("../pages/portal/portal.tsx")),
  "/faults": laterPage(() => import("../pages/faults/faults.tsx")),
  "/data": Data,
  "/ads": laterPage(() => import("../pages/ads/ads.tsx")),
  "/api": Api,
  "/log": Log,
  "/docs": laterPage(() => import("../pages/docs/docs.tsx")),
};

/**
 * Focuses the heading in the content, so that a screen reader announces the opened page. Before a page is loaded, there
 * is no heading: then focuses the content.
 */
export function focusHeading(content: HTMLElement | null): void {
  const heading = content?.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  (heading ?? content)?.focus({ preventScroll: true });
}

interface LoadedPage {
  readonly Page: ComponentType<PageProps>;
}

/** Returns a component that loads a page when it is opened. If the page can't be loaded, it shows an error. */
function laterPage(load: () => Promise<LoadedPage>): ComponentType<PageProps> {
  return function Later(props: PageProps) {
    const [loaded, keep] = useState<LoadedPage>();
    const [fault, tell] = useState<string>();
    useEffect(() => void load().then(keep, (error: unknown) => tell(String(error))), []);
    useLayoutEffect(() => {
      if (loaded !== undefined) focusHeading(document.querySelector(".content:focus"));
    }, [loaded]);
    if (loaded !== undefined) return <loaded.Page {...props} />;
    if (fault === undefined) return null;
    return (
      <main id="main" tabIndex={-1}>
        <h1>This page could not be loaded</h1>
        <p role="alert">{fault}. Load it again once the bot runs.</p>
      </main>
    );
  };
}
