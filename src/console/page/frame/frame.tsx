import { useLayoutEffect, useRef } from "preact/hooks";
import type { SessionAnswer } from "../../operations/session.ts";
import { PAGES } from "../../pages.ts";
import { route } from "../routing/route.ts";
import { Dialogs } from "./dialogs.tsx";
import { Navigation, pagesHere } from "./navigation.tsx";
import type { PageProps } from "../page-props.ts";
import { focusHeading, PAGE_COMPONENTS } from "./page-components.tsx";
import { useLive } from "../live/live.ts";
import { otherRules } from "../parts/other-rules.ts";
import { toast, Toasts } from "../parts/toasts.tsx";
import { TopBar } from "./top-bar.tsx";
import { Absence } from "./absence.tsx";

/** Frame around every page: navigation, clock, connection. */
export function Frame({ session }: PageProps) {
  const current = PAGES.find(({ path }) => path === `/${route.value.parts[0] ?? ""}`) ?? PAGES[0];
  // a layout effect sets the window's title in the same frame in which the page appears
  useLayoutEffect(() => {
    document.title = `${current.title} · Answerback`;
  }, [current]);
  useLive(({ runtime }) => {
    const changed = runtime.findLast(({ type }) => type === "rules-changed");
    if (changed?.type !== "rules-changed") return;
    otherRules.value = changed.data.revision;
    const { changed: count } = changed.data;
    toast(`Rules reloaded: ${count === 0 ? "their order has" : count} changed.`);
  });
  const content = useFocusOn(current.path);
  const lacks = lackOf(current, session);
  const Shown = PAGE_COMPONENTS[current.path];
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <TopBar session={session} />
      <div class="frame">
        <Navigation current={current.path} session={session} />
        <div class="content" tabIndex={-1} ref={content}>
          <Absence />
          {lacks === undefined ? (
            <Shown key={current.path} session={session} />
          ) : (
            <main id="main" tabIndex={-1}>
              <h1>{current.title}</h1>
              <p>{lacks}</p>
            </main>
          )}
        </div>
      </div>
      <Toasts />
      <Dialogs />
    </>
  );
}

/**
 * Moves the focus to the heading when another page is opened. Within a page, the focus moves only if the focused element
 * is gone.
 */
function useFocusOn(page: string) {
  const content = useRef<HTMLDivElement>(null);
  const shown = useRef({ page, path: route.value.path });
  const { path } = route.value;
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { page, path };
    const isLost = document.activeElement === document.body && before.path !== path;
    if (before.page !== page || isLost) focusHeading(content.current);
  }, [page, path]);
  return content;
}

/** Returns the reason why a page can't be shown in this console; undefined if it can. */
function lackOf({ path }: (typeof PAGES)[number], session: SessionAnswer): string | undefined {
  if (pagesHere(session).some((page) => page.path === path)) return undefined;
  return session.sandbox === undefined
    ? "This page shows a sandbox, and this bot runs on the live platform. For a bot beside a sandbox: answerback dev"
    : "This page needs a bot, and only the sandbox runs here. Start both with: answerback dev";
}
